#!/usr/bin/env bash
# How the index is held: --load reads it into the process, --map maps the file; the results are the same, and the process's
# memory map shows which it was.
. "$(dirname "$0")/lib.sh"

make_genome chr1:60000 >ref.fa
make_pairs ref.fa 500 some
run "$WARPSEED" index ref.fa -o ref.wsi --quiet
awk 'NR % 4 == 2 { print substr($0, 1, 20) }' some_1.fq >patterns.txt

run "$WARPSEED" align ref.wsi some_1.fq some_2.fq -o wanted.sam --quiet
without_pg wanted.sam >wanted.txt
for threads in 1 4; do
  for flag in --load --map; do
    run "$WARPSEED" align ref.wsi some_1.fq some_2.fq -o x.sam --quiet -t $threads $flag
    without_pg x.sam >x.txt
    same wanted.txt x.txt "align $flag -t $threads"
  done
  run "$WARPSEED" query ref.wsi patterns.txt --locate --quiet -t $threads -o wanted.tsv
  run "$WARPSEED" query ref.wsi patterns.txt --locate --quiet -t $threads -o x.tsv --load
  same wanted.tsv x.tsv "query --load -t $threads"
done
[ "$(wc -l <wanted.tsv)" -gt 400 ] || fail "the patterns are not found"

# is_mapped YES|NO COMMAND...: while it waits for its input, a fifo, the file is in its memory map, or is not.
mkfifo input.fifo
is_mapped() {
  local wanted=$1 tries=0 found=no
  shift
  "$@" --quiet -o out.txt &
  local process=$!
  exec 7>input.fifo
  # Threads start once the index is there: by then it is mapped or read.
  until grep --quiet 'ref\.wsi' /proc/$process/maps || [ $tries -eq 15 ]; do tries=$((tries + 1)) && sleep 0.1; done
  if grep --quiet 'ref\.wsi' /proc/$process/maps; then found=yes; fi
  exec 7>&-
  wait $process || fail "exit code $?: $*"
  equal "$found" "$wanted" "index in the memory map of $*"
}
is_mapped yes "$WARPSEED" align --map ref.wsi input.fifo
is_mapped no "$WARPSEED" align --load ref.wsi input.fifo
is_mapped yes "$WARPSEED" query ref.wsi input.fifo
is_mapped no "$WARPSEED" query --load ref.wsi input.fifo

expect_fail 2 '--load.*--map|--map.*--load' -- "$WARPSEED" align --load --map ref.wsi some_1.fq -o out/x.sam
# Memory that does not suffice is an error before anything is read; mapping takes address space as well, but no more.
truncate --size=3G large.wsi
expect_fail 1 'large.wsi: loading it needs about 3.00 GiB.*leave --load out' -- \
  bash -c 'ulimit -v 2000000; exec "$@"' - "$WARPSEED" query --load large.wsi patterns.txt -o out/x.tsv -t 1
report_failures
