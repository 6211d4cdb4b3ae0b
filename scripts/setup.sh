#!/bin/bash
# Installs what the project needs into this checkout, from nothing; quick when everything is there.
# Usage: setup.sh PART...   parts: python  train  test  editors  lint
# A system package that is missing is installed with apt when this is root on Debian or Ubuntu; otherwise it is named,
# written to build/missing, and work goes on. With CI=true a missing piece is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
venv=.venv
missing=build/missing
mkdir -p build

say() { printf '%s\n' "$*" >&2; }

# need COMMAND PACKAGE PURPOSE: make COMMAND available, or write down that it is not.
need() {
  command -v "$1" >/dev/null 2>&1 && return 0
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing $2 ($3)"
    if [ ! -e build/apt-updated ]; then apt-get update -qq >/dev/null && touch build/apt-updated; fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null && return 0
  fi
  absent "$2" "$3"
}

absent() {
  echo "$1: $2" >>"$missing"
  say "missing: $1 ($2)"
  if [ "${CI:-}" = true ]; then say "this is CI, where everything must be there"; exit 1; fi
}

# fresh STAMP FILE...: true when STAMP is newer than every FILE, so the step can be skipped.
fresh() {
  local stamp=$1; shift
  [ -e "$stamp" ] || return 1
  for file in "$@"; do [ "$stamp" -nt "$file" ] || return 1; done
}

install_python() {
  fresh "$venv/.stamp" pyproject.toml scripts/llama_wheel.sh && return 0
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { say "Python 3.10 or newer is needed; set PYTHON=/path/to/python3"; exit 1; }
  [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
  local version
  version=$(sed -n 's/.*"llama-cpp-python==\([0-9.]*\)".*/\1/p' pyproject.toml)
  need c++ g++ "llama.cpp is built from source"
  "$venv/bin/python" -m pip install -q --upgrade pip
  local wheel
  if wheel=$(scripts/llama_wheel.sh "$venv/bin/python" "$version"); then
    "$venv/bin/python" -m pip install -q "$wheel"
    "$venv/bin/python" -m pip install -q -e '.[dev,runner]'
  else
    say "llama-cpp-python could not be built: the server works without completions until it is (kernelgen-ls doctor says more)"
    exit 1
  fi
  touch "$venv/.stamp"
}

install_train() {
  install_python
  fresh "$venv/.stamp-train" pyproject.toml && return 0
  # PyPI's torch for Linux brings CUDA's libraries, 5 GB of them; TORCH_INDEX names an index with a build for the CPU (1 GB).
  "$venv/bin/python" -m pip install -q ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "torch==2.13.0"
  "$venv/bin/python" -m pip install -q -e '.[train]'
  touch "$venv/.stamp-train"
}

install_test() {
  install_python
  need sshd openssh-server "the runner's ssh transport is tested through a real sshd"
  need ssh openssh-client "the runner's ssh transport"
}

install_editors() {
  install_python
  for script in scripts/setup_neovim.sh scripts/setup_vscode.sh; do
    [ -x "$script" ] || continue
    "$script" || absent "$script" "an editor for the editor tests"
  done
}

install_lint() {
  install_python
  need luacheck lua-check "the Neovim plugin's names are checked with it"
  scripts/setup_vscode.sh --packages || absent "Node" "TypeScript, Lua's formatting and the workflows are checked with it"
}

: >"$missing"
for part in "$@"; do "install_$part"; done
