#!/usr/bin/env bash
# `cmake --install`, and a small project of somebody else that finds the library and uses it.
. "$(dirname "$0")/lib.sh"
need cmake ninja

build=$(dirname "$(dirname "$WARPSEED")")
if [ ! -e "$build/CMakeCache.txt" ]; then
  echo "skipped: $WARPSEED does not lie in a build folder"
  exit 77
fi
run cmake --install "$build" --prefix "$work/prefix" >install.txt

run prefix/bin/warpseed --version >version.txt
contains version.txt '^warpseed [0-9]'
for file in share/man/man1/warpseed.1 share/bash-completion/completions/warpseed include/warpseed/text/fasta.hpp; do
  [ -s prefix/$file ] || fail "not installed: $file"
done

mkdir user
cat >user/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(warpseed 0.1)
if(NOT warpseed_FOUND)
  message(FATAL_ERROR "not found, and told so: ${warpseed_NOT_FOUND_MESSAGE}")
endif()
message(STATUS "with CUDA: ${warpseed_WITH_CUDA}")
add_executable(user user.cpp)
target_link_libraries(user PRIVATE warpseed::warpseed)
END
cat >user/user.cpp <<'END'
// Counts a pattern in a FASTA file: a user's first program.
#include <cstdio>
#include <string>
#include <vector>

#include "index/fm_index.hpp"
#include "index/searcher.hpp"
#include "text/fasta.hpp"

int main(int, char** argv) {
  using namespace warpseed;
  const std::vector<std::string> paths = {argv[1]};
  const text::Genome genome = text::read_fasta(paths);
  const Backend backend = choose_backend("cpu", 1);
  const index::FmIndex fm = index::build_fm_index(genome.view(), backend);
  index::PatternBatch patterns;
  std::vector<std::uint8_t> codes;
  for (const char* letter = argv[2]; *letter != '\0'; ++letter) codes.push_back(text::code_of_base(*letter));
  patterns.add(codes);
  std::vector<RowRange> rows(1);
  index::make_searcher(fm.view(), backend)->find(patterns, rows);
  std::printf("%llu\n", static_cast<unsigned long long>(rows[0].count()));
}
END
printf '>a\nACGTACGTNNACGA\n>b\nTTACG\n' >user/a.fa
run cmake -S user -B user/build -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >configure.txt
run cmake --build user/build >build.txt
equal "$(user/build/user user/a.fa ACG)" 4 "occurrences counted by a program with the installed library"

# The CUDA toolkit is asked for by a library that calls it, and by no other.
no_toolkit=0
cmake -S user -B user/no_toolkit -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON >no_toolkit.txt 2>&1 || no_toolkit=$?
archive=$(find prefix -name libwarpseed.a)
nm "$archive" >symbols.txt 2>/dev/null
if grep -q 'U cudaMalloc' symbols.txt; then
  contains configure.txt 'with CUDA: ON'
  [ $no_toolkit -ne 0 ] || fail "a library that calls CUDA was found without the toolkit that it is linked with"
  contains no_toolkit.txt CUDAToolkit
else
  contains configure.txt 'with CUDA: OFF'
  [ $no_toolkit -eq 0 ] || fail "a library without CUDA asked for the toolkit: $(tail -n 5 no_toolkit.txt)"
fi

# A library that its user is linked with and that is not there: said by name, and the user may go on without warpseed.
mkdir no_packages
if PKG_CONFIG_LIBDIR=$work/no_packages cmake -S user -B user/no_htslib -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  >no_htslib.txt 2>&1; then
  fail "the static library was found without htslib"
fi
tr -s ' \n' ' ' <no_htslib.txt >no_htslib_line.txt
contains no_htslib_line.txt 'not found, and told so: programs with the static library warpseed are linked with htslib'
