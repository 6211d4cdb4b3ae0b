#!/bin/bash
# ruff, mypy --strict, import-linter, tsc where the extension's packages are installed, StyLua. Called by `make lint`.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports
if [ -d editors/vscode/node_modules ]; then (cd editors/vscode && npm run --silent check); fi
scripts/lint_lua.sh
