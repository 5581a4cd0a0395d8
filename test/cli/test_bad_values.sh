#!/usr/bin/env bash
# Values out of range, endless lines, files that were cut to nothing, and names that a terminal would obey.
. "$(dirname "$0")/lib.sh"

make_genome chr1:20000 >ref.fa
make_pairs ref.fa 200 reads
run "$WARPSEED" index ref.fa -o ref.wsi -q

# Numbers: the line names the flag, and what it takes.
number() { # number FLAG VALUE HIGHEST COMMAND...
  expect_fail 2 "^warpseed [a-z]+: $1: .*$3" -- "$WARPSEED" "${@:4}" "$1" "$2" --quiet
}
align=(align ref.wsi reads_1.fq -o out/x.sam)
for value in nan NAN -nan inf 1e400 -1 1e7 wide ''; do
  if [ -n "$value" ]; then number -r "$value" '0.1 to 1000000' "${align[@]}"; fi
done
for value in nan -0.1 1.1 inf; do number -D "$value" '0 to 1' "${align[@]}"; done
for value in nan -1 9 256 99999999999999999999 18446744073709551635; do number -k "$value" '10 to 255' "${align[@]}"; done
number -A nan '1 to 1000' "${align[@]}"
number --threads nan '1 to 1024' "${align[@]}"
huge=18446744073709551615 # 2^64 - 1
number --max-hits -1 $huge query ref.wsi reads_1.fq -o out/x.tsv
number --max-hits 18446744073709551616 $huge query ref.wsi reads_1.fq -o out/x.tsv
number --min-length 0 $huge overlap matches ref.fa ref.fa -o out/x.tsv
number --min-length 99999999999999999999 $huge overlap matches ref.fa ref.fa -o out/x.tsv
number --min-count -1 4294967295 collapse reads_1.fq -o out/x.fq

# Sizes, with units.
for value in -1 -1G 0 nan 1.5G G 2Q 2KK 99999999999999999999 99999999999999999999G 16E 18446744073709551616; do
  number --sort-memory "$value" "1 byte to $huge" align ref.wsi reads_1.fq --sort -o out/x.bam
  number --memory "$value" "1 byte to $huge" index ref.fa -o out/x.wsi
done
number --memory 99999999999999999999G "0 bytes to $huge" "${align[@]}"
for value in 100000 64k '64 KiB' 1MB 2gb 15E; do
  run "$WARPSEED" align ref.wsi reads_1.fq --sort --sort-memory "$value" -o sized.sam --quiet
done

# Scores have 32 bits: a read that is too long for its -A is refused, not aligned by chance.
awk 'BEGIN { for (i = 0; i < 120000; i++) line = line "ACGTTGCAAC"; print ">giant"; print line line }' >giant.fa
expect_fail 2 'read "giant" has 2400000 bases, -A 1000 and -B 4000 take reads of 500000 at most' -- \
  "$WARPSEED" align ref.wsi giant.fa -A 1000 -o out/x.sam --quiet
run "$WARPSEED" align ref.wsi giant.fa -o giant.sam --quiet
equal "$(grep -vc '^@' giant.sam)" 1 "records of a read of 2.4 Mb"
run "$WARPSEED" query ref.wsi giant.fa -o giant.tsv -q
run "$WARPSEED" index giant.fa -o giant.wsi -q

# Endless lines, in an address space of 2 GiB where the program starts in that: a sanitizer takes terabytes.
space=2000000
(ulimit -v $space && "$WARPSEED" --version) >/dev/null 2>&1 || space=unlimited
export space
endless() { # endless REGEX COMMAND...
  # shellcheck disable=SC2016
  expect_fail 2 "$1" -- bash -c 'ulimit -v $space; exec "$WARPSEED" "$@" -t 1 --backend cpu --quiet' endless "${@:2}"
}
endless '/dev/zero:1: byte 0x00' query ref.wsi /dev/zero -o out/x.tsv
endless '/dev/zero:1: the line has more than [0-9]+ bytes; .*ALT' align ref.wsi reads_1.fq --alt /dev/zero -o out/x.sam
endless '/dev/zero:1: the line has more than [0-9]+ bytes; .*GFF3' \
  overlap matches ref.fa ref.fa --annotation /dev/zero -o out/x.tsv
endless '/dev/zero:1: the line has more than [0-9]+ bytes; .*table' \
  overlap pairs ref.fa --table /dev/zero -o out/x.tsv
{
  printf '>'
  head -c 70000000 /dev/zero | tr '\0' 'A'
} >name.fa
endless 'name\.fa:1: .*name.*more than' index name.fa -o out/x.wsi
# Behind an annotation there may be the sequence, a chromosome a line.
{
  printf '##gff-version 3\nchr1\tx\tCDS\t1\t9\t.\t+\t0\tID=i\n##FASTA\n>chr1\n'
  head -c 100000000 /dev/zero | tr '\0' 'A'
} >with_fasta.gff
run "$WARPSEED" overlap matches ref.fa ref.fa --annotation with_fasta.gff -o annotated.tsv -q

# References of CRAM that are not there are missed at once, also where nothing is CRAM.
expect_fail 2 'no-such\.fa: no such file' -- "$WARPSEED" "${align[@]}" --reference no-such.fa --quiet
expect_fail 2 'no-such\.fa: no such file' -- "$WARPSEED" "${align[@]}" --input-reference no-such.fa --quiet
expect_fail 2 'no-such\.fa: no such file' -- "$WARPSEED" align ref.wsi reads_1.fq --reference no-such.fa -o out/x.cram --quiet

# The index of such a reference, where it cannot be made. Root may write anywhere, but for what setpriv takes from it.
mkdir locked
cp ref.fa locked/ref.fa
chmod a-w locked
mortal=()
if [ "$(id -u)" -eq 0 ]; then mortal=(setpriv --bounding-set=-dac_override --inh-caps=-dac_override); fi
if [ "$(id -u)" -ne 0 ] || "${mortal[@]}" true 2>/dev/null; then
  expect_fail 1 'locked/ref\.fa\.fai.*permission denied.*samtools faidx' -- \
    "${mortal[@]}" "$WARPSEED" align ref.wsi reads_1.fq --reference locked/ref.fa -o out/x.cram --quiet
fi
printf 'no FASTA\n' >none.fa
expect_fail 2 'none\.fa: is no reference for CRAM' -- \
  "$WARPSEED" align ref.wsi reads_1.fq --reference none.fa -o out/x.cram --quiet

# Threads that the system does not give: one line, wherever it is noticed, and nothing left behind. Root has no limit.
nobody=()
if [ "$(id -u)" -eq 0 ]; then nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
cp "$WARPSEED" program
mkdir -m 777 nobody
chmod a+rx . program
for threads in 1 2 3 4 5 6 7 8; do
  limited=("${nobody[@]}" prlimit --nproc="$threads" env ASAN_OPTIONS=detect_leaks=0) # that takes a thread, too
  "${limited[@]}" ./program --version >/dev/null 2>&1 || continue
  code=0
  "${limited[@]}" ./program align ref.wsi reads_1.fq -o nobody/x.sam -t 8 --backend cpu --quiet 2>limited.err || code=$?
  if [ $code -eq 0 ]; then continue; fi
  equal $code 1 "exit code with $threads processes"
  contains limited.err '^warpseed.*: cannot start another thread: .*use fewer threads \(-t\)'
  equal "$(find nobody -type f ! -name x.sam)" '' "what is left behind with $threads processes"
done

# A bad line in the header of the input is the input's.
printf '@HD\tVN:1.6\n@PG\tID:x\tbroken\nr\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n' >header.sam
expect_fail 2 'header\.sam: line 2 of the header.*KEY:VALUE' -- "$WARPSEED" align ref.wsi header.sam -o out/x.bam --quiet

# Names with bytes that a terminal obeys: one line without them.
name=$'a\e[31m\nb\302\233.fq'
expect_fail 2 'cannot open a\?\[31m\?b\?\.fq: no such file' -- "$WARPSEED" align ref.wsi "$name" -o out/x.sam --quiet
expect_fail 2 'cannot open a\?\[31m\?b\?\.fq: no such file' -- "$WARPSEED" query ref.wsi "$name" -o out/x.tsv -q
cp reads_1.fq "$name"
run "$WARPSEED" align ref.wsi "$name" -o fine.sam
if LC_ALL=C grep -q $'\e' run.err; then fail "the closing lines hold escapes"; fi
code=0
"$WARPSEED" $'x\e[31m' 2>usage.err || code=$?
equal $code 2 "exit code of a command that is none"
if LC_ALL=C grep -q $'\e' usage.err; then fail "the usage holds escapes"; fi

# A disk that is full names the picture, not what it is made of.
mkdir programs
# shellcheck disable=SC2016
printf '#!/bin/sh\nfor a; do case $a in --output=*) echo PNG >"${a#*=}";; esac; done\n' >programs/rsvg-convert
chmod +x programs/rsvg-convert
picture=(env PATH="$work/programs:$PATH" "$WARPSEED" overlap matches ref.fa ref.fa -o /dev/null -q)
expect_fail 1 'cannot write out/x\.png: .*large' -- \
  bash -c 'trap "" XFSZ; ulimit -f 1; exec "$@"' full "${picture[@]}" --plot out/x.png
run "${picture[@]}" --plot x.png
equal "$(cat x.png)" PNG "the picture"

# Files of 0 bytes: whatever is compressed has a header, so that these were cut; plain ones hold no reads.
for ending in fq.gz fq.bgz bam cram; do
  : >"cut.$ending"
  truncated="cut\\.$ending: truncated: .*0 bytes"
  expect_fail 2 "$truncated" -- "$WARPSEED" align ref.wsi "cut.$ending" -o out/x.sam --quiet
  expect_fail 2 "$truncated" -- "$WARPSEED" collapse "cut.$ending" -o out/x.fq -q
  expect_fail 2 "$truncated" -- "$WARPSEED" query ref.wsi "cut.$ending" -o out/x.tsv -q
done
expect_fail 2 'cut\.fq\.gz: truncated' -- "$WARPSEED" align ref.wsi reads_1.fq cut.fq.gz -o out/x.sam --quiet
: >empty.fq
run "$WARPSEED" align ref.wsi empty.fq -o empty.sam
contains run.err 'warning: empty\.fq holds no reads'
run "$WARPSEED" align ref.wsi - -o empty.sam </dev/null
contains run.err 'warning: standard input holds no reads'
run "$WARPSEED" collapse empty.fq -o collapsed.fq
contains run.err 'warning: empty\.fq holds no reads'
run "$WARPSEED" query ref.wsi empty.fq -o queried.tsv
contains run.err 'warning: empty\.fq holds no patterns'

report_failures
