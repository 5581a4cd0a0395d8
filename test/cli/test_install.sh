#!/usr/bin/env bash
# `cmake --install`, a project of somebody else that finds the library and uses it, and the examples.
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
for file in man/man1/warpseed.1 bash-completion/completions/warpseed zsh/vendor-completions/_warpseed \
  fish/vendor_completions.d/warpseed.fish warpseed/demo.sh warpseed/schema/align_report.schema.json \
  warpseed/multiqc/pyproject.toml warpseed/multiqc/multiqc_warpseed/module.py \
  doc/warpseed/examples/align_reads.cpp warpseed/workflow/wrapper/needs.py \
  warpseed/workflow/nf-core/warpseed/align/main.nf; do
  [ -s prefix/share/$file ] || fail "not installed: share/$file"
done
[ -x prefix/share/warpseed/workflow/snakemake/slurm/submit.py ] || fail "a script of the Slurm profile cannot be run"

# The public headers alone, and nothing of other libraries in them.
(cd "$WARPSEED_SOURCE/src/include" && find . -type f | sort) >wanted_headers.txt
(cd prefix/include && find . -type f | sort) >installed_headers.txt
same wanted_headers.txt installed_headers.txt "installed headers"
if grep -rnE '#include *[<"](htslib|cuda|cub|tbb|oneapi|fmt|isa-l|hwy|divsufsort|[a-z]*/[a-z_]*_core)' prefix/include; then
  fail "a public header includes another library's"
fi
if grep -rhoE '#include *".*"' prefix/include | grep -v '"warpseed/'; then
  fail "a public header includes one that is not installed"
fi

run cmake -S "$WARPSEED_SOURCE/test/cli/installed_user" -B user/build -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  >configure.txt
run cmake --build user/build >build.txt
equal "warpseed $(user/build/user version)" "$(cat version.txt)" "version of the headers"
printf '>a\nACGTACGTNNACGA\n>b\nTTACG\n' >a.fa
equal "$(user/build/user count a.fa ACG)" 6 "occurrences counted by a program with the installed library"

# sam_fields FILE.sam: number of the read, flag, contig, position, MAPQ, CIGAR, mate, tags of the aligned records.
sam_fields() {
  awk -F '\t' -v OFS='\t' '/^@/ { next }
    $1 != last || $2 % 256 >= 128 && !second { number = n++; last = $1; second = $2 % 256 >= 128 }
    int($2 / 4) % 2 == 0 {
      line = number OFS $2 OFS $3 OFS $4 OFS $5 OFS $6 OFS $7 OFS $8 OFS $9
      for (i = 12; i <= NF; ++i) line = line OFS $i
      print line
    }' "$1"
}

# The examples say what the program says, what sort(1) says, or what was planted.
run cmake -S "$WARPSEED_SOURCE/share/examples" -B examples -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >configure2.txt
run cmake --build examples >build2.txt

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
for mate in 1 2; do
  gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R$mate.fastq.gz" | awk 'NR <= 8000' >r$mate.fq
  awk 'NR % 4 == 2' r$mate.fq >r$mate.txt
done
run "$WARPSEED" index -q --backend cpu ref.fa
run "$WARPSEED" align --quiet ref.fa.wsi r1.fq >single.sam
sam_fields single.sam | cut -f 1-6,10- >single.expected
run examples/align_reads ref.fa r1.txt >single.txt
same single.txt single.expected "single reads, aligned by the library and by the program"
[ "$(wc -l <single.txt)" -gt 1900 ] || fail "only $(wc -l <single.txt) of 2000 reads aligned"
paste -d '\n' r1.txt r2.txt >pairs.txt
run "$WARPSEED" align --quiet ref.fa.wsi r1.fq r2.fq >pairs.sam
sam_fields pairs.sam >pairs.expected
run user/build/user pairs ref.fa.wsi pairs.txt >pairs.found
same pairs.found pairs.expected "pairs, aligned by the library and by the program"
[ "$(wc -l <pairs.found)" -gt 3900 ] || fail "only $(wc -l <pairs.found) of 4000 mates aligned"

text=$(head -c 600 ref.fa | tail -n +2 | tr -d '\n')abracadabra
for ((i = 0; i < ${#text}; ++i)); do printf '%s\t%d\n' "${text:i}" $i; done | LC_ALL=C sort -t $'\t' -k 1,1 |
  cut -f 2 >suffixes.expected
run examples/suffix_array "$text" >suffixes.txt
cut -f 1 suffixes.txt >suffixes.found
same suffixes.found suffixes.expected "suffix array"
equal "$(run examples/suffix_array mississippi | cut -f 2 | tr '\n' ' ')" "0 1 1 4 0 0 1 0 2 1 3 " "LCP array"

awk -v seed=$seed 'BEGIN { srand(seed); for (line = 0; line < 200; ++line) {
  text = ""; for (n = int(rand() * 40); n > 0; --n) text = text int(rand() * 1000) " "; print text } }' >numbers.txt
while read -r line; do tr ' ' '\n' <<<"$line" | sort -n | paste -s -d ' '; done <numbers.txt >numbers.expected
run examples/segmented_sort <numbers.txt >numbers.found
same numbers.found numbers.expected "segmented sort"

# A word twice, then its reverse complement.
printf 'ACGTTGCAGGATCCTTAGCA%sTTTTT%sGGGGG%s' GATTACAGATTGCCAAGTCA GATTACAGATTGCCAAGTCA TGACTTGGCAATCTGTAATC >repeat.txt
run examples/find_repeats 20 <repeat.txt >repeats.txt
printf 'sequence\t20\t40\tsequence\t45\t65\t.\t0\t+\t+\n' >repeats.expected
for begin in 20 45; do
  printf 'sequence\t%d\t%d\tsequence\t70\t90\t.\t0\t+\t-\n' $begin $((begin + 20))
done >>repeats.expected
sort repeats.txt >repeats.found
sort repeats.expected >repeats.sorted
same repeats.found repeats.sorted "repeats"

# The programs of the page compile and print what stands below them.
# block KIND NUMBER: a block of the page.
block() {
  awk -v kind="$1" -v wanted="$2" '/^```/ { inside = !inside && $0 == "```" kind && ++seen == wanted; next } inside' \
    "$WARPSEED_SOURCE/share/doc/library.md"
}
mkdir page
for number in 1 2; do
  block cpp $number >page/page$number.cpp
  block text $number >page/page$number.expected
  echo "add_executable(page$number page$number.cpp)"
  echo "target_link_libraries(page$number PRIVATE warpseed::warpseed)"
done >page/programs.txt
[ -z "$(block cpp 3)" ] || fail "the page has a program that is not tried"
printf 'cmake_minimum_required(VERSION 3.25)\nproject(page LANGUAGES CXX)\n' >page/CMakeLists.txt
block cmake 1 | grep find_package >>page/CMakeLists.txt
cat page/programs.txt >>page/CMakeLists.txt
run cmake -S page -B page/build -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >configure3.txt
run cmake --build page/build >build3.txt
for number in 1 2; do
  run page/build/page$number >page/page$number.found
  same page/page$number.found page/page$number.expected "program $number of the page"
done

# The CUDA toolkit is asked for by a library that calls it, and by no other.
no_toolkit=0
cmake -S "$WARPSEED_SOURCE/test/cli/installed_user" -B user/no_toolkit -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
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
if PKG_CONFIG_LIBDIR=$work/no_packages cmake -S "$WARPSEED_SOURCE/test/cli/installed_user" -B user/no_htslib -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  >no_htslib.txt 2>&1; then
  fail "the static library was found without htslib"
fi
tr -s ' \n' ' ' <no_htslib.txt >no_htslib_line.txt
contains no_htslib_line.txt 'not found, and told so: programs with the static library warpseed are linked with htslib'
