#!/usr/bin/env bash
# A job of one CPU and little memory on a larger machine: `align --sort` in a control group with a memory limit (v1 or v2, by
# hand or by systemd-run) and with one CPU of the affinity mask. It takes one thread, its sort memory is a quarter of the
# limit, it stays within the estimate and is not killed, and the output is sorted.
. "$(dirname "$0")/lib.sh"
need samtools taskset

limit=$((640 << 20))
group=
remove_group() {
  if [ -n "$group" ] && [ -d "$group" ]; then rmdir "$group" || true; fi
}
trap 'remove_group; chmod -R u+w "$work"; rm -rf "$work"' EXIT

# make_group FOLDER FILE: a group there, whose limit is in FILE. Fails where it cannot be made.
make_group() {
  group=$1/warpseed_test_$$
  mkdir "$group" 2>/dev/null || { group= && return 1; }
  if { echo $limit >"$group/$2"; } 2>/dev/null; then return 0; fi
  rmdir "$group"
  group=
  return 1
}

# in_job COMMAND...: with the limit, on one CPU.
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
if make_group /sys/fs/cgroup/memory memory.limit_in_bytes || make_group /sys/fs/cgroup memory.max; then
  how="control group $group"
  # shellcheck disable=SC2016
  in_job() { GROUP=$group bash -c 'echo $$ >"$GROUP/cgroup.procs" && exec "$@"' - taskset -c "$cpu" "$@"; }
elif systemd-run --scope --quiet -p MemoryMax=$limit -p MemorySwapMax=0 true 2>/dev/null; then
  how="systemd-run"
  in_job() { systemd-run --scope --quiet -p MemoryMax=$limit -p MemorySwapMax=0 taskset -c "$cpu" "$@"; }
else
  echo "skipped: no control group can be made here (no root, or the folder is read-only), and systemd-run does not work"
  exit 77
fi
echo "limit $((limit >> 20)) MiB by $how, CPU $cpu"

one=$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz two=$demo/NA12878_chr20_10.0-10.1Mb_R2.fastq.gz
run "$WARPSEED" index "$demo/chr20_9-11Mb.fa.gz" -o ref.wsi --quiet
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat "$one"; done >many_1.fq.gz
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat "$two"; done >many_2.fq.gz

run in_job "$WARPSEED" backends >backends.txt
contains backends.txt 'cpu +1 thread, 0\.6 GiB of memory'
run in_job "$WARPSEED" align --estimate ref.wsi many_1.fq.gz many_2.fq.gz --sort --backend cpu -o sorted.bam >table.tsv
said=$(awk '$1 == "memory-bytes" { print $2 }' table.tsv)

# The limit holds: what takes more is killed. 137 is bash's word for it, if not of systemd-run.
code=0
in_job awk 'BEGIN { s = "x"; while (length(s) < 1073741824) s = s s; print length(s) }' >out.txt 2>&1 || code=$?
[ $code -ne 0 ] || fail "a gigabyte fits into $limit bytes: the limit is none"

run in_job "$WARPSEED" align ref.wsi many_1.fq.gz many_2.fq.gz --sort --backend cpu -o sorted.bam --verbose
cp run.err said.txt
contains said.txt 'on cpu +1 thread,'
peak=$(sed -n 's/.* \([0-9.]*\) MiB peak memory$/\1/p' said.txt)
not_above "$peak" "$(awk -v a="$said" 'BEGIN { print a / 1048576 }')" "MiB of memory, more than estimated"
not_above "$peak" $((limit >> 20)) "MiB of memory, more than the limit"
samtools quickcheck sorted.bam || fail "the output is not whole"
[ -e sorted.bam.bai ] || fail "no index"
samtools view sorted.bam | awk -F '\t' '$3 != "*" { if ($4 < at) exit 1; at = $4 }' || fail "the output is not sorted"
equal "$(samtools view -c -F 0x900 sorted.bam)" $((16 * $(gzip --decompress --stdout "$one" | wc -l) / 2)) "records"
echo "peak $peak MiB"
