#!/bin/bash
# Checks the VS Code extension and the scripts beside it: formatting and lints (Biome), types (tsc). --write formats and
# mends what has a safe fix.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm_tool.sh
need_node "TypeScript" || exit 0
biome=$(npm_tool biome @biomejs/biome 2.6.8)/node_modules/.bin/biome
if [ "${1:-}" = --write ]; then
  "$biome" check --write .
  exit
fi
"$biome" check --error-on-warnings .
if [ -d editors/vscode/node_modules ]; then
  (cd editors/vscode && npm run --silent check)
else
  echo "the extension's packages are not installed: its types were not checked (scripts/setup_vscode.sh --packages)" >&2
  [ "${CI:-}" != true ]
fi
