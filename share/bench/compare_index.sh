#!/usr/bin/env bash
# warpseed index compared with bwa index: wall time, peak memory and bytes on disk, each per base as well.
#   compare_index.sh REF.fa
# THREADS (2), REPEATS (3) and WARPSEED (build/release/bin/warpseed) in the environment change the rest;
# BACKEND (cpu) says where warpseed sorts.
. "$(dirname "$0")/lib.sh"
[ $# -eq 1 ] || { echo "usage: compare_index.sh REF.fa" >&2 && exit 2; }
need bwa time
backend=${BACKEND:-cpu}

plain "$1" "$work/ref.fa"
cd "$work"
bases=$(grep -v '^>' ref.fa | tr -d '\r\n' | wc -c)
for ((i = 0; i < repeats; i++)); do
  measured bwa.times bwa index ref.fa 2>/dev/null
  measured ours.times "$warpseed" index ref.fa -o ref.wsi -t "$threads" --backend "$backend" -q
done

row() { # row NAME TIMES BYTES
  awk -v name="$1" -v wall="$(median "$2" 1)" -v cpu="$(cpu "$2")" -v kib="$(median "$2" 2)" -v bytes="$3" -v bases="$bases" 'BEGIN {
    printf "%-9s %8.2f s wall %8.2f s CPU %8.1f MiB peak (%.2f bytes a base) %11d bytes on disk (%.2f a base)\n",
      name, wall, cpu, kib / 1024, 1024 * kib / bases, bytes, bytes / bases }'
}
machine
echo "input: $(basename "$1"), $bases bases, $threads threads, backend $backend, median of $repeats"
row "bwa" bwa.times "$(cat ref.fa.{amb,ann,bwt,pac,sa} | wc -c)"
row warpseed ours.times "$(wc -c <ref.wsi)"
ratios bwa bwa.times ours.times
