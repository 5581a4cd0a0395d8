#!/usr/bin/env bash
# `overlap`: pairs against awk, the same bytes from every kind of input and any number of threads, and outputs that
# agree with one another.
. "$(dirname "$0")/lib.sh"
need samtools

# A query of pieces of the targets, some turned round, some with a letter changed; N runs on both sides.
{
  make_genome chr1:20000 chr2:6000 | sed '50s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/'
  printf '>units\n'
  awk 'BEGIN { for (i = 0; i < 30; i++) printf "ACGGT"; print "GAATTCGAATTC" }'
} >targets.fa
one_line targets.fa | awk -v seed=$seed "$turned"'
  !/^>/ { text[++n] = $0 }
  END {
    srand(seed)
    for (q = 1; q <= 5; q++) {
      s = ""
      for (i = 0; i < 25; i++) {
        c = int(rand() * n) + 1
        piece = substr(text[c], int(rand() * (length(text[c]) - 100)) + 1, int(rand() * 200) + 10)
        if (rand() < 0.5) piece = turned(piece)
        s = s piece (i == 12 ? "NNN" : rand() < 0.5 ? "A" : "")
      }
      print ">q" q "\n" s
    }
  }' >queries.fa

overlap() { run "$WARPSEED" overlap "$@" -q; }

# Pairs: places at random on both strands, mostly on one diagonal of equal letters, on N, at both ends.
one_line targets.fa >target_lines.fa
one_line queries.fa >query_lines.fa
overlap matches targets.fa queries.fa --min-length 12 -o all.tsv
overlap mems targets.fa queries.fa --min-length 12 -o by_alias.tsv
same by_alias.tsv all.tsv "mode mems"
[ "$(wc -l <all.tsv)" -gt 100 ] || fail "the made-up sequences have hardly a match"
awk -F '\t' -v OFS='\t' -v seed=$seed '
  BEGIN { srand(seed) }
  FNR == 1 { file++ }
  file <= 2 && /^>/ { split(substr($1, 2), word, " "); name[file, ++count[file]] = word[1]; next }
  file <= 2 { size[file, count[file]] = length($0); next }
  FNR > 1 && rand() < 0.5 {  # within a match, from either strand
    from = int(rand() * $8); back = $8 - 1 - from
    print $1, $2 + from, "+", $4, $7 == "+" ? $5 + from : $6 - 1 - from, $7
    print $1, $2 + from, "-", $4, $7 == "+" ? $5 + from : $6 - 1 - from, $7 == "+" ? "-" : "+"
  }
  END {
    for (i = 0; i < 200; i++) {
      t = int(rand() * count[1]) + 1; q = int(rand() * count[2]) + 1
      print name[1, t], int(rand() * size[1, t]), rand() < 0.5 ? "+" : "-",
        name[2, q], int(rand() * size[2, q]), rand() < 0.5 ? "+" : "-"
    }
    print "chr1", 0, "-", "q1", 0, "-"
    print "chr1", 19999, "+", "q1", size[2, 1] - 1, "+"
    print "chr1", 2900, "+", "q1", 0, "+"  # on N
    print "chr1", 2900, "-", "q1", 0, "-"
  }' target_lines.fa query_lines.fa all.tsv >places.tsv
awk -F '\t' -v OFS='\t' '
  function base(s, at, strand,  letter) {
    letter = substr(s, at + 1, 1)
    return strand == "+" ? letter : substr("TGCAN", index("ACGTN", letter), 1)
  }
  FNR == 1 { file++ }
  file <= 2 && /^>/ { split(substr($1, 2), word, " "); name = word[1]; next }
  file <= 2 { text[file, name] = $0; next }
  {
    t = $2; q = $5
    for (n = 0;; n++) {
      a = base(text[1, $1], t, $3); b = base(text[2, $4], q, $6)
      if (t < 0 || q < 0 || a != b || a == "N" || a == "") break
      t += $3 == "+" ? 1 : -1; q += $6 == "+" ? 1 : -1
    }
    print $0, n
  }' target_lines.fa query_lines.fa places.tsv >wanted.tsv
[ "$(awk -F '\t' '$7 > 20' wanted.tsv | wc -l)" -gt 50 ] || fail "hardly a pair of places agrees far"
overlap pairs targets.fa queries.fa --table places.tsv -o pairs.tsv
head -n 1 pairs.tsv
grep -v '^#' pairs.tsv >got.tsv
same got.tsv wanted.tsv "overlap pairs"

# The table in other clothes: a header line, comments, CRLF, no last line end, gzip, standard input.
{
  printf 'target\tat\ton\tquery\tat\ton\n# said\n\n'
  sed 's/$/\r/' places.tsv
  printf '\n'
} | head -c -1 >dressed.tsv
overlap pairs targets.fa queries.fa --table dressed.tsv -o dressed_pairs.tsv
same dressed_pairs.tsv pairs.tsv "overlap pairs, a table with a header"
gzip -c places.tsv >places.tsv.gz
overlap pairs targets.fa queries.fa --table places.tsv.gz >gzip_pairs.tsv
same gzip_pairs.tsv pairs.tsv "overlap pairs, a table in gzip"
overlap pairs targets.fa queries.fa --table - <places.tsv >stdin_pairs.tsv
same stdin_pairs.tsv pairs.tsv "overlap pairs, a table from standard input"
awk -F '\t' '$3 == "+" && $6 == "+"' places.tsv >forward.tsv
overlap pairs targets.fa queries.fa --table forward.tsv --strand forward | grep -v '^#' >got.tsv
awk -F '\t' '$3 == "+" && $6 == "+"' wanted.tsv >wanted_forward.tsv
same got.tsv wanted_forward.tsv "overlap pairs --strand forward"
# What overlap wrote it takes as a table; within one set; nothing.
cut -f 1-6 pairs.tsv >again.tsv
overlap pairs targets.fa queries.fa --table again.tsv >again_pairs.tsv
same again_pairs.tsv pairs.tsv "overlap pairs of its own output"
printf 'chr1\t0\t+\tchr1\t0\t+\nchr2\t0\t+\tchr2\t5999\t-\n' >own.tsv
overlap pairs targets.fa --table own.tsv >own_pairs.tsv
equal "$(cut -f 7 own_pairs.tsv | sed -n 2p)" 2880 "a place with itself, up to the N run"
: >none.tsv
overlap pairs targets.fa queries.fa --table none.tsv >none_pairs.tsv
equal "$(wc -l <none_pairs.tsv)" 1 "lines for no pairs"

# The same bytes: threads, gzip, standard input, an index in place of FASTA.
run "$WARPSEED" index targets.fa -o targets.wsi -q
run "$WARPSEED" index queries.fa -o queries.wsi -q
gzip -c targets.fa >targets.fa.gz
gzip -c queries.fa >queries.fa.gz
for mode in "matches --min-length 8" "matches --min-length 8 --unique" "longest --ties" "pairs --table places.tsv"; do
  # shellcheck disable=SC2206 # words
  what=($mode)
  overlap "${what[0]}" targets.fa queries.fa "${what[@]:1}" -t 1 -o wanted.tsv
  overlap "${what[0]}" targets.fa queries.fa "${what[@]:1}" -t 4 -o got.tsv
  same got.tsv wanted.tsv "overlap $mode -t 4"
  overlap "${what[0]}" targets.wsi queries.wsi "${what[@]:1}" -o got.tsv
  same got.tsv wanted.tsv "overlap $mode, indices"
  overlap "${what[0]}" targets.fa.gz queries.fa.gz "${what[@]:1}" -o got.tsv
  same got.tsv wanted.tsv "overlap $mode, gzip"
  overlap "${what[0]}" - queries.fa "${what[@]:1}" -o - <targets.fa >got.tsv
  same got.tsv wanted.tsv "overlap $mode, standard input and output"
done
overlap matches targets.fa --self --min-length 8 -t 1 >wanted.tsv
overlap matches targets.wsi --self --min-length 8 -t 4 >got.tsv
same got.tsv wanted.tsv "overlap matches --self"
for n in 1 2 3 4 5; do awk -v n=$n '/^>/ { on = ++i == n } on' queries.fa >"query_$n.fa"; done
overlap matches targets.fa query_[1-5].fa --min-length 12 >got.tsv
same got.tsv all.tsv "overlap matches with a file for each query"

# All formats tell of the same regions.
body() { awk -F '\t' -v OFS='\t' '!/^#/ { print $1, $2, $3, $4, $5, $6, $7 }' all.tsv | LC_ALL=C sort; }
body >wanted.txt
overlap matches targets.fa queries.fa --min-length 12 --format bed |
  awk -F '\t' -v OFS='\t' '{ split($4, q, /[:-]/); print $1, $2, $3, q[1], q[2], q[3], $6 }' | LC_ALL=C sort >got.txt
same got.txt wanted.txt "--format bed"
overlap matches targets.fa queries.fa --min-length 12 --format bed-query |
  awk -F '\t' -v OFS='\t' '{ split($4, t, /[:-]/); print t[1], t[2], t[3], $1, $2, $3, $6 }' | LC_ALL=C sort >got.txt
same got.txt wanted.txt "--format bed-query"
overlap matches targets.fa queries.fa --min-length 12 --format paf |
  awk -F '\t' -v OFS='\t' '
    $10 != $4 - $3 || $11 != $10 || $14 != "cg:Z:" $10 "=" { exit 1 }
    { print $6, $8, $9, $1, $3, $4, $5 }' | LC_ALL=C sort >got.txt
same got.txt wanted.txt "--format paf"
overlap matches targets.fa queries.fa --min-length 12 --format mums |
  awk -v OFS='\t' '
    /^>/ { query = $2; turned = $3 == "Reverse"; next }
    { b = turned ? $3 - $4 : $3 - 1; print $1, $2 - 1, $2 - 1 + $4, query, b, b + $4, turned ? "-" : "+" }' |
  LC_ALL=C sort >got.txt
same got.txt wanted.txt "--format mums"

# The bases of the regions, on either side, as samtools has them; the picture counts as many.
overlap matches targets.fa queries.fa --min-length 12 --fasta bases.fa --plot picture.svg -o lines.tsv
same lines.tsv all.tsv "overlap matches with --fasta and --plot"
samtools faidx targets.fa
samtools faidx queries.fa
awk -F '\t' '!/^#/ { print $1 ":" $2 + 1 "-" $3 }' all.tsv >target_places.txt
samtools faidx -n 100000 -r target_places.txt targets.fa | grep -v '^>' >wanted.txt
one_line bases.fa | grep -v '^>' >got.txt
same got.txt wanted.txt "--fasta, the targets' letters"
awk -F '\t' -v OFS='\t' '!/^#/ { print $4 ":" $5 + 1 "-" $6, $7 }' all.tsv >query_places.txt
for strand in +: -:-i; do
  awk -F '\t' -v s="${strand%:*}" '$2 == s { print $1 }' query_places.txt >some_places.txt
  # shellcheck disable=SC2086
  samtools faidx ${strand#*:} -n 100000 -r some_places.txt queries.fa | grep -v '^>' >wanted.txt
  awk -F '\t' -v s="${strand%:*}" 'NR == FNR { on[FNR] = $2 == s; next } on[FNR]' query_places.txt got.txt >some.txt
  same some.txt wanted.txt "--fasta, the queries' letters on strand ${strand%:*}"
done
awk -F '\t' '!/^#/ { printf ">%s:%d-%d(+) %s:%d-%d(%s)\n", $1, $2, $3, $4, $5, $6, $7 }' all.tsv >wanted.txt
grep '^>' bases.fa >got.txt
same got.txt wanted.txt "--fasta, names"
forward=$(awk -F '\t' '!/^#/ && $7 == "+"' all.tsv | wc -l)
reverse=$(awk -F '\t' '!/^#/ && $7 == "-"' all.tsv | wc -l)
contains picture.svg "data-forward=\"$forward\" data-reverse=\"$reverse\""
bases=$(awk -F '\t' '!/^#/ { sum += $8 } END { print sum }' all.tsv)
contains picture.svg "data-matched-bases=\"$bases\""
if command -v xmllint >/dev/null; then
  xmllint --noout picture.svg || fail "the picture is not XML"
elif command -v python3 >/dev/null; then
  python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("picture.svg")' || fail "the picture is not XML"
fi
overlap matches targets.fa queries.fa --min-length 12 --plot again.svg -t 1 >lines.tsv
same again.svg picture.svg "--plot with one thread"
