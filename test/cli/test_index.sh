#!/usr/bin/env bash
# `index` and `inspect`: every shape of FASTA comes back base for base, and the file depends on the text alone.
. "$(dirname "$0")/lib.sh"

make_genome chr1:20011 chr2:60 chr3:1 chr4:7777 >ref.fa

# What inspect must give back: upper case, U as T, the other IUPAC letters as N, names up to the first blank,
# 60 letters a line. Written by awk, so that it shares nothing with the program.
expected() {
  tr -d '\r' <"$1" | awk '
    function flush(  i) { for (i = 1; i <= length(text); i += 60) print substr(text, i, 60); text = "" }
    /^>/ { flush(); print $1; next }
    { line = toupper($0); gsub(/U/, "T", line); gsub(/[^ACGT]/, "N", line); text = text line }
    END { flush() }'
}

# round_trip WANTED.fa INPUT...: index, unpack, compare; the index must hold against its own text.
round_trip() {
  local wanted=$1
  shift
  run "$WARPSEED" index "$@" -o trip.wsi -q
  run "$WARPSEED" inspect trip.wsi --fasta -q >trip.fa
  expected "$wanted" | cmp - trip.fa || fail "the reference did not come back from: index $*"
  run "$WARPSEED" inspect trip.wsi --verify -q >/dev/null
}

round_trip ref.fa ref.fa
cp trip.wsi ref.wsi

# The same text in other clothes makes the same index.
same_index() {
  round_trip ref.fa "$@"
  same trip.wsi ref.wsi "index $*"
}
one_line ref.fa >one_line.fa
same_index one_line.fa
sed 's/$/\r/' ref.fa >crlf.fa
same_index crlf.fa
printf %s "$(cat ref.fa)" >unterminated.fa
same_index unterminated.fa
awk '/^>/ { print; next } { print tolower($0) }' ref.fa >lower.fa
same_index lower.fa
awk '/^>/ { print $0 " and a description"; next } { print; print "" }' ref.fa >blanks.fa
same_index blanks.fa
gzip -c ref.fa >ref.fa.gz
same_index ref.fa.gz
{
  head -n 100 ref.fa | gzip -c
  tail -n +101 ref.fa | gzip -c
} >members.fa.gz
same_index members.fa.gz
cp ref.fa.gz name_without_suffix
same_index name_without_suffix
if command -v bgzip >/dev/null; then
  bgzip -c ref.fa >ref.fa.bgz
  same_index ref.fa.bgz
fi
awk '/^>/ { file = "part" ++n ".fa" } { print > file }' ref.fa
same_index part1.fa part2.fa part3.fa part4.fa
for input in ref.fa ref.fa.gz; do
  run "$WARPSEED" index - -o trip.wsi -q <$input
  same trip.wsi ref.wsi "index - <$input"
done

# Any number of threads, and every sorter, makes the same bytes.
for threads in 1 2 3; do
  run "$WARPSEED" index ref.fa -o threads.wsi -t $threads -q
  same threads.wsi ref.wsi "index -t $threads"
done
run "$WARPSEED" index ref.fa -o sorter.wsi --sorter divsufsort --backend cpu -q
same sorter.wsi ref.wsi "index --sorter divsufsort"
run "$WARPSEED" index ref.fa -o checked.wsi --verify --memory 2G -q
same checked.wsi ref.wsi "index --verify --memory"

# IUPAC letters, runs of N at the ends, in the middle, of length 1 and longer than a line; contigs of N alone.
{
  printf '>n_first\nNNNNACGTTGCA\n>n_last\nACGTTGCANNN\n>n_all\n%s\n>n_one\nACGTNACGTNNACGT\n' NNNNNNNN
  printf '>iupac\nACGTRYSWKMBDHVNacgtryswkmbdhvnUu\n>long_run\nACGT\n'
  awk 'BEGIN { for (i = 0; i < 5000; i++) printf "N%s", i % 61 == 0 ? "\n" : "" }'
  printf '\nTTTT\n>single_n\nN\n>repeat\n'
  awk 'BEGIN { for (i = 0; i < 300; i++) printf "A"; print "" }'
} >odd.fa
round_trip odd.fa odd.fa
printf '>n\nNNNN\n' >only_n.fa
round_trip only_n.fa only_n.fa
printf '>a\nA\n' >one_base.fa
round_trip one_base.fa one_base.fa
awk 'BEGIN { for (i = 0; i < 20000; i++) printf ">c%d\n%s\n", i, substr("ACGTTGCATTAACCGG", i % 8 + 1, i % 7 + 1) }' >many.fa
round_trip many.fa many.fa

# --sa-sample changes the size, not what is in it.
last=$(stat -c %s ref.wsi)
for step in 8 32 256; do
  run "$WARPSEED" index ref.fa -o sparse.wsi --sa-sample $step -q
  run "$WARPSEED" inspect sparse.wsi --verify -q >/dev/null
  bytes=$(stat -c %s sparse.wsi)
  [ "$bytes" -lt "$last" ] || fail "--sa-sample $step: $bytes bytes, not below $last"
  last=$bytes
done

# At most 2.8 bytes a base with default settings, on a text large enough for fixed costs not to matter.
run "$WARPSEED" index "$demo/chr20_9-11Mb.fa.gz" -o demo.wsi -q
not_above "$(stat -c %s demo.wsi)" 5600000 "bytes of the index of 2 Mb"

# On the CPU --memory bounds the machine's memory: the same bytes, or an error that names what would do, and no file.
run "$WARPSEED" index "$demo/chr20_9-11Mb.fa.gz" -o bounded.wsi --backend cpu --memory 60M -q
same bounded.wsi demo.wsi "an index made within 60 MB"
if "$WARPSEED" index "$demo/chr20_9-11Mb.fa.gz" -o tiny.wsi --backend cpu --memory 1M -q 2>tiny.err; then
  fail "suffixes were sorted within 1 MB"
fi
contains tiny.err 'takes at least .* of memory, .*allow more with --memory'
[ ! -e tiny.wsi ] || fail "a failed index left a file"

# inspect: the summary names contigs and lengths; -o writes a file.
run "$WARPSEED" inspect ref.wsi --summary -q >summary.txt
contains summary.txt 'chr1[^0-9]+20011'
contains summary.txt 'chr4[^0-9]+7777'
run "$WARPSEED" inspect ref.wsi --fasta -q -o unpacked.fa
same unpacked.fa ref.fa "inspect -o"

# -q is silent; without it the last lines tell version, command and cost; data go to standard output alone.
run "$WARPSEED" index ref.fa -o ref.wsi -q
[ ! -s run.err ] || fail "index -q talks: $(cat run.err)"
run "$WARPSEED" index ref.fa -o ref.wsi >stdout.txt
[ ! -s stdout.txt ] || fail "index writes to standard output"
contains run.err 'version [0-9.]+, command: warpseed index ref\.fa'
contains run.err 's wall, .* peak memory'
contains run.err 'needs about [0-9.]+ GiB of memory, and [0-9.]+ GiB of disk for the index'

# An index that is there already is replaced, and kept when the new one fails.
run "$WARPSEED" index one_base.fa -o kept.wsi -q
cp kept.wsi before.wsi
: >empty.fa
if "$WARPSEED" index empty.fa -o kept.wsi -q 2>/dev/null; then fail "an empty FASTA was indexed"; fi
same kept.wsi before.wsi "an index after a failed attempt to replace it"

# What is read into memory is the whole file.
run "$WARPSEED" inspect kept.wsi --warm -q >warm.txt
contains warm.txt '^in-memory-before	[0-9]*$'
contains warm.txt "^in-memory	$(stat -c %s kept.wsi)$"
