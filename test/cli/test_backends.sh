#!/usr/bin/env bash
# `align` of all bundled reads writes the same records with any number of threads, on every device, and where a device has
# little memory or a second one helps. Without a device that leaves the threads.
. "$(dirname "$0")/lib.sh"

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
devices=$("$WARPSEED" backends | sed -n 's/^\(cuda:[0-9]*\) .*/\1/p')

# records OPTION...: their lines, as SAM, and the header but the command.
records() {
  run "$WARPSEED" align ref.wsi "$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz" \
    "$demo/NA12878_chr20_10.0-10.1Mb_R2.fastq.gz" -q "$@" -o got.sam
  grep -v '^@PG' got.sam
}

# same OPTION...: whether they make no difference to the records of `wanted.sam`.
same() {
  records "${options[@]}" "$@" >other.sam
  cmp -s wanted.sam other.sam && return
  diff wanted.sam other.sam | head -4 >&2
  fail "align ${options[*]}: other records with $*"
}

for set in "" "-a" "-S -Y" "--sort --mark-duplicates"; do
  read -ra options <<<"$set"
  records "${options[@]}" --backend cpu -t 1 >wanted.sam
  [ "$(grep -vc '^@' wanted.sam)" -ge 42810 ] || fail "align $set: too few records"
  same --backend cpu -t 3
  for device in $devices; do
    same --backend "$device" -t 2
    same --backend "$device" --memory 192M
  done
  if [ "$(wc -w <<<"$devices")" -gt 1 ]; then same --backend cuda:0,1; fi
done
echo "the same records on: cpu $(tr '\n' ' ' <<<"$devices")"
