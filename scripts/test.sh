#!/bin/bash
# Runs every test, a file on one process, and closes with what could not be tested here. Called by `make test`.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
.venv/bin/python -m pytest -n auto --maxprocesses 4 --dist loadfile tests "$@" || status=$?
if [ -s build/missing ]; then
  printf '\nNot tested here, because a piece is missing:\n' >&2
  sort -u build/missing | sed 's/^/  /' >&2
fi
exit $status
