#!/usr/bin/env bash
# The whole test: installs what is missing, builds the preset `release` and the Python module, runs every test, then each
# fuzz target for 20 seconds where clang and its libFuzzer are installed. Where a CUDA toolkit is installed, the CUDA path is
# compiled too: for the GPU that answers, or, where none does, for one architecture.
#   share/test.sh [ctest options]     with options: the tests that they choose, and no fuzzing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

share/setup.sh --judges

# The version of nvcc, "12.4", or nothing where there is none.
toolkit() {
  PATH="/usr/local/cuda/bin:$PATH" "${CUDACXX:-nvcc}" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'
}
cuda=()
if version=$(toolkit) && printf '%s\n' 12.4 "$version" | sort --version-sort --check=quiet; then
  cuda=(--cuda)
  nvidia-smi -L 2>/dev/null | grep -q '^GPU 0' || cuda=(--cuda=90)
fi
share/build.sh --python "${cuda[@]}"
ctest --preset release "$@"
if [ $# -gt 0 ]; then exit; fi

# Whether clang can link a fuzz target.
has_fuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null
}
if has_fuzzer; then share/fuzz.sh 20; else echo "skipped: fuzzing, as clang or its libFuzzer (libclang-rt-dev) is not installed"; fi
