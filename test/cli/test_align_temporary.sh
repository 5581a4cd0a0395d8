#!/usr/bin/env bash
# Where the sorted runs of `align` go that do not fit into the sort memory: --tmp-dir, TMPDIR, next to the output.
. "$(dirname "$0")/lib.sh"

unset TMPDIR
make_genome chr1:20000 >ref.fa
make_pairs ref.fa 2000 some
run "$WARPSEED" index ref.fa -o ref.wsi --quiet
for _ in {1..20}; do cat some_1.fq; done >many.fq
run "$WARPSEED" align ref.wsi many.fq -o wanted.sam --sort --quiet
without_pg wanted.sam >wanted.txt
here=$(pwd -P)
mkdir runs other

# runs_in FOLDER COMMAND...: while it waits for more reads, its runs are in FOLDER; then it writes what it must.
runs_in() {
  local folder=$1 tries=0
  shift
  mkfifo reads.fifo
  "$@" align ref.wsi reads.fifo -o out/x.sam --sort --sort-memory 1M --quiet "${flags[@]}" &
  local aligner=$!
  exec 7>reads.fifo
  cat many.fq >&7
  until readlink /proc/$aligner/fd/* 2>/dev/null | grep --quiet "^$folder/\(#[0-9]*\|warpseed\.[^/]*\) (deleted)\$"; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "no sorted runs in $folder: $* ${flags[*]}"
    sleep 0.1
  done
  exec 7>&-
  wait $aligner || fail "exit code $?: $* ${flags[*]}"
  [ -z "$(ls -A runs)$(ls -A other)" ] || fail "left behind: $(ls -A runs other)"
  without_pg out/x.sam >x.txt
  same wanted.txt x.txt "runs in $folder"
  rm reads.fifo out/x.sam
}
flags=()
runs_in "$here/out" "$WARPSEED"
runs_in "$here/out" env TMPDIR= "$WARPSEED"
runs_in "$here/other" env TMPDIR="$here/other" "$WARPSEED"
flags=(--tmp-dir "$here/runs")
runs_in "$here/runs" env TMPDIR="$here/other" "$WARPSEED"

# A folder that is not there is an error at once, but only where runs could go there.
expect_fail 1 '--tmp-dir: .* in none: No such file.*name a folder' -- \
  "$WARPSEED" align ref.wsi many.fq -o out/x.bam --sort --quiet --tmp-dir none
expect_fail 1 'TMPDIR: .* in none: No such file.*or give --tmp-dir' -- \
  env TMPDIR=none "$WARPSEED" align ref.wsi many.fq -o out/x.bam --sort --quiet
expect_fail 1 '--tmp-dir: .* in many.fq: Not a directory' -- \
  "$WARPSEED" align ref.wsi many.fq -o out/x.bam --sort --quiet --tmp-dir many.fq
TMPDIR=none run "$WARPSEED" align ref.wsi some_1.fq -o plain.sam --quiet

report_failures
