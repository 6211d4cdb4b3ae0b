#!/bin/bash
# Checks that the Neovim plugin's Lua is formatted (StyLua, compiled to WebAssembly, from npm). --write formats it instead.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/certificates.sh
version=2.5.2
home=${XDG_CACHE_HOME:-$HOME/.cache}/kernelgen-ls/stylua-$version
PATH=$PWD/build/node/bin:$PATH
if ! command -v npm >/dev/null 2>&1; then
  echo "no npm here: the Lua files were not checked (scripts/setup_vscode.sh installs Node)" >&2
  [ "${CI:-}" != true ]
  exit
fi
if [ ! -d "$home/node_modules/@johnnymorganz/stylua" ]; then
  mkdir -p "$home"
  npm install --prefix "$home" --silent --no-audit --no-fund --ignore-scripts "@johnnymorganz/stylua@$version"
fi
mapfile -t files < <(find editors/neovim tests/editors/neovim -name '*.lua' ! -name defaults.lua | sort)
if [ "${1:-}" = --write ]; then
  node scripts/format_lua.mjs "$home" "${files[@]}"
else
  node scripts/format_lua.mjs "$home" --check "${files[@]}"
fi
