#!/usr/bin/env bash
# `query`: counts and places against a search by awk, both strands, every kind of pattern file.
. "$(dirname "$0")/lib.sh"

# Short contigs with an N run, a repeat and a palindrome, so that short patterns occur in many places.
{
  make_genome chr1:4000 chr2:1000 | sed '20s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/'
  printf '>repeat\n'
  awk 'BEGIN { for (i = 0; i < 40; i++) printf "ACGGT"; print "GAATTCGAATTC" }'
} >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
one_line ref.fa >lines.fa

# Patterns: pieces of the text on both strands, pieces across N and contig borders, letters at random, one with N,
# lower case, palindromes, single letters, other IUPAC letters.
awk -v seed=$seed "$turned"'
  !/^>/ { all = all $0 }
  END {
    srand(seed)
    for (i = 0; i < 150; i++) {
      piece = substr(all, int(rand() * (length(all) - 40)) + 1, int(rand() * 38) + 1)
      print (i % 3 == 0 ? turned(piece) : i % 3 == 1 ? piece : substr(piece, 1, length(piece) - 1) "A")
    }
    print "A"; print "T"; print "N"; print "GAATTC"; print "gaattc"; print "ACGGTACGGT"; print "ACNGT"; print "acrGGTy"; print "SSWSAK"
  }' lines.fa >patterns.txt

# The oracle: pattern number, contig, 0-based start, strand of every occurrence, a palindrome on both strands.
brute_force() {
  awk "$turned"'
    # The regular expression of a pattern.
    function meaning(s,  i, letter, all) {
      for (i = 1; i <= length(s); i++) {
        letter = substr(s, i, 1)
        all = all (letter in stands_for ? "[" stands_for[letter] "]" : letter)
      }
      return all
    }
    function search(n, s, strand,  c, from, rest) {
      for (c = 1; c <= contigs; c++)
        for (from = 1; match(rest = substr(text[c], from), s); from += RSTART)
          print n, name[c], from + RSTART - 2, strand
    }
    BEGIN {
      OFS = "\t"
      stands_for["N"] = "ACGT"; stands_for["R"] = "AG"; stands_for["Y"] = "CT"; stands_for["S"] = "CG"
      stands_for["W"] = "AT"; stands_for["K"] = "GT"; stands_for["M"] = "AC"
    }
    FNR == NR && /^>/ { name[++contigs] = substr($1, 2); next }
    FNR == NR { text[contigs] = $0; next }
    { s = toupper($0); search(FNR, meaning(s), "+"); search(FNR, meaning(turned(s)), "-") }' lines.fa patterns.txt
}
brute_force | LC_ALL=C sort >wanted.txt

# As FASTA, so that the output's names are the patterns' numbers.
awk '{ print ">" NR "\n" $0 }' patterns.txt >patterns.fa
awk '{ q = $0; gsub(/./, "I", q); print "@" NR "\n" $0 "\n+\n" q }' patterns.txt >patterns.fq

# Places. Columns by name from the header line, so that a column more does not break the test.
column() {
  awk -F '\t' -v wanted="$2" '
    NR == 1 { sub(/^#/, ""); for (i = 1; i <= NF; i++) place[$i] = i; n = split(wanted, want, ","); next }
    { for (i = 1; i <= n; i++) printf "%s%s", $place[want[i]], i < n ? "\t" : "\n" }' "$1"
}
run "$WARPSEED" query ref.wsi patterns.fa --locate -q >located.tsv
column located.tsv pattern,contig,start,strand | LC_ALL=C sort >got.txt
same got.txt wanted.txt "query --locate"

# Input order, and the same from every kind of pattern file.
column located.tsv pattern | uniq >order.txt
sort -n -u order.txt | cmp - order.txt || fail "query does not keep the order of the patterns"
run "$WARPSEED" query ref.wsi patterns.fq --locate -q >from_fastq.tsv
same from_fastq.tsv located.tsv "patterns as FASTQ"
gzip -c patterns.fa >patterns.fa.gz
run "$WARPSEED" query ref.wsi patterns.fa.gz --locate -q >from_gzip.tsv
same from_gzip.tsv located.tsv "patterns as gzip"
run "$WARPSEED" query ref.wsi - --locate -q <patterns.fa >from_stdin.tsv
same from_stdin.tsv located.tsv "patterns from standard input"
run "$WARPSEED" query ref.wsi patterns.fa --locate -q -t 1 -o one_thread.tsv
run "$WARPSEED" query ref.wsi patterns.fa --locate -q -t 2 -o two_threads.tsv
same one_thread.tsv located.tsv "query -t 1 -o"
same two_threads.tsv located.tsv "query -t 2 -o"

# One pattern a line: counts in input order.
run "$WARPSEED" query ref.wsi patterns.txt -q >counts.tsv
column counts.tsv total >got_counts.txt
awk -v lines="$(wc -l <patterns.txt)" '{ n[$1]++ } END { for (i = 1; i <= lines; i++) print n[i] + 0 }' wanted.txt >wanted_counts.txt
same got_counts.txt wanted_counts.txt "query, counts"

# One strand alone.
for strand in forward:+ reverse:-; do
  run "$WARPSEED" query ref.wsi patterns.fa --locate --strand "${strand%:*}" -q >strand.tsv
  column strand.tsv pattern,contig,start,strand | LC_ALL=C sort >got.txt
  awk -F '\t' -v s="${strand#*:}" '$4 == s' wanted.txt >one_strand.txt
  same got.txt one_strand.txt "query --strand ${strand%:*}"
done

# --max-hits bounds the places of each pattern, and each of them is a true one.
run "$WARPSEED" query ref.wsi patterns.fa --locate --max-hits 5 -q >bounded.tsv
column bounded.tsv pattern,contig,start,strand | LC_ALL=C sort >got.txt
LC_ALL=C comm -23 got.txt wanted.txt >untrue.txt
[ ! -s untrue.txt ] || fail "--max-hits gives places that are none: $(head -n 1 untrue.txt)"
cut -f 1 wanted.txt | sort | uniq -c | awk '{ print $2, ($1 < 5 ? $1 : 5) }' | sort >wanted_numbers.txt
cut -f 1 got.txt | sort | uniq -c | awk '{ print $2, $1 }' | sort >numbers.txt
same numbers.txt wanted_numbers.txt "query --max-hits 5"

# BED: half-open, the pattern's name in column 4, its strand in column 6.
run "$WARPSEED" query ref.wsi patterns.fa --locate --format bed -q >located.bed
awk -F '\t' -v OFS='\t' 'NR == FNR { size[FNR] = length($0); next } $3 - $2 != size[$4] { exit 1 } { print $4, $1, $2, $6 }' \
  patterns.txt located.bed | LC_ALL=C sort >got.txt
same got.txt wanted.txt "query --format bed"

# Nothing in, nothing out.
: >none.txt
run "$WARPSEED" query ref.wsi none.txt -q >none.tsv
[ "$(grep -vc '^#\|pattern' none.tsv || true)" -eq 0 ] || fail "no patterns, but lines of output"
