#!/bin/bash
# The tests of the training, and the types of what uses torch now that the real one is there. Called by `make test-train`.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/python -m pytest -n auto --maxprocesses 4 --dist loadfile tests/train "$@"
.venv/bin/mypy
