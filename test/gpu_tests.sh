#!/usr/bin/env bash
# Runs every test that takes a backend or needs a device where a CUDA device answers; says so and skips elsewhere.
#   gpu_tests.sh WARPSEED WARPSEED_TESTS
set -euo pipefail
if ! "$1" backends | grep -q '^cuda:'; then
  echo "skipped: no CUDA device answers on this machine"
  exit 77
fi
exec "$2" "[backend],[gpu]"
