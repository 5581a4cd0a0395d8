#!/usr/bin/env bash
# What is built where: the CUDA path where a GPU answers or where it is asked for, and configuring says which and why.
. "$(dirname "$0")/lib.sh"
need cmake ninja

# A machine whose driver lists no GPU, whatever the real one has.
mkdir tools
printf '#!/bin/sh\necho "No devices were found"\nexit 6\n' >tools/nvidia-smi
chmod +x tools/nvidia-smi
export PATH="$work/tools:$PATH"

# configure NAME FLAG...: what it said is in NAME.txt, on one line.
configure() {
  local name=$1 code=0
  shift
  cmake -S "$WARPSEED_SOURCE" -B "$name" -G Ninja -DWS_TESTS=OFF "$@" >said.txt 2>&1 || code=$?
  tr -s ' \n' ' ' <said.txt >"$name.txt"
  return $code
}

configure auto || fail "not configured: $(cat auto.txt)"
contains auto.txt 'CPU path only: nvidia-smi -L lists no GPU here; share/build.sh --cuda \(WS_CUDA=ON\) builds'
configure off -DWS_CUDA=OFF || fail "not configured: $(cat off.txt)"
contains off.txt 'CPU path only, as asked for'
if configure maybe -DWS_CUDA=MAYBE; then fail "WS_CUDA=MAYBE was taken"; fi
contains maybe.txt 'WS_CUDA=MAYBE is none of AUTO, ON and OFF'
if configure on -DWS_CUDA=ON -DCMAKE_CUDA_COMPILER=/nowhere/nvcc; then fail "the CUDA path without a toolkit"; fi

# Warnings end a build of ours, not that of somebody with another compiler.
if grep -q Werror auto/build.ninja; then fail "warnings are errors without being asked for"; fi
configure strict -DWS_WERROR=ON || fail "not configured: $(cat strict.txt)"
grep -q Werror strict/build.ninja || fail "WS_WERROR=ON does not make warnings errors"
