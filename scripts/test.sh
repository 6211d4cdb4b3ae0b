#!/bin/bash
# Runs every test but the training's, a file on one process, and closes with what could not be tested here. Called by
# `make test`; further arguments go to pytest.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
.venv/bin/python -m pytest -n auto --maxprocesses 4 --dist loadfile tests --ignore tests/train "$@" || status=$?
if [ -s build/missing ]; then
  printf '\nNot tested here, because a piece is missing:\n' >&2
  sort -u build/missing | sed 's/^/  /' >&2
fi
exit $status
