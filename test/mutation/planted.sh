#!/usr/bin/env bash
# Plants faults in a copy of the sources and reports which of them the tests notice: see share/doc/testing.md.
#   planted.sh COUNT SEED [OPTIONS OF judge.py...]
# Writes build/planted: tree (the copy), results.SEED.tsv (a line a fault). A second call asks what the first has left.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ $# -ge 2 ] || { sed -n '3,4p' "${BASH_SOURCE[0]}" >&2 && exit 2; }
count=$1 seed=$2 folder=$PWD/build/planted
shift 2
python=/usr/bin/python3 # the distribution's, which has libclang
$python -c 'import clang.cindex' 2>/dev/null || {
  echo "planted: libclang for Python is missing; share/setup.sh --judges installs it" >&2
  exit 1
}
mkdir -p "$folder"
cmake --preset cpu -D WS_WERROR=OFF -B "$folder/commands" >/dev/null
$python test/mutation/plant.py . "$folder/commands" "$folder/tree" "$count" "$seed"
cd "$folder/tree"
# Assertions are a part of the tests.
cmake --preset cpu -D WS_WERROR=OFF -D WS_ASSERTIONS=ON \
  -D CMAKE_CXX_FLAGS="-include $folder/tree/test/mutation/planted.hpp" >/dev/null
cmake --build --preset cpu --parallel "$(nproc)"
$python test/mutation/judge.py . build/cpu "$folder/results.$seed.tsv" "$@"
