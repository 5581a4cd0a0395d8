#!/usr/bin/env bash
# share/bench/whole_genome.sh with a tiny genome: reads streamed through pipes, sorted, duplicates marked, checked. And
# check_alignments itself: what it finds in output that is not as it should be.
. "$(dirname "$0")/lib.sh"
programs=$(dirname "$WARPSEED")
whole_genome=$WARPSEED_SOURCE/share/bench/whole_genome.sh
[ -x "$programs/check_alignments" ] || fail "$programs/check_alignments is not built"

run timeout 120 "$whole_genome" --bases 600000 --coverage 10 --threads 2 --keep dir >table.txt
run grep -q '^each read once  *yes  ok$' table.txt
if grep FAILED table.txt; then fail "whole_genome.sh passes with a check that failed"; fi
[ "$(cat dir/pairs.txt)" = 20000 ] || fail "coverage 10 of 600,000 bases: $(cat dir/pairs.txt) pairs of 2 x 150"

# The same reads from files: same bytes, for any number of threads, and for interleaved mates.
reads=(--coverage 10 --duplicates 0.1 --bin-qualities --qualities "$demo"/NA12878_chr20_10.0-10.1Mb_R[12].fastq.gz)
run "$programs/generate_reads" dir/ref.wsi "${reads[@]}" --threads 1 -1 1.fq -2 2.fq
run "$programs/generate_reads" dir/ref.wsi "${reads[@]}" --threads 3 -1 - >both.fq
paste -d '\n' <(paste - - - - <1.fq) <(paste - - - - <2.fq) | tr '\t' '\n' >interleaved.fq
same both.fq interleaved.fq "interleaved mates, three threads"
run "$WARPSEED" align dir/ref.wsi -1 1.fq -2 2.fq --sort --mark-duplicates -o files.bam -t 2 --quiet
copies=$(grep -c '^@.*x[0-9a-f]*/1$' 1.fq)
[ $((copies / 400)) = 4 ] || [ $((copies / 400)) = 5 ] || fail "$copies duplicates of 20,000 pairs, wanted a tenth"

# A pipe whose other end is opened late, or after the first one has ended.
mkfifo p1 p2
for pairs in 0 3 20000; do
  "$programs/generate_reads" dir/ref.wsi --pairs $pairs -1 p1 -2 p2 2>/dev/null &
  got=$(timeout 60 wc -l <p1)
  second=$(timeout 60 wc -l <p2)
  wait $! || fail "generate_reads to pipes, $pairs pairs"
  [ "$got $second" = "$((4 * pairs)) $((4 * pairs))" ] || fail "pipes of $pairs pairs: $got and $second lines"
done

# What fails ends the script, whoever waits for it at the other end of a pipe.
for wrong in "--steps align --reads --nonsense dir" "--steps align dir -- --nonsense" "--steps index --bases 5 other"; do
  # shellcheck disable=SC2086 # options are words
  if timeout 60 "$whole_genome" --threads 2 $wrong >wrong.txt 2>&1; then fail "whole_genome.sh $wrong succeeds"; fi
  grep -Eq 'nonsense|--contigs' wrong.txt || fail "whole_genome.sh $wrong does not say why: $(cat wrong.txt)"
done
expect_fail 1 'empty/ref.wsi is missing; do the step index first' -- "$whole_genome" --steps check empty
expect_fail 1 'generate_reads: error: .*--qualities' -- \
  "$programs/generate_reads" dir/ref.wsi --error quality -1 out/1.fq -2 out/2.fq
expect_fail 1 "the character '~' among base qualities" -- \
  "$programs/generate_reads" dir/ref.wsi --qualities <(printf '@a\nACGT\n+\nIII~\n') -1 out/1.fq -2 out/2.fq

if ! command -v samtools >/dev/null; then
  report_failures
  echo "skipped: damaged output, without samtools (share/setup.sh --judges installs it)"
  exit 0
fi
samtools view -h files.bam >files.sam
samtools view -h dir/out.bam | grep -v '^@PG' | cmp - <(grep -v '^@PG' files.sam) || fail "other records through pipes"

# damaged WHAT AWK: check_alignments names WHAT in records changed by AWK.
damaged() {
  awk -F '\t' -v OFS='\t' "$2" files.sam | samtools sort -o damaged.bam --write-index -
  if "$programs/check_alignments" damaged.bam --pairs 20000 -t 2 >damaged.txt 2>&1; then
    fail "check_alignments passes: $1"
  fi
  grep -Eq "^$1 .*FAILED" damaged.txt || fail "check_alignments does not complain about $1: $(grep FAILED damaged.txt)"
}
damaged 'reads \(primary records\)' '!/^@/ && !gone++ { next } { print }'
damaged 'each read once' '!/^@/ && !named++ { name = $1 } name != "" && !/^@/ && NR % 97 == 0 { $1 = name } { print }'
damaged 'with more than one not marked' '!/^@/ && $2 >= 1024 && !done++ { $2 -= 1024 } { print }'
damaged 'with none not marked' '!/^@/ && $2 < 1024 && !done++ { $2 += 1024 } { print }'
damaged 'marked, pairs' '!/^@/ && $2 >= 1024 { $2 -= 1024 } { print }'
damaged 'where they came from' '!/^@/ && $4 > 0 { $4 += 50; $8 += 50 } { print }'
damaged 'of these elsewhere' '!/^@/ && $5 == 60 && NR % 100 == 0 { $4 += 50 } { print }'
damaged 'records with flags of no pair' '!/^@/ && !done++ { $2 = $2 % 64 + 192 } { print }'
damaged 'proper first mates, twice' '!/^@/ && $2 == 99 && !done++ { $2 = 97 } { print }'
report_failures
