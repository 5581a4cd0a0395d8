#!/usr/bin/env bash
# `overlap matches` and `overlap longest` against mummer, `--self` against mummer and repeat-match.
. "$(dirname "$0")/lib.sh"
need mummer repeat-match

# mutated FASTA: a letter changed in every 100, a piece of 3,000 turned round, one twice, one left out. N where N was.
mutated() {
  one_line "$1" | awk -v seed=$seed "$turned"'
    BEGIN { srand(seed) }
    /^>/ { print $1 "_worn"; next }
    {
      s = toupper($0)
      if (length(s) > 20000)
        s = substr(s, 1, 5000) turned(substr(s, 5001, 3000)) substr(s, 8001, 3000) substr(s, 8001, 3000) \
          substr(s, 14001)
      t = ""
      for (i = 1; i <= length(s); i++) {
        letter = substr(s, i, 1)
        t = t (rand() < 0.01 && letter != "N" ? substr("ACGT", int(rand() * 4) + 1, 1) : letter)
      }
      print t
    }'
}

# records COUNT PREFIX LETTERS: short records of few letters, so that matches are many; some of N, or with an N run.
records() {
  awk -v seed=$seed -v count="$1" -v prefix="$2" -v letters="$3" 'BEGIN {
    srand(seed + length(prefix) + count)
    for (i = 1; i <= count; i++) {
      printf ">%s%d with words behind the name\n", prefix, i
      s = ""
      for (j = int(rand() * rand() * 150); j >= 0; j--) s = s substr(letters, int(rand() * length(letters)) + 1, 1)
      if (i % 7 == 0) s = s "NNNNN" substr(s, 1, 40)
      if (i % 11 == 0) s = "N" tolower(s)
      if (i % 13 == 0) s = s "N"
      if (i == 20) s = "NNNN"
      print s
    }
  }'
}

# by_mummer FLAGS TARGET QUERY: its lines in an order of their own.
by_mummer() {
  # shellcheck disable=SC2086 # flags are words
  mummer $1 -n -F "$2" "$3" 2>mummer.err | LC_ALL=C sort || fail "mummer $1: $(tail -n 1 mummer.err)"
}

# agree TARGET QUERY LENGTH: all modes of matching, all strands.
agree() {
  local unique strand index=${1%.fa}.wsi
  run "$WARPSEED" index "$1" -o "$index" -q
  for unique in -maxmatch: -mum:--unique -mumreference:--unique-in-target; do
    for strand in '-b -c:both' :forward '-r -c:reverse'; do
      by_mummer "${unique%:*} ${strand%:*} -l $3" "$1" "$2" >wanted.txt
      # shellcheck disable=SC2086
      run "$WARPSEED" overlap matches "$1" "$2" --min-length "$3" ${unique#*:} --strand "${strand#*:}" \
        --format mums -q >raw.txt
      LC_ALL=C sort raw.txt >got.txt
      same got.txt wanted.txt "overlap matches $1 $2 ${unique#*:} --strand ${strand#*:}"
      # shellcheck disable=SC2086
      run "$WARPSEED" overlap matches "$index" "$2" --min-length "$3" ${unique#*:} --strand "${strand#*:}" \
        --format mums -q >got.txt
      same got.txt raw.txt "overlap matches $index $2 ${unique#*:} --strand ${strand#*:}"
      lines=$((lines + $(grep -vc '^>' got.txt || true)))
    done
  done
}

# The first 100 kb of the bundled human region, with itself and with a worn copy.
gzip -dc "$demo/chr20_9-11Mb.fa.gz" | sed -n '1,1668p' >human.fa
mutated human.fa >human_worn.fa
lines=0
agree human.fa human.fa 24
agree human.fa human_worn.fa 20
[ $lines -gt 2000 ] || fail "hardly a match in the human region: $lines"

# Short records, many of them shorter than a match, of all letters and of two; N in and around them; lower case.
records 100 t ACGT >targets.fa
records 60 q ACGT >queries.fa
records 30 u AC >poor_targets.fa
records 25 longer_name AC >poor_queries.fa
lines=0
agree targets.fa queries.fa 7
agree poor_targets.fa poor_queries.fa 12
agree targets.fa targets.fa 5
agree queries.fa poor_queries.fa 1
[ $lines -gt 10000 ] || fail "hardly a match among the records: $lines"

# Repeats of a short unit, and a palindrome.
awk 'BEGIN {
  for (i = 0; i < 60; i++) { at = at "AT"; c = c "C"; acg = acg "ACGGT" }
  print ">at\n" at "\n>c\n" c "NN" c "\n>acg\n" acg "\n>palindrome\nTTGAATTCGAATTCAA"
}' >units.fa
agree units.fa units.fa 10

# located FILE: target, query, strand, places from 0 on the forward strand, length, of the four columns.
located() {
  awk -v OFS='\t' '
    /^>/ { query = $2; strand = $3 == "Reverse" ? "-" : "+"; next }
    { print $1, query, strand, $2 - 1, strand == "+" ? $3 - 1 : $3 - $4, $4 }' "$1"
}

# Longest: of mummer's matches of a pair the longest, how often it stands there, and of several the first: on the
# target, then forward, then in the query.
mummer -maxmatch -b -n -c -F -l 5 targets.fa queries.fa 2>mummer.err >all.txt
located all.txt | awk -F '\t' -v OFS='\t' '
  { pair = $1 OFS $2 }
  $6 > length_of[pair] { length_of[pair] = $6; n[pair] = 0 }
  $6 == length_of[pair] { line[pair, n[pair]++] = $0 }
  END {
    for (pair in n) {
      best = ""
      for (i = 0; i < n[pair]; i++) {
        split(line[pair, i], m)
        key = sprintf("%09d %d %09d", m[4], m[3] == "-", m[5])
        if (best == "" || key < best) { best = key; chosen = i }
      }
      split(line[pair, chosen], b); targets = queries = 0
      for (i = 0; i < n[pair]; i++) {
        split(line[pair, i], m)
        if (m[3] == b[3] && m[5] == b[5]) targets++
        if (m[3] == b[3] && m[4] == b[4]) queries++
      }
      print pair, b[3], b[4], b[5], b[6], targets, queries
    }
  }' | LC_ALL=C sort >wanted.txt
run "$WARPSEED" overlap longest targets.fa queries.fa -q >longest.tsv
awk -F '\t' -v OFS='\t' 'NR > 1 && $8 >= 5 { print $1, $4, $7, $2, $5, $8, $9, $10 }' longest.tsv |
  LC_ALL=C sort >got.txt
same got.txt wanted.txt "overlap longest"
[ "$(wc -l <got.txt)" -gt 1000 ] || fail "hardly a pair has anything in common"

# A set with itself: of the same set on both sides every match once.
mummer -maxmatch -b -n -c -F -l 6 targets.fa targets.fa 2>mummer.err >all.txt
grep '^>' targets.fa | awk '{ print substr($1, 2) }' >names.txt
located all.txt | awk -F '\t' '
  NR == FNR { number[$1] = NR; next }
  $3 == "+" && (number[$1] < number[$2] || number[$1] == number[$2] && $4 < $5)
  $3 == "-" && (number[$1] < number[$2] || number[$1] == number[$2] && $4 <= $5)' names.txt - |
  LC_ALL=C sort >wanted.txt
run "$WARPSEED" overlap matches targets.fa --self --min-length 6 -q >self.tsv
awk -F '\t' -v OFS='\t' 'NR > 1 { print $1, $4, $7, $2, $5, $8 }' self.tsv | LC_ALL=C sort >got.txt
same got.txt wanted.txt "overlap matches --self"

# Within one sequence: repeat-match, which names the far end of what is turned round, and the later place first.
repeat-match -n 18 human.fa 2>repeat.err | awk -v OFS='\t' 'NR > 2 {
  turned = $2 ~ /r$/; a = $1 - 1; b = turned ? $2 - $3 : $2 - 1
  print (a < b ? a : b), (a < b ? b : a), turned ? "-" : "+", $3
}' | LC_ALL=C sort >wanted.txt
run "$WARPSEED" overlap matches human.fa --self --min-length 18 -q >self.tsv
awk -F '\t' -v OFS='\t' 'NR > 1 { print $2, $5, $7, $8 }' self.tsv | LC_ALL=C sort >got.txt
same got.txt wanted.txt "overlap matches --self within one sequence"
run "$WARPSEED" overlap longest human.fa --self -q >longest.tsv
longest=$(cut -f 4 wanted.txt | sort -n | tail -n 1)
equal "$(tail -n 1 longest.tsv | cut -f 8)" "$longest" "length of the longest repeat"
