#!/bin/bash
# Every linter: Python's style, types and import contracts, TypeScript, Lua, the workflows. Called by `make lint`.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports
scripts/lint_typescript.sh
scripts/lint_lua.sh
scripts/lint_workflows.sh
