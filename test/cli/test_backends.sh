#!/usr/bin/env bash
# `align` of all bundled reads writes the same records with any number of threads, on every device, and where a device has
# little memory or a second one helps; `index` with two devices writes the bytes of the CPU. Without a device that leaves the threads. A device that is allowed less memory than
# the index and some reads take is refused, with what would do.
. "$(dirname "$0")/lib.sh"

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
devices=$("$WARPSEED" backends | sed -n 's/^\(cuda:[0-9]*\) .*/\1/p')

# Devices that sort together give the index of the CPU.
if [ "$(wc -w <<<"$devices")" -gt 1 ]; then
  run "$WARPSEED" index ref.fa -o cpu.wsi -q --backend cpu
  run "$WARPSEED" index ref.fa -o team.wsi -q --backend cuda:0,1
  cmp cpu.wsi team.wsi || fail "index --backend cuda:0,1: other bytes than on the CPU"
fi

# records OPTION...: their lines, as SAM, and the header but the command.
records() {
  run "$WARPSEED" align ref.wsi "$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz" \
    "$demo/NA12878_chr20_10.0-10.1Mb_R2.fastq.gz" --quiet "$@" -o got.sam
  grep -v '^@PG' got.sam
}

# same OPTION...: whether they make no difference to the records of `wanted.sam`.
same() {
  records "${options[@]}" "$@" >other.sam
  cmp -s wanted.sam other.sam && return
  diff wanted.sam other.sam | head -4 >&2
  fail "align ${options[*]}: other records with $*"
}

# The default of -t is what the process may use, not what the machine has.
cpu=$(taskset -cp $$ | sed 's/.*[: ]\([0-9]*\).*/\1/')
contains <(taskset -c "$cpu" "$WARPSEED" align --help) '^ *-t,--threads.*(=1|\[1\])( |$)'  # as CLI11 writes it
contains <(taskset -c "$cpu" "$WARPSEED" backends) '^cpu +1 thread,'

least=() # "DEVICE SIZE" for each
for device in $devices; do
  expect_fail 1 'this index needs .* --memory [0-9]+M or more' -- \
    "$WARPSEED" align ref.wsi "$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz" --backend "$device" --memory 1M --quiet -o out/a.sam
  least+=("$device $(grep -o -- '--memory [0-9]*M' complaint.err | cut -d' ' -f2)")
done
[ "$failures" -eq 0 ] || fail "a device with too little memory is not refused as it should be"

for set in "" "-a" "-S -Y" "--sort --mark-duplicates"; do
  read -ra options <<<"$set"
  records "${options[@]}" --backend cpu -t 1 >wanted.sam
  [ "$(grep -vc '^@' wanted.sam)" -ge 42810 ] || fail "align $set: too few records"
  same --backend cpu -t 3
  for device in $devices; do
    same --backend "$device" -t 2
    same --backend "$device" --memory 300M
  done
  for pair in "${least[@]}"; do same --backend "${pair% *}" --memory "${pair#* }"; done
  if [ "$(wc -w <<<"$devices")" -gt 1 ]; then same --backend cuda:0,1; fi
done
echo "the same records on: cpu $(tr '\n' ' ' <<<"$devices")"
