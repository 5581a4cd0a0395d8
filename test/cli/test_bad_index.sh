#!/usr/bin/env bash
# Index files that are missing, damaged, cut, of another version or something else, given to every command.
. "$(dirname "$0")/lib.sh"

make_genome chr1:20000 chr2:5000 | sed '30s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/' >ref.fa
make_pairs ref.fa 5 reads
run "$WARPSEED" index ref.fa -o good.wsi -q
size=$(stat -c %s good.wsi)

# refused REGEX FILE: by inspect, query and align alike.
refused() {
  expect_fail 2 "$1" -- "$WARPSEED" inspect "$2" --fasta -o out/x.fa -q
  expect_fail 2 "$1" -- "$WARPSEED" query "$2" reads_1.fq -o out/x.tsv -q
  expect_fail 2 "$1" -- "$WARPSEED" align "$2" reads_1.fq reads_2.fq -o out/x.bam --quiet
}

refused 'missing\.wsi.*(no such file|not exist)' missing.wsi
mkdir folder.wsi
refused 'folder\.wsi.*directory' folder.wsi
refused 'ref\.fa.*not .*index' ref.fa
: >empty.wsi
refused 'empty\.wsi' empty.wsi

for bytes in 7 64 1000 $((size / 2)) $((size - 1)); do
  head -c "$bytes" good.wsi >cut.wsi
  expect_fail 2 'cut\.wsi.*(truncated|cut|short|not .*index)' -- "$WARPSEED" inspect cut.wsi --summary -q
done
refused 'cut\.wsi.*(truncated|cut|short)' cut.wsi
{
  cat good.wsi
  echo surplus
} >long.wsi
refused 'long\.wsi' long.wsi

# flip FILE OFFSET: turns the lowest bit of one byte.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
  printf '%b' "\\x$(printf %x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# Every byte of the header counts: magic, version, the table of sections.
for offset in 0 3 8 9 12 16 24 40; do
  cp good.wsi flipped.wsi
  flip flipped.wsi $offset
  expect_fail 2 'flipped\.wsi.*(not .*index|version|damaged|checksum|truncated)' -- \
    "$WARPSEED" inspect flipped.wsi --summary -q
done

# The first, a middle and the last byte of every section; `--summary` says where the sections are.
run "$WARPSEED" inspect good.wsi --summary -q >summary.txt
sections=0
while read -r name offset bytes; do
  sections=$((sections + 1))
  for at in "$offset" $((offset + bytes / 2)) $((offset + bytes - 1)); do
    cp good.wsi flipped.wsi
    flip flipped.wsi "$at"
    expect_fail 2 "flipped\\.wsi.*$name.*(damaged|checksum)|flipped\\.wsi.*(damaged|checksum).*$name" -- \
      "$WARPSEED" query flipped.wsi reads_1.fq -o out/x.tsv -q
  done
done < <(awk '/offset/ { table = 1; next } table && NF >= 3 && $2 ~ /^[0-9]+$/ && $3 > 0 { print $1, $2, $3 }' summary.txt)
if [ $sections -lt 5 ]; then fail "inspect --summary names $sections sections with their offsets"; fi
refused 'flipped\.wsi.*(damaged|checksum)' flipped.wsi

report_failures
