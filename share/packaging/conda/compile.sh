#!/usr/bin/env bash
# Run by conda-build through build_cpu.sh and build_cuda.sh: compiles and installs into $PREFIX.
#   compile.sh OFF|ON    without or with the CUDA path
set -euo pipefail
cuda=$1
architectures=()
if [ "$cuda" = ON ]; then architectures=(-D "CMAKE_CUDA_ARCHITECTURES=${WARPSEED_CUDA_ARCHITECTURES:-80-real;90}"); fi
# CMAKE_ARGS is conda's: compilers, sysroot, where to look for libraries.
# shellcheck disable=SC2086
cmake -S . -B "build_$cuda" -G Ninja ${CMAKE_ARGS-} -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX="$PREFIX" \
  -D CMAKE_INSTALL_LIBDIR=lib -D WS_TESTS=OFF -D WS_CUDA="$cuda" "${architectures[@]}"
cmake --build "build_$cuda" --parallel "${CPU_COUNT:-2}"
cmake --install "build_$cuda" --strip
