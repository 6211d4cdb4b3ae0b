# Sourced by the linters: Node on PATH, and tools from npm in the cache folder, one folder a version.
. scripts/certificates.sh
PATH=$PWD/build/node/bin:$PATH

# need_node WHAT: true where npm is there; elsewhere says what was not checked, which CI counts as a failure.
need_node() {
  command -v npm >/dev/null 2>&1 && return 0
  echo "no npm here: $1 was not checked (scripts/setup_vscode.sh --packages installs Node)" >&2
  [ "${CI:-}" != true ] || exit 1
  return 1
}

# npm_tool NAME PACKAGE VERSION: installs the package where it is not there yet; prints the folder that holds it.
npm_tool() {
  local home=${XDG_CACHE_HOME:-$HOME/.cache}/kernelgen-ls/$1-$3
  if [ ! -d "$home/node_modules/$2" ]; then
    mkdir -p "$home"
    npm install --prefix "$home" --silent --no-audit --no-fund --ignore-scripts "$2@$3" >&2
  fi
  printf '%s\n' "$home"
}
