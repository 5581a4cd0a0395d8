#!/usr/bin/env bash
# `query --mismatches` and `--edits`: all positions against bowtie, the columns against the genome, flags and errors.
. "$(dirname "$0")/lib.sh"
need bowtie bowtie-build

make_genome chr1:60000 chr2:9000 | sed '20s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/' >ref.fa
{
  printf '>repeat\n'
  awk 'BEGIN { for (i = 0; i < 60; i++) printf "ACGGTTCA"; print "GAATTCGAATTC" }'
} >>ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
one_line ref.fa >lines.fa
run bowtie-build -q ref.fa bowtie_index

# Pieces of both strands, most of them with some bases changed.
awk -v seed=$seed "$turned"'
  !/^>/ { all = all $0 }
  END {
    srand(seed)
    while (count < 400) {
      piece = substr(all, int(rand() * (length(all) - 60)) + 1, 10 + int(rand() * 40))
      if (piece ~ /N/) continue
      for (i = int(rand() * 4); i > 0; i--) {
        at = int(rand() * length(piece)) + 1
        piece = substr(piece, 1, at - 1) substr("ACGT", int(rand() * 4) + 1, 1) substr(piece, at + 1)
      }
      printf ">%d\n%s\n", ++count, rand() < 0.5 ? piece : turned(piece)
    }
  }' lines.fa >patterns.fa

# located FILE: pattern, contig, start and strand of each line, sorted.
located() { awk -F '\t' -v OFS='\t' '!/^#/ { print $1, $2, $3, $5 }' "$1" | LC_ALL=C sort; }

for k in 0 1 2 3; do
  run "$WARPSEED" query ref.wsi patterns.fa --mismatches $k --locate -q -o mismatches_$k.tsv
  located mismatches_$k.tsv >got.txt
  run bowtie -f -v $k -a -x bowtie_index patterns.fa 2>bowtie.err |
    awk -F '\t' -v OFS='\t' '{ print $1, $3, $4, $2 }' | LC_ALL=C sort >wanted.txt
  [ -s wanted.txt ] || fail "bowtie found nothing with $k mismatches"
  same got.txt wanted.txt "--mismatches $k against bowtie -v $k -a"
done

# Edits include mismatches: each occurrence with mismatches ends at most k bases from one with edits.
run "$WARPSEED" query ref.wsi patterns.fa --edits 2 --locate -q -o edits.tsv
awk -F '\t' '
  /^#/ { next }
  NR == FNR { ends[$1, $2, $5] = ends[$1, $2, $5] " " $4; next }
  {
    near = 0
    count = split(ends[$1, $2, $5], all, " ")
    for (i = 1; i <= count; i++) if (all[i] - $4 <= 2 && $4 - all[i] <= 2) near = 1
    if (!near) { print "pattern " $1 " at " $2 ":" $4; exit }
  }' edits.tsv mismatches_2.tsv >missing.txt
[ ! -s missing.txt ] || fail "--edits misses $(cat missing.txt)"

# CIGAR, differences and bases agree with pattern and genome.
check_columns() {
  awk -F '\t' "$turned"'
    FILENAME == "lines.fa" { if (/^>/) { sub(/^>/, ""); sub(/ .*/, ""); name = $0 } else text[name] = toupper($0); next }
    FILENAME == "patterns.fa" { if (/^>/) id = substr($0, 2); else pattern[id] = $0; next }
    /^#/ { next }
    {
      genome = substr(text[$2], $3 + 1, $4 - $3)
      if ($5 == "-") genome = turned(genome)
      p = g = 1; differences = 0; cigar = $7
      while (match(cigar, /^[0-9]+[=XID]/)) {
        n = substr(cigar, 1, RLENGTH - 1); op = substr(cigar, RLENGTH, 1); cigar = substr(cigar, RLENGTH + 1)
        a = substr(pattern[$1], p, n); b = substr(genome, g, n)
        if (op == "=" && a != b) bad = 1
        for (i = 1; op == "X" && i <= n; i++) if (substr(a, i, 1) == substr(b, i, 1)) bad = 1
        if (op != "=") differences += n
        if (op != "D") p += n
        if (op != "I") g += n
      }
      if (bad || cigar != "" || differences != $6 || genome != $8 || p - 1 != length(pattern[$1]) || g - 1 != length(genome)) {
        print; exit
      }
    }' lines.fa patterns.fa "$1" >wrong.txt
  [ ! -s wrong.txt ] || fail "$1: a line is wrong: $(cat wrong.txt)"
}
check_columns edits.tsv
check_columns mismatches_3.tsv

# Counts are those of the positions, in input order, and the column `total` repeats them.
run "$WARPSEED" query ref.wsi patterns.fa --edits 2 -q -o counts.tsv
awk -F '\t' -v OFS='\t' '!/^#/ { n[$1]++; with[$1, $6]++ }
  END { for (i = 1; i <= 400; i++) print i, n[i] + 0, with[i, 0] + 0, with[i, 1] + 0, with[i, 2] + 0 }' edits.tsv >wanted.txt
awk -F '\t' -v OFS='\t' '!/^#/ { print $1, $5, $6, $7, $8 }' counts.tsv >got.txt
same got.txt wanted.txt "counts with edits"

# --best, --max-hits and BED.
run "$WARPSEED" query ref.wsi patterns.fa --edits 2 --best --locate -q -o best.tsv
awk -F '\t' '/^#/ { next } !($1 in least) || $6 < least[$1] { least[$1] = $6 } { line[++lines] = $0; id[lines] = $1; d[lines] = $6 }
  END { for (i = 1; i <= lines; i++) if (d[i] == least[id[i]]) print line[i] }' edits.tsv | cut -f 1-8 >wanted.txt
grep -v '^#' best.tsv | cut -f 1-8 >got.txt
same got.txt wanted.txt "--best"
run "$WARPSEED" query ref.wsi patterns.fa --edits 2 --max-hits 1 --locate -o first.tsv
contains run.err 'patterns have more occurrences than --max-hits'
awk -F '\t' '!/^#/ && !seen[$1]++ { print $1 }' edits.tsv >wanted.txt
awk -F '\t' '!/^#/ { print $1 }' first.tsv >got.txt
same got.txt wanted.txt "--max-hits 1"
awk -F '\t' '/^#/ { next } NR == FNR { n[$1]++; next } $9 != n[$1] { print; exit }' edits.tsv first.tsv >wrong.txt
[ ! -s wrong.txt ] || fail "total of --max-hits: $(cat wrong.txt)"
run "$WARPSEED" query ref.wsi patterns.fa --edits 2 --locate --format bed -q -o edits.bed
awk -F '\t' -v OFS='\t' '!/^#/ { print $2, $3, $4, $1, $6, $5 }' edits.tsv >wanted.txt
same edits.bed wanted.txt "BED with differences"

# IUPAC letters, one strand, threads.
echo ACNGTYCAAC >iupac.txt
run "$WARPSEED" query ref.wsi iupac.txt --mismatches 0 --strand forward -q -o iupac.tsv
wanted=$(awk '!/^>/ { while (match($0, /AC[ACGT]GT[CT]CAAC/)) { n++; $0 = substr($0, RSTART + 1) } } END { print n }' lines.fa)
equal "$(awk '!/^#/ { print $5 }' iupac.tsv)" "$wanted" "IUPAC letters"
equal "$(awk '!/^#/ { print $4 }' iupac.tsv)" . "the strand that is not searched"
run "$WARPSEED" query ref.wsi patterns.fa --edits 2 --locate -q -t 1 -o one.tsv
run "$WARPSEED" query ref.wsi patterns.fa --edits 2 --locate -q -t 2 --load -o two.tsv
same one.tsv edits.tsv "query --edits -t 1"
same two.tsv edits.tsv "query --edits -t 2 --load"

# Mistakes.
expect_fail 2 'mismatches: .*9.* is no number from 0 to 8' -- "$WARPSEED" query ref.wsi patterns.fa --mismatches 9 -o out/x.tsv
expect_fail 2 'mismatches.* excludes .*edits|edits.* excludes .*mismatches' -- \
  "$WARPSEED" query ref.wsi patterns.fa --mismatches 1 --edits 1 -o out/x.tsv
expect_fail 2 '--best needs --mismatches or --edits' -- "$WARPSEED" query ref.wsi patterns.fa --best -o out/x.tsv
printf 'ACGTACGT\nACG\n' >short.txt
expect_fail 2 'short.txt: pattern 2, .ACG., has 3 bases, too few for 3 differences' -- "$WARPSEED" query ref.wsi short.txt --edits 3 -q -o out/x.tsv
report_failures
