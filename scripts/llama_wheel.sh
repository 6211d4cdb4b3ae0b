#!/bin/bash
# Builds the llama-cpp-python wheel once and keeps it: PyPI has only the source, and the default build compiles three
# times what a server needs. The cache is keyed by CPU and version because llama.cpp is built for the machine it runs on
# (-march=native) and such a wheel stops with SIGILL on another CPU. Prints the wheel's path on stdout, the rest on stderr.
# Usage: llama_wheel.sh PYTHON VERSION
set -euo pipefail
python=$1 version=$2
cpu=$( (grep -m1 '^flags' /proc/cpuinfo 2>/dev/null || sysctl -n machdep.cpu.features 2>/dev/null || uname -m) | cksum | cut -d' ' -f1)
abi=$("$python" -c 'import sys; print(f"py{sys.version_info[0]}{sys.version_info[1]}")')
cache=${KERNELGEN_WHEEL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kernelgen-ls/wheels}/$version-$abi-$(uname -s)-$(uname -m)-$cpu
mkdir -p "$cache"
if ! ls "$cache"/*.whl >/dev/null 2>&1; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # Injected into llama.cpp's own CMakeLists: its "common" library and the tools built on it serve no purpose here.
  printf 'set(LLAMA_BUILD_COMMON OFF)\n' >"$work/nocommon.cmake"
  echo "building llama-cpp-python $version (about five minutes on two cores, once)" >&2
  CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)} \
    CMAKE_ARGS="-DLLAVA_BUILD=OFF -DLLAMA_OPENSSL=OFF -DCMAKE_PROJECT_llama_cpp_INCLUDE=$work/nocommon.cmake ${CMAKE_ARGS:-}" \
    "$python" -m pip wheel --no-deps --wheel-dir "$work/out" "llama-cpp-python==$version" >&2
  mv "$work"/out/*.whl "$cache/"
fi
ls "$cache"/*.whl | tail -n 1
