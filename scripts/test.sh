#!/bin/bash
# Runs every test in order of cost and closes with what could not be tested here. Called by `make test`.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
.venv/bin/python -m pytest tests "$@" || status=$?
if [ -s build/missing ]; then
  printf '\nNot tested here, because a piece is missing:\n' >&2
  sort -u build/missing | sed 's/^/  /' >&2
fi
exit $status
