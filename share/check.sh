#!/usr/bin/env bash
# What share/test.sh leaves out, in stages, the quick ones first: other compilers, other checks of the same tests. Prints how
# long each stage took; ends with the first that fails. See share/doc/testing.md.
#   share/check.sh [STAGE...]     all but the last two, or those that are named:
#     bench      the programs of share/bench compile, those with CUDA where a toolkit is installed
#     lto        optimised across sources, which shows types that differ between them; unit tests, faults
#     thread     built by clang with its thread sanitizer, as is the oneTBB that it takes; unit tests
#     sanitize   address and undefined-behaviour sanitizers, assertions of ours and of the standard library; unit tests
#     planted    200 planted faults, and which of them the tests notice; hours
#     gpu        tests that need a device, compute-sanitizer among them, on a machine that has one
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n '1,/^set /s/^#   //p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

# unit_tests PRESET [CMAKE OPTION...]: builds and runs them.
unit_tests() {
  cmake --preset "$1" "${@:2}" >/dev/null
  cmake --build --preset "$1" --parallel "$(nproc)" --target warpseed_tests
  ctest --preset "$1" -L unit
}

bench() {
  local cuda=(-D WS_CUDA=OFF)
  if PATH="/usr/local/cuda/bin:$PATH" "${CUDACXX:-nvcc}" --version; then cuda=(-D WS_CUDA=ON -D CMAKE_CUDA_ARCHITECTURES=90); fi
  cmake --preset release -B build/bench "${cuda[@]}" -D WS_BENCH=ON -D WS_TESTS=OFF >/dev/null
  cmake --build build/bench --parallel "$(nproc)"
}

# The program as well: an error that leaves a noexcept function ends it in another way where such a function is inlined.
lto() {
  unit_tests lto
  cmake --build --preset lto --target warpseed_app warpseed_faults
  ctest --preset lto -L faults
}

sanitize() { unit_tests sanitize; }

# The distribution's oneTBB, built with the thread sanitizer. It would see no order between a task and what started it, if
# only one of the two was built with it.
thread_tbb() {
  local version folder=$PWD/build/thread_tbb
  version=$(dpkg-query -W -f='${source:Version}' libtbb-dev)
  if [ -e "$folder/$version" ]; then return; fi
  rm -rf "$folder" && mkdir -p "$folder/lists/partial"
  # Sources come from where the packages come from, without a change to the system's list.
  sed -nE 's/^deb (.*)/deb-src \1/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null >"$folder/sources.list" || true
  sed 's/^Types: .*/Types: deb-src/' /etc/apt/sources.list.d/*.sources 2>/dev/null >"$folder/deb.sources" || true
  local lists=(-o "Dir::Etc::SourceList=$folder/sources.list" -o "Dir::Etc::SourceParts=$folder" -o "Dir::State::Lists=$folder/lists")
  (
    cd "$folder"
    apt-get "${lists[@]}" -qq update
    apt-get "${lists[@]}" -qq source --download-only "onetbb=$version"
    tar --extract --one-top-level=source --strip-components=1 --file onetbb_*.orig.tar.*
    cmake -S source -B build -G Ninja -D CMAKE_BUILD_TYPE=RelWithDebInfo -D CMAKE_CXX_COMPILER=clang++ -D TBB_TEST=OFF \
      -D TBB_STRICT=OFF -D TBBMALLOC_BUILD=OFF -D TBB_SANITIZE=thread -D CMAKE_INSTALL_PREFIX="$folder" >/dev/null
    cmake --build build --target install
    touch "$version"
  )
}

thread() {
  thread_tbb
  TSAN_OPTIONS=halt_on_error=1 unit_tests thread \
    -D TBB_DIR="$(dirname "$(find "$PWD/build/thread_tbb/lib" -name TBBConfig.cmake)")"
}

planted() { test/mutation/planted.sh 200 1; }

gpu() { ctest --preset release -L gpu; }

stages=("$@")
[ $# -gt 0 ] || stages=(bench lto thread sanitize)
for stage in "${stages[@]}"; do
  case $stage in bench | lto | sanitize | thread | planted | gpu) ;; *) usage ;; esac
done
mkdir -p build
for stage in "${stages[@]}"; do
  begin=$SECONDS log=build/check.$stage.log
  code=0
  $stage >"$log" 2>&1 </dev/null & # in the background, as a command before || would go on after an error
  wait $! || code=$?
  echo "check: $stage: $([ $code -eq 0 ] && echo passed || echo failed), $(((SECONDS - begin + 59) / 60)) min, see $log"
  if [ $code -ne 0 ]; then
    tail -n 30 "$log" >&2
    exit 1
  fi
done
