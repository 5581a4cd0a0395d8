#!/usr/bin/env bash
# `align -I`: which pairs are proper, to the base, as bwa mem has it: fragments of MIN + 1 to MAX + 1 bases.
. "$(dirname "$0")/lib.sh"
need samtools

# Fragments of every length around the bounds, both ways round.
make_genome g:90000 >ref.fa
one_line ref.fa | awk "$turned"'
  /^>/ { next }
  { for (i = 0; i < 100; i++) quality = quality "I"
    for (size = 250; size <= 350; size++) {
      if (size > 265 && size < 335) continue
      for (turn = 0; turn < 2; turn++) {
        fragment = substr($0, 1000 + ++n * 900, size)
        mate[turn] = substr(fragment, 1, 100); mate[1 - turn] = turned(substr(fragment, size - 99))
        printf "@%d\n%s\n+\n%s\n", n, mate[0], quality > "r_1.fq"
        printf "@%d\n%s\n+\n%s\n", n, mate[1], quality > "r_2.fq"
      } } }'
run "$WARPSEED" index ref.fa -o ref.wsi -q
proper() { samtools view -f 2 "$1" | awk '{ print $9 < 0 ? -$9 : $9 }' | sort -n | uniq -c; }
# range LOW HIGH: four records of each size that there is.
range() { { seq 250 265 && seq 335 350; } | awk -v low="$1" -v high="$2" '$1 >= low && $1 <= high { print 4, $1 }'; }

if command -v bwa >/dev/null; then bwa index ref.fa 2>/dev/null; fi
while read -r option low high; do
  run "$WARPSEED" align ref.wsi r_1.fq r_2.fq -I "$option" --quiet -o ours.sam
  cmp <(proper ours.sam | awk '{ print $1, $2 }') <(range "$low" "$high") || fail "-I $option: not from $low to $high"
  if command -v bwa >/dev/null; then
    bwa mem -I "$option" ref.fa r_1.fq r_2.fq 2>/dev/null >bwa.sam
    cmp <(proper ours.sam) <(proper bwa.sam) || fail "-I $option: other pairs are proper than in bwa mem"
  fi
done <<'BOUNDS'
300,10 261 341
300,10,338 261 339
300,10,345,255 256 346
300.6,10 262 342
302,11.2,340,300 301 341
290 175 407
BOUNDS
