#!/usr/bin/env bash
# --estimate of `index` and `align` against what /usr/bin/time and the file system say of the run itself: peak memory is at
# most the estimate and at least a third of it, sizes of files are right within a factor of two.
. "$(dirname "$0")/lib.sh"
[ -x /usr/bin/time ] || { echo "skipped: /usr/bin/time is not installed (share/setup.sh --judges installs it)" && exit 77; }

# value NAME: of the table of the last estimate.
value() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' table.tsv; }
# within VALUE LEAST MOST WHAT
within() { not_above "$2" "$1" "$4, at least" && not_above "$1" "$3" "$4, at most"; }

runs=0
# agrees OUTPUT COMMAND FLAGS...: the estimate, and the run. Nothing is written by the estimate.
agrees() {
  local output=$1 command=$2 peak said size
  shift 2
  rm -f "$output"
  run "$WARPSEED" "$command" --estimate --quiet --backend cpu "$@" -o "$output" >table.tsv
  [ ! -e "$output" ] || fail "--estimate has written $output"
  /usr/bin/time -o time.txt -f %M "$WARPSEED" "$command" --quiet --backend cpu "$@" -o "$output" || fail "$command $*"
  peak=$(($(tail -n 1 time.txt) * 1024)) said=$(value memory-bytes) size=$(stat -c %s "$output")
  within "$peak" $((said / 3)) "$said" "peak memory of $command $*"
  said=$(value output-bytes)
  within "$size" $((said / 2)) $((2 * said)) "size of $output by $command $*"
  equal "$(value disk-bytes)" $((said + $(value temporary-bytes))) "disk of $command $*"
  equal "$(value device-memory-bytes)" 0 "device memory on the CPU"
  runs=$((runs + 1))
}

make_genome chr1:3000000 chr2:1500000 >made.fa
gzip --keep made.fa
cp "$demo/chr20_9-11Mb.fa.gz" .
gzip --decompress --stdout chr20_9-11Mb.fa.gz >chr20.fa

for threads in 1 2 4; do agrees made.wsi index made.fa -t $threads; done
agrees made.wsi index made.fa.gz chr20.fa
agrees made.wsi index made.fa --sorter divsufsort
agrees made.wsi index made.fa --sa-sample 1
agrees made.wsi index made.fa --sa-sample 64 --memory 60M
agrees made.wsi index made.fa
agrees chr20.wsi index chr20_9-11Mb.fa.gz

one=$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz two=$demo/NA12878_chr20_10.0-10.1Mb_R2.fastq.gz
reads=$(($(gzip --decompress --stdout "$one" | wc -l) / 2))
for threads in 1 2 4; do agrees out.sam align chr20.wsi "$one" "$two" -t $threads; done
within "$(value reads)" $((reads * 9 / 10)) $((reads * 11 / 10)) "number of reads"
agrees out.bam align chr20.wsi "$one" "$two" --sort --mark-duplicates --json out.json
agrees out.bam align chr20.wsi "$one" "$two" --compression-level 0
agrees out.cram align chr20.wsi "$one" "$two" --reference chr20.fa --sort
agrees out.paf align chr20.wsi "$one"
gzip --decompress --stdout "$one" >plain.fq
agrees out.bam align chr20.wsi plain.fq
equal "$(awk -F '\t' '$1 == "input-bytes" { print $2 }' table.tsv)" "$(stat -c %s plain.fq)" "bytes of the input"
within "$(value reads)" $((reads / 2 * 98 / 100)) $((reads / 2 * 102 / 100)) "number of reads of plain FASTQ"
cp out.bam in.bam
agrees out.bam align chr20.wsi in.bam
run "$WARPSEED" align chr20.wsi "$one" -o in.sam --quiet
agrees out.bam align chr20.wsi in.sam
within "$(value reads)" $((reads / 2 * 9 / 10)) $((reads / 2 * 11 / 10)) "number of reads of SAM"
awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' plain.fq >plain.fa
agrees out.sam align chr20.wsi plain.fa
# More reads than are in the pipeline at a time, and long ones.
for _ in 1 2 3 4 5 6 7 8; do cat plain.fq; done >many.fq
agrees out.bam align made.wsi many.fq -t 4
awk 'NR % 4 == 1 { i++; print "@long" i } NR % 4 == 2 { s = s $0 } NR % 4 == 3 { print substr(s, 1, 6000); print "+"; q = substr(s, 1, 6000); gsub(/./, "I", q); print q; s = substr(s, 1, 5950) } ' <(
  one_line made.fa | awk '!/^>/' | fold -w 2000 | awk '{ print "@x\n" $0 "\n+\n" }' | head -n 6000) | awk 'NF' >long.fq
agrees out.sam align made.wsi long.fq -t 2

# Sorted runs on disk: their size, seen when they begin to be merged. No read is there twice: sorted copies compress well.
{ cat plain.fq && gzip --decompress --stdout "$two"; } >both.fq
agrees out.bam align chr20.wsi both.fq --sort --sort-memory 4M
[ "$(value temporary-bytes)" -gt 0 ] || fail "sorting $(value reads) reads within 4M takes no disk"
for _ in 1 2 3 4 5 6 7 8; do cat both.fq; done >many.fq # more than is merged at once, no read twice in a run
run "$WARPSEED" align --estimate --quiet --backend cpu chr20.wsi many.fq -o out.bam --sort --sort-memory 4M >table.tsv
said=$(value temporary-bytes) size=0 before=-1 tries=0
mkdir runs
mkfifo out.fifo
"$WARPSEED" align chr20.wsi many.fq -o out.fifo --output-format bam --quiet --sort --sort-memory 4M --tmp-dir runs --backend cpu &
aligner=$!
exec 8<out.fifo # not read: the merge waits when the pipe is full
until [ "$size" -gt 0 ] && [ "$size" = "$before" ]; do
  before=$size size=0 tries=$((tries + 1))
  [ $tries -lt 100 ] || fail "no sorted runs that stay as large in runs"
  sleep 0.3
  for file in /proc/$aligner/fd/*; do
    case $(readlink "$file" 2>/dev/null || true) in
      *"/runs/"*) size=$((size + $(stat -L -c %s "$file"))) ;;
    esac
  done
done
cat <&8 >/dev/null
exec 8<&-
wait $aligner || fail "sorting in runs"
within "$size" $((said / 2)) $((2 * said)) "size of sorted runs"
agrees out.bam align chr20.wsi both.fq --sort --sort-memory 4G
equal "$(value temporary-bytes)" 0 "disk for sorting in memory"

# What is said: a note for what is compressed, units, and rough time that grows with the reads and shrinks with threads.
"$WARPSEED" align --estimate chr20.wsi "$one" "$two" >table.tsv 2>said.txt
contains said.txt 'R1.fastq.gz is compressed: what it holds is estimated'
equal "$(wc -l <said.txt)" 2 "notes on compressed files"
awk -F '\t' 'NF != 3 || $2 !~ /^[0-9]+$/' table.tsv >wrong.txt
[ ! -s wrong.txt ] || fail "not NAME, number, text: $(cat wrong.txt)"
equal "$(cut -f 1 table.tsv | tr '\n' ' ')" \
  "input-bytes reads bases memory-bytes device-memory-bytes output-bytes temporary-bytes disk-bytes seconds " "names"
contains table.tsv '^memory-bytes	[0-9]+	[0-9.]+ [MG]iB$'
"$WARPSEED" index --estimate chr20.fa >table.tsv 2>said.txt
[ ! -s said.txt ] || fail "a note for plain FASTA: $(cat said.txt)"
equal "$(cut -f 1 table.tsv | tr '\n' ' ')" \
  "input-bytes bases memory-bytes device-memory-bytes output-bytes temporary-bytes disk-bytes seconds " "names of index"

# What the run would reject is rejected.
expect_fail 2 'its size is not known before it is read; --estimate needs files' -- "$WARPSEED" index --estimate - -o out/x.wsi
expect_fail 2 'standard input: its size is not known' -- "$WARPSEED" align --estimate chr20.wsi -
expect_fail 2 'no such file' -- "$WARPSEED" align --estimate chr20.wsi none.fq
cp chr20.fa fasta.wsi
expect_fail 2 'not a warpseed index but FASTA' -- "$WARPSEED" align --estimate fasta.wsi "$one"
head -c 5000 chr20.wsi >short.wsi
expect_fail 2 'index file truncated' -- "$WARPSEED" align --estimate short.wsi "$one"
expect_fail 2 '--mark-duplicates compares' -- "$WARPSEED" align --estimate chr20.wsi "$one" --mark-duplicates
expect_fail 1 'sorting the suffixes takes at least' -- "$WARPSEED" index --estimate made.fa --memory 20M --backend cpu
: >empty.fq
run "$WARPSEED" align --estimate --quiet chr20.wsi empty.fq >table.tsv
equal "$(value output-bytes)" 0 "output of no reads"
[ $runs -ge 20 ] || fail "only $runs runs were compared"
report_failures
