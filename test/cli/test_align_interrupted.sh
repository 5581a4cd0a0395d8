#!/usr/bin/env bash
# Runs that end before their input does: signals, readers that go away, input that breaks off after many good reads.
. "$(dirname "$0")/lib.sh"

make_genome chr1:20000 >ref.fa
make_pairs ref.fa 2000 some
run "$WARPSEED" index ref.fa -o ref.wsi -q
for end in 1 2; do
  for _ in {1..20}; do cat some_$end.fq; done >many_$end.fq # several batches
done

# interrupted SIGNAL CODE FLAG...: the signal comes while records are written and more reads are to come.
interrupted() {
  local signal=$1 wanted=$2 code=0 tries=0
  shift 2
  mkfifo reads.fifo
  (cat many_1.fq && exec sleep 60) >reads.fifo &
  local feeder=$!
  env --default-signal="$signal" "$WARPSEED" align ref.wsi reads.fifo --quiet "$@" &
  local aligner=$!
  until compgen -G 'out/*unfinished*' >/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "no unfinished output came to be: $*"
    sleep 0.1
  done
  sleep 0.5
  kill -"$signal" $aligner
  wait $aligner 2>/dev/null || code=$?
  kill $feeder
  wait $feeder || true
  rm reads.fifo
  equal $code "$wanted" "exit code after SIG$signal: $*"
  [ -z "$(ls -A out)" ] || fail "left behind after SIG$signal, $*: $(ls -A out)"
}
interrupted TERM 143 -o out/x.sam
interrupted INT 130 -o out/x.bam --json out/x.json
interrupted TERM 143 -o out/x.bam --sort --sort-memory 1M
interrupted HUP 129 -o out/x.cram

# SIGTERM at fifteen moments of a sorted run with runs on disk, from its start to past its end: either nothing is left, or
# all is there.
sorted=("$WARPSEED" align ref.wsi many_1.fq many_2.fq --sort --mark-duplicates --sort-memory 1M -o out/x.bam --quiet)
begin=$(date +%s%N)
run "${sorted[@]}"
whole=$((($(date +%s%N) - begin) / 1000000))
mv out/x.bam wanted.bam && mv out/x.bam.bai wanted.bam.bai
stopped=0
for part in {0..14}; do
  code=0
  env --default-signal=TERM "${sorted[@]}" 2>/dev/null &
  aligner=$!
  sleep "$(awk -v ms=$whole -v part="$part" 'BEGIN { print ms * part / 12000 }')"
  kill -TERM $aligner 2>/dev/null || true
  wait $aligner || code=$?
  case $code in
    0) same out/x.bam.bai wanted.bam.bai "index after $part parts of a run" ;;
    143) stopped=$((stopped + 1)) ;;
    *) fail "exit code $code after $part parts of a run" ;;
  esac
  [ -z "$(ls -A out)" ] || same out/x.bam wanted.bam "output after $part parts of a run, exit code $code"
  [ -z "$(find out -name '*unfinished*')" ] || fail "left behind after $part parts of a run: $(ls -A out)"
  rm -f out/*
done
[ $stopped -gt 3 ] || fail "only $stopped of 15 runs were stopped"

# A signal that the caller ignores stays ignored.
bash -c 'trap "" HUP; exec "$WARPSEED" align ref.wsi many_1.fq -o out/kept.sam --quiet' &
aligner=$!
until [ -n "$(ls -A out)" ]; do sleep 0.05; done
kill -HUP $aligner 2>/dev/null || true
wait $aligner || fail "an ignored SIGHUP ended the run"
[ -s out/kept.sam ] || fail "no output after an ignored SIGHUP"
rm out/kept.sam

# Whoever reads the records goes away.
for format in sam bam; do
  code=0
  # shellcheck disable=SC2016
  bash -c '"$WARPSEED" align ref.wsi many_1.fq many_2.fq --output-format '$format' --quiet | head -c 1000 >/dev/null
    exit ${PIPESTATUS[0]}' 2>/dev/null || code=$?
  [ $code -ne 0 ] || fail "$format into a pipe that was closed: exit code 0"
done

# Input that is cut or damaged after many good reads, and a second file that is.
gzip -c many_1.fq >whole_1.fq.gz
gzip -c many_2.fq >whole_2.fq.gz
size=$(($(stat -c %s whole_1.fq.gz) * 9 / 10))
head -c $size whole_1.fq.gz >cut_1.fq.gz
{ head -c $size whole_2.fq.gz && tail -c +$((size + 9)) whole_2.fq.gz; } >damaged_2.fq.gz
for sort in '' --sort; do
  expect_fail 2 'cut_1\.fq\.gz: cut short: .* byte '$size -- \
    "$WARPSEED" align ref.wsi cut_1.fq.gz whole_2.fq.gz $sort -o out/x.bam --quiet
  expect_fail 2 'damaged_2\.fq\.gz:' -- "$WARPSEED" align ref.wsi whole_1.fq.gz damaged_2.fq.gz $sort -o out/x.bam --quiet
done
sed '150003s/.*/*no plus/' many_1.fq >bad_1.fq
expect_fail 2 "bad_1\.fq:150003: .*not with '\+'" -- "$WARPSEED" align ref.wsi bad_1.fq many_2.fq -o out/x.bam --quiet

if command -v bgzip >/dev/null; then
  bgzip -c many_1.fq >blocks_1.fq.gz
  size=$(($(stat -c %s blocks_1.fq.gz) * 9 / 10))
  head -c $size blocks_1.fq.gz >cut.fq.gz
  { head -c $size blocks_1.fq.gz && tail -c +$((size + 9)) blocks_1.fq.gz; } >damaged.fq.gz
  expect_fail 2 'cut\.fq\.gz: cut short: .* byte '$size -- "$WARPSEED" align ref.wsi cut.fq.gz -o out/x.bam --quiet
  expect_fail 2 'damaged\.fq\.gz:' -- "$WARPSEED" align ref.wsi damaged.fq.gz -o out/x.bam --quiet
  # However it is compressed and however many threads there are, the records are the same.
  run "$WARPSEED" align ref.wsi many_1.fq -o plain.sam --quiet -t 1
  run "$WARPSEED" align ref.wsi blocks_1.fq.gz -o blocks.sam --quiet -t 3
  run "$WARPSEED" align ref.wsi whole_1.fq.gz -o gzip.sam --quiet -t 2
  without_pg plain.sam >plain.txt
  for kind in blocks gzip; do
    without_pg $kind.sam >$kind.txt
    same plain.txt $kind.txt "reads from $kind"
  done
fi

# What the time went into.
"$WARPSEED" align ref.wsi many_1.fq many_2.fq -o x.bam --verbose 2>talk.txt
for stage in reading preparing aligning encoding writing; do contains talk.txt " $stage: busy +[0-9.]+ % of the time"; done
contains talk.txt 'limit: (host cores|reading|preparing|aligning|encoding|writing), busy [0-9]+ % of the time'

report_failures
