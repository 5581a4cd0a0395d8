#!/usr/bin/env bash
# Configures and builds the preset `release` in build/release, with the CUDA path where a GPU answers.
#   share/build.sh [TARGET...]                  without a target: everything
#   share/build.sh --cuda [TARGET...]           with the CUDA path; where no GPU answers, for Ampere, Hopper and newer
#   share/build.sh --cuda=ARCHITECTURES [...]   the same for what CMAKE_CUDA_ARCHITECTURES names: 90, '80-real;90', all
#   share/build.sh --python [...]               with the Python module too; before --cuda
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=()
if [ "${1-}" = --python ]; then python=(-D WS_PYTHON=ON) && shift; fi
cuda=(-D WS_CUDA=AUTO -U CMAKE_CUDA_ARCHITECTURES)
case "${1-}" in
  --cuda) cuda=(-D WS_CUDA=ON -U CMAKE_CUDA_ARCHITECTURES) && shift ;;
  --cuda=?*) cuda=(-D WS_CUDA=ON -D "CMAKE_CUDA_ARCHITECTURES=${1#--cuda=}") && shift ;;
  -*)
    echo "usage: share/build.sh [--python] [--cuda[=ARCHITECTURES]] [TARGET...]" >&2
    exit 2
    ;;
esac

# A compiler job may take 2 GiB, most of all nvcc: no more jobs than fit beside each other.
free_kib=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
if [ "$limit" != max ] && [ $((limit / 1024)) -lt "$free_kib" ]; then free_kib=$((limit / 1024)); fi
jobs=$((free_kib / (2 * 1024 * 1024)))
cores=$(nproc)
if [ "$jobs" -gt "$cores" ]; then jobs=$cores; fi
if [ "$jobs" -lt 1 ]; then jobs=1; fi

log=build/release/configure.log
mkdir -p build/release
echo "build: configuring, then compiling with $jobs at a time"
if ! cmake --preset release "${cuda[@]}" "${python[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
sed -n 's/^-- warpseed: /build: /p' "$log"

targets=()
if [ $# -gt 0 ]; then targets=(--target "$@"); fi
cmake --build --preset release --parallel "$jobs" "${targets[@]}"
