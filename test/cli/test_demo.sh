#!/usr/bin/env bash
# The demo's own steps on the program that is built: its files are whole and its summary is plausible.
. "$(dirname "$0")/lib.sh"
need samtools

run "$WARPSEED_SOURCE/share/demo.sh" demo_out >talk.txt
for file in chr20_9-11Mb.wsi NA12878.bam NA12878.bam.bai summary.txt; do
  [ -s demo_out/$file ] || fail "the demo made no $file"
  contains talk.txt "demo_out/$file"
done
contains talk.txt '(cpu|cuda:[0-9]+)'
samtools quickcheck demo_out/NA12878.bam
samtools view -c demo_out/NA12878.bam 20_9000001_11000000:1000001-1100000 >count.txt

figure() { sed -n "s/^$1 *[^0-9]*\\([0-9.]*\\).*/\\1/p" demo_out/summary.txt; }
equal "$(figure reads)" 42810 "reads in the summary"
not_above 98.9 "$(figure mapped)" "mapped %, wanted against found"
not_above 96 "$(figure 'properly paired')" "properly paired %, wanted against found"
not_above 380 "$(figure 'insert size')" "insert size, lower bound"
not_above "$(figure 'insert size')" 400 "insert size, upper bound"
contains demo_out/summary.txt '20:10\.0-10\.1 Mb +mean depth 4[0-9]\.'
[ "$(grep -c '^  20:10' demo_out/summary.txt)" -eq 14 ] || fail "not 14 exons in the summary"

# A second run replaces the first.
run "$WARPSEED_SOURCE/share/demo.sh" demo_out >talk.txt
