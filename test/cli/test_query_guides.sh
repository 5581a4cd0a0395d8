#!/usr/bin/env bash
# `query --pam`: all sites of guides against an awk scan, bulges, columns, scores, labels, flags and errors.
. "$(dirname "$0")/lib.sh"

# Two contigs, changed copies of the first one, and planted sites of a guide.
make_genome chr1:20000 chr2:9000 | sed '20s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/' >random.fa
one_line random.fa | awk -v seed=$seed "$turned"'
  { print }
  NR == 2 {
    srand(seed)
    for (copy = 1; copy <= 3; copy++) {
      changed = ""
      for (i = 1; i <= length($0); i++)
        changed = changed (rand() < 0.15 ? substr("ACGT", int(rand() * 4) + 1, 1) : substr($0, i, 1))
      print ">copy" copy; print copy == 2 ? turned(changed) : changed
    }
  }' >ref.fa
printf '>planted\n%s\n' \
  CCTCTGAGTCCGAGCAGAAGAAGAATGGCTCTCCTTAGTCCGAGCAGAAGAAGAAAAGCTCTCCTGAGTCCGAGCAGAACAAGAAAGGCTTCTCGAGTCCGAGTCAGAAGAAGAAGGGCTC >>ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
one_line ref.fa >lines.fa

# Guides from between the PAMs TTTV and NGG of both strands.
awk -v seed=$seed "$turned"'
  /^>copy/ { exit } /^>/ { next } { all = all $0 "N" turned($0) "N" }
  END {
    for (at = 1; at + 24 < length(all); at++) {
      piece = substr(all, at, 24)
      if (piece ~ /N/ || !(piece ~ /^TTT[ACG]/ || substr(piece, 22, 2) == "GG")) continue
      print substr(piece, piece ~ /^TTT[ACG]/ ? 5 : 1, 20)
      at += 200
    }
  }' lines.fa >guides.txt
echo GAGTCCGAGCAGAAGAAGAA >>guides.txt

# scan PAM LEFT: guide, contig, start, strand, mismatches of all sites with at most 6 mismatches; PAM a regular
# expression of the bases to the right of the guide, or to its left with LEFT = 1; of as many bases as WIDTH.
scan() {
  awk -v OFS='\t' -v pam="$1" -v width="$2" -v left="$3" "$turned"'
    FILENAME == "guides.txt" { guides[++count] = $0; next }
    /^>/ { name = substr($0, 2); sub(/ .*/, "", name); next }
    {
      for (strand = 0; strand < 2; strand++) {
        text = strand ? turned($0) : $0
        for (at = 1; at + 19 + width <= length(text); at++) {
          if (substr(text, left ? at : at + 20, width) !~ "^" pam "$") continue
          site = substr(text, left ? at + width : at, 20)
          if (site ~ /N/) continue
          for (g = 1; g <= count; g++) {
            mismatches = 0
            for (i = 1; i <= 20 && mismatches <= 6; i++) mismatches += substr(site, i, 1) != substr(guides[g], i, 1)
            if (mismatches > 6) continue
            print guides[g], name, strand ? length(text) - at + 1 - 20 - width : at - 1, strand ? "-" : "+", mismatches
          }
        }
      }
    }' guides.txt lines.fa | LC_ALL=C sort -u
}

# A guide that is given twice has its lines twice; compared as sets.
located() { awk -F '\t' -v OFS='\t' '!/^#/ { print $1, $2, $3, $5, $6 }' "$1" | LC_ALL=C sort -u; }

run "$WARPSEED" query ref.wsi guides.txt --pam NGG --mismatches 6 --locate -q -o sites.tsv
scan '[ACGT]GG' 3 0 >wanted.txt
[ "$(wc -l <wanted.txt)" -gt 100 ] || fail "the scan found too little"
located sites.tsv >got.txt
same got.txt wanted.txt "--pam NGG against a scan"
run "$WARPSEED" query ref.wsi guides.txt --pam-5 tttv --mismatches 6 --locate -q -o left.tsv
scan 'TTT[ACG]' 4 1 >wanted.txt
located left.tsv >got.txt
same got.txt wanted.txt "--pam-5 TTTV against a scan"

# Columns of sites: mismatches in lower case, gaps, scores of the published calculators' examples.
awk -F '\t' '
  /^#/ { if ($10 != "bulges" || $13 != "mit" || NF != 14) { print "header: " $0; exit } next }
  {
    lower = gsub(/[acgt]/, "&", $12)
    if (lower != $6 || $11 != $1 "NGG" || length($12) != 23 || toupper($12) != $8) { print; exit }
  }' sites.tsv >wrong.txt
[ ! -s wrong.txt ] || fail "columns of guides: $(cat wrong.txt)"
site() { awk -F '\t' -v start="$2" '$2 == "planted" && $3 == start { print $12, $13, $14 }' "$1"; }
equal "$(site sites.tsv 5)" "GAGTCCGAGCAGAAGAAGAATGG 100.000 1.0000" "the site of a guide"
equal "$(site sites.tsv 65 | cut -d ' ' -f 1)" "GAGTCCGAGCAGAAcAAGAAAGG" "a site with a mismatch"
equal "$(site sites.tsv 65 | cut -d ' ' -f 2)" "26.800" "the MIT score, 100 * (1 - 0.732)"
equal "$(site sites.tsv 35)" "" "a site with another PAM"
run "$WARPSEED" query ref.wsi guides.txt --pam NRG --mismatches 1 --locate -q -o nrg.tsv
equal "$(site nrg.tsv 35)" "tAGTCCGAGCAGAAGAAGAAAAG 100.000 0.2593" "a site with NAG"

# Bulges: the planted sites of the last guide; all sites without bulges are among those with them.
tail -n 1 guides.txt >last.txt
run "$WARPSEED" query ref.wsi last.txt --pam NGG --mismatches 0 --bulges 1 --locate -q -o bulges.tsv
equal "$(awk -F '\t' '$2 == "planted" && $10 == 1 { print $3, $7, $11, $12, $13, $14 }' bulges.tsv)" \
  "94 9=1D14= GAGTCCGAG-CAGAAGAAGAANGG GAGTCCGAGTCAGAAGAAGAAGGG . ." "a DNA bulge"
echo GAGTCCGAGCAGAAGACAGAA >longer.txt
run "$WARPSEED" query ref.wsi longer.txt --pam NGG --mismatches 0 --bulges 1 --locate -q -o bulges.tsv
equal "$(awk -F '\t' '$2 == "planted" { print $3, $7, $11, $12 }' bulges.tsv)" \
  "5 16=1I7= GAGTCCGAGCAGAAGACAGAANGG GAGTCCGAGCAGAAGA-AGAATGG" "an RNA bulge"
run "$WARPSEED" query ref.wsi guides.txt --pam NGG --mismatches 4 --locate -q -o four.tsv
run "$WARPSEED" query ref.wsi guides.txt --pam NGG --mismatches 4 --bulges 2 --locate -q -o two_bulges.tsv
end_of() { awk -F '\t' -v OFS='\t' '!/^#/ { print $1, $2, $5 == "+" ? $4 : $3, $5 }' "$1" | LC_ALL=C sort -u; }
end_of four.tsv >four.txt
end_of two_bulges.tsv >two_bulges.txt
equal "$(LC_ALL=C comm -23 four.txt two_bulges.txt | wc -l)" 0 "sites without bulges that --bulges 2 misses"
[ "$(wc -l <two_bulges.txt)" -gt "$(wc -l <four.txt)" ] || fail "--bulges 2 finds no more"

# Edits next to the PAM: gaps of a guide, columns that agree, and no site with mismatches only that is further than four
# bases from one with edits.
cat last.txt longer.txt >both.txt
run "$WARPSEED" query ref.wsi both.txt --pam NGG --edits 1 --locate -q -o edits.tsv
equal "$(awk -F '\t' '$2 == "planted" && $10 == 1 { print $3, $7, $11, $12, $13 }' edits.tsv)" \
  "94 9=1D14= GAGTCCGAG-CAGAAGAAGAANGG GAGTCCGAGTCAGAAGAAGAAGGG .
5 16=1I7= GAGTCCGAGCAGAAGACAGAANGG GAGTCCGAGCAGAAGA-AGAATGG ." "guides with a gap"
run "$WARPSEED" query ref.wsi guides.txt --pam NGG --edits 4 --locate -q -o edits.tsv
awk -F '\t' '!/^#/ {
  cigar = $7; edits = 0
  while (match(cigar, /[0-9]+[=XID]/)) {
    if (substr(cigar, RSTART + RLENGTH - 1, 1) != "=") edits += substr(cigar, RSTART, RLENGTH - 1)
    cigar = substr(cigar, RSTART + RLENGTH)
  }
  if (edits != $6 || $12 !~ /[ACGT]GG$/) { print; exit }
}' edits.tsv >wrong.txt
[ ! -s wrong.txt ] || fail "--pam NGG --edits: $(cat wrong.txt)"
awk -F '\t' '/^#/ { next }
  NR == FNR { for (i = -4; i <= 4; ++i) near[$1, $2, $5, $4 + i] = 1; next }
  !(($1, $2, $5, $4) in near) { print; exit }' edits.tsv four.tsv >wrong.txt
[ ! -s wrong.txt ] || fail "--edits misses a site with mismatches: $(cat wrong.txt)"
run "$WARPSEED" query ref.wsi guides.txt --pam-5 TTTV --edits 0 --locate -q -o no_edits.tsv
run "$WARPSEED" query ref.wsi guides.txt --pam-5 TTTV --mismatches 0 --locate -q -o no_mismatches.tsv
same no_edits.tsv no_mismatches.tsv "--pam-5 without differences"

# Counts of guides, and their specificity from the scores of all sites but the target's.
run "$WARPSEED" query ref.wsi last.txt --pam NGG --mismatches 4 -q -o counts.tsv
awk -F '\t' '!/^#/ && $1 == "GAGTCCGAGCAGAAGAAGAA" { n[$6]++; if ($6 > 0) { mit += $13; cfd += 100 * $14 } }
  END { printf "%d %d %d %d %d %.1f %.1f\n", n[0], n[1], n[2], n[3], n[4], 10000 / (100 + mit), 10000 / (100 + cfd) }' \
  four.tsv >wanted.txt
awk -F '\t' '!/^#/ { printf "%d %d %d %d %d %.1f %.1f\n", $6, $7, $8, $9, $10, $11, $12 }' counts.tsv >got.txt
same got.txt wanted.txt "counts and specificity"

# Labels.
printf 'planted\t0\t30\tEMX1\nplanted\t90\t100\tOTHER\n' >genes.bed
run "$WARPSEED" query ref.wsi last.txt --pam NGG --mismatches 1 --locate --annotation genes.bed --allow-missing -q -o labels.tsv
equal "$(awk -F '\t' '/^#/ { print $15, $18 } $3 == 5 { print $15, $17, $18, $21, $22 }' labels.tsv)" \
  $'coding genes\n23 0 EMX1 OTHER 62' "labels of a site"

# Threads and the order of patterns.
run "$WARPSEED" query ref.wsi guides.txt --pam NGG --mismatches 4 --bulges 2 --locate -q -t 1 -o one.tsv
same one.tsv two_bulges.tsv "guides -t 1"

# Mistakes.
sed 's/$/AGG/' guides.txt >with_pam.txt
run "$WARPSEED" query ref.wsi with_pam.txt --pam NGG --mismatches 1 -o with_pam.tsv
contains run.err 'warning: all patterns end or begin with bases of the PAM'
expect_fail 2 'pam needs --mismatches or --edits' -- "$WARPSEED" query ref.wsi guides.txt --pam NGG -o out/x.tsv
expect_fail 2 'bulges.* requires .*mismatches' -- "$WARPSEED" query ref.wsi guides.txt --bulges 1 --edits 2 -o out/x.tsv
expect_fail 2 'pam .NXG.: .X. is no IUPAC code' -- "$WARPSEED" query ref.wsi guides.txt --pam nxg --mismatches 1 -o out/x.tsv
expect_fail 2 'bulges: .3. is no number from 0 to 2' -- \
  "$WARPSEED" query ref.wsi guides.txt --bulges 3 --mismatches 1 -o out/x.tsv
expect_fail 2 'annotation labels positions; add --locate' -- \
  "$WARPSEED" query ref.wsi guides.txt --annotation genes.bed --mismatches 1 -o out/x.tsv
expect_fail 2 'genome-iupac: an index holds A, C, G, T and N only' -- \
  "$WARPSEED" query ref.wsi guides.txt --genome-iupac -o out/x.tsv
printf 'unknown\t0\t30\tEMX1\n' >other.bed
expect_fail 2 'other.bed:1: no sequence is called .unknown' -- "$WARPSEED" query ref.wsi last.txt --pam NGG \
  --mismatches 1 --locate --annotation other.bed -q -o out/x.tsv
printf 'ACGTA\n' >short.txt
expect_fail 2 'short.txt: pattern 1, .*has 5 bases, too few for 2 differences and 2 bulges' -- \
  "$WARPSEED" query ref.wsi short.txt --mismatches 2 --bulges 2 -q -o out/x.tsv
report_failures
