#!/usr/bin/env bash
# Identical reads and pairs, against awk and sort.
. "$(dirname "$0")/lib.sh"

make_genome c1:3000 >ref.fa
make_pairs ref.fa 600 a
# Few places, so that reads recur; qualities and names differ, a lower-case copy counts as well.
awk -v seed=$seed 'BEGIN { srand(seed) }
  FNR == 1 { file++ } FNR % 4 == 2 { read[file, int(FNR / 4)] = $0; n = int(FNR / 4) + 1 }
  END {
    for (i = 0; i < 3000; i++) {
      from = int(rand() * rand() * n); swap = rand() < 0.3; low = rand() < 0.2
      for (mate = 1; mate <= 2; mate++) {
        s = read[swap ? 3 - mate : mate, from]; q = ""
        if (low) s = tolower(s)
        for (k = 0; k < length(s); k++) q = q sprintf("%c", 35 + int(rand() * 38))
        printf "@r%d c:%d\n%s\n+\n%s\n", i, mate, s, q > "in_" mate ".fq"
      }
    }
  }' a_1.fq a_2.fq
printf '@n1\nACGN\n+\nIIII\n@n2\nACGT\n+\nIIII\n@n3\nacgn\n+\nIIII\n@e\n\n+\n\n@short\nACG\n+\nIII\n' >>in_1.fq
printf '@n1\nA\n+\nI\n@n2\nA\n+\nI\n@n3\nA\n+\nI\n@e\n\n+\n\n@short\nTA\n+\nII\n' >>in_2.fq

# flat FILE [FILE2]: name, sequences with a tab between, qualities; a line a read or pair.
flat() { paste "$@" | awk -F '\t' -v OFS='\t' '
  NR % 4 == 1 { split($1, word, " "); name = substr(word[1], 2) }
  NR % 4 == 2 { key = NF == 2 ? $1 "/" $2 : $1 }
  NR % 4 == 0 { print name, key, $1 $2 }'; }
# collapsed KEY-FUNCTION: first, count, best and key, most frequent first, of what flat() gives.
collapsed() { awk -F '\t' -v OFS='\t' -v turn="$1" "$turned"'
  BEGIN { for (i = 33; i < 127; i++) ord[sprintf("%c", i)] = i }
  {
    key = toupper($2); other = key
    if (turn == "swap") { split(key, m, "/"); other = m[2] "/" m[1] } else if (turn == "turn") other = turned(key)
    if (!(key in count) && (other in count)) key = other
    sum = 0
    for (i = 1; i <= length($3); i++) sum += ord[substr($3, i, 1)]
    if (!(key in count)) { first[key] = NR; best[key] = -1; name[key] = $1 }
    count[key]++
    if (sum > best[key]) { best[key] = sum; chosen[key] = $1 }
  }
  END { for (key in count) print count[key], first[key], name[key], chosen[key], toupper(key) }' |
  LC_ALL=C sort -t "$(printf '\t')" -k1,1nr -k2,2n; }
# counts FASTQ: "count name" a record.
counts() { awk 'NR % 4 == 1 { sub(/^@/, "", $1); split($1, part, ";size="); print part[2], part[1] }' "$1"; }

# Single reads.
flat in_1.fq | collapsed none >wanted.txt
[ "$(awk '$1 > 1' wanted.txt | wc -l)" -gt 100 ] || fail "the made-up reads hardly recur"
run "$WARPSEED" collapse in_1.fq -q >best.fq
counts best.fq >got.txt
awk '{ print $1, $4 }' wanted.txt >names.txt
same got.txt names.txt "collapse"
run "$WARPSEED" collapse in_1.fq -q --representative first -o first.fq
counts first.fq >got.txt
awk '{ print $1, $3 }' wanted.txt >names.txt
same got.txt names.txt "collapse --representative first"
# What is written is a record of the input, but for the name's ending.
sed 's/;size=[0-9]*//' best.fq | paste - - - - | LC_ALL=C sort >got.txt
paste - - - - <in_1.fq | LC_ALL=C sort >all.txt
[ -z "$(LC_ALL=C comm -23 got.txt all.txt)" ] || fail "collapse writes records that are not in its input"

run "$WARPSEED" collapse in_1.fq -q --order input --min-count 2 >input.fq
counts input.fq >got.txt
sort -t "$(printf '\t')" -k2,2n wanted.txt | awk '$1 > 1 { print $1, $4 }' >names.txt
same got.txt names.txt "collapse --order input --min-count 2"
flat in_1.fq | collapsed turn >turned.txt
run "$WARPSEED" collapse in_1.fq -q --reverse-complement >turned.fq
counts turned.fq >got.txt
awk '{ print $1, $4 }' turned.txt >names.txt
same got.txt names.txt "collapse --reverse-complement"

# Pairs: two files, interleaved, swapped mates.
flat in_1.fq in_2.fq | collapsed none >wanted.txt
run "$WARPSEED" collapse in_1.fq in_2.fq -q -o out_1.fq -O out_2.fq
counts out_1.fq >got.txt
awk '{ print $1, $4 }' wanted.txt >names.txt
same got.txt names.txt "collapse of pairs"
counts out_2.fq >got.txt
same got.txt names.txt "collapse of pairs, second mates"
paste -d '\n' <(paste - - - - <in_1.fq) <(paste - - - - <in_2.fq) | tr '\t' '\n' >both.fq
paste -d '\n' <(paste - - - - <out_1.fq) <(paste - - - - <out_2.fq) | tr '\t' '\n' >wanted_both.fq
run "$WARPSEED" collapse -p both.fq -q >got_both.fq
same got_both.fq wanted_both.fq "collapse -p"
flat in_1.fq in_2.fq | collapsed swap >swapped.txt
[ "$(wc -l <swapped.txt)" -lt "$(wc -l <wanted.txt)" ] || fail "the made-up pairs have no swapped mates"
run "$WARPSEED" collapse in_1.fq in_2.fq -q --reverse-complement -o out_1.fq -O out_2.fq
counts out_1.fq >got.txt
awk '{ print $1, $4 }' swapped.txt >names.txt
same got.txt names.txt "collapse --reverse-complement of pairs"

# FASTA, tables, gzip, standard input, threads.
awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' in_1.fq >in.fa
run "$WARPSEED" collapse in.fa -q >got.fa
awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' first.fq >wanted.fa
same got.fa wanted.fa "collapse of FASTA"
run "$WARPSEED" collapse in_1.fq -q --format fasta --representative first >got.fa
same got.fa wanted.fa "collapse --format fasta"
run "$WARPSEED" collapse in_1.fq -q --format tsv >got.tsv
paste - - - - <best.fq | awk -F '\t' -v OFS='\t' 'BEGIN { print "#count", "sequence", "name" }
  { split($1, h, " "); split(substr(h[1], 2), part, ";size="); print part[2], $2, part[1] }' >wanted.tsv
same got.tsv wanted.tsv "collapse --format tsv"
run "$WARPSEED" collapse in_1.fq in_2.fq -q --format tsv >got.tsv
equal "$(head -n 1 got.tsv)" "$(printf '#count\tsequence1\tsequence2\tname')" "the header of a table of pairs"
tail -n +2 got.tsv | awk -F '\t' '{ print $1, $4, toupper($2 "/" $3) }' >got.txt
awk -F '\t' '{ print $1, $4, $5 }' wanted.txt >names.txt
same got.txt names.txt "collapse of pairs --format tsv"
gzip -c in_1.fq >in_1.fq.gz
run "$WARPSEED" collapse - -q <in_1.fq.gz >got.fq
same got.fq best.fq "collapse of gzip on standard input"
for threads in 1 2 3; do
  run "$WARPSEED" collapse in_1.fq -q -t $threads --backend cpu >got.fq
  same got.fq best.fq "collapse -t $threads"
done
run "$WARPSEED" collapse in_1.fq >/dev/null
contains run.err "3005 reads, $(($(wc -l <best.fq) / 4)) distinct"

# vsearch counts the same, where it is installed.
if command -v vsearch >/dev/null; then
  awk 'NR % 4 == 2 && length($0) == 100 { print ">" NR; print toupper($0) }' in_1.fq >long.fa
  run vsearch --fastx_uniques long.fa --fastaout theirs.fa --sizeout --fasta_width 0 --quiet
  run "$WARPSEED" collapse long.fa -q -o ours.fa
  for file in theirs ours; do
    paste - - <$file.fa | sed 's/.*size=//' | LC_ALL=C sort >$file.txt
  done
  same ours.txt theirs.txt "collapse beside vsearch"
fi

# Nothing in, nothing out; and what cannot be.
: >none.fq
run "$WARPSEED" collapse none.fq -q >none.out
[ ! -s none.out ] || fail "no reads, but output"
head -n 6 in_1.fq >cut.fq
expect_fail 2 'cut.fq.*r1.*file ends' -- "$WARPSEED" collapse cut.fq -q -o out/a.fq
expect_fail 2 'mates differ in name' -- "$WARPSEED" collapse in_1.fq a_2.fq -q -o out/a.fq -O out/b.fq
expect_fail 2 'qualities.*FASTQ' -- "$WARPSEED" collapse in.fa -q --format fastq -o out/a.fq
expect_fail 2 'second mates' -- "$WARPSEED" collapse in_1.fq -q -o out/a.fq -O out/b.fq
expect_fail 2 'both mates' -- "$WARPSEED" collapse in_1.fq in_2.fq -q --format tsv -o out/a.tsv -O out/b.tsv
expect_fail 2 'out/a.fq.*own' -- "$WARPSEED" collapse in_1.fq in_2.fq -q -o out/a.fq -O out/a.fq
expect_fail 2 'format' -- "$WARPSEED" collapse in_1.fq -q --format bam -o out/a.fq
expect_fail 2 'no such file' -- "$WARPSEED" collapse nowhere.fq -q -o out/a.fq
report_failures
