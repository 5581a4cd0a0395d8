#!/usr/bin/env bash
# A whole genome from reads to sorted BAM with duplicates marked, without reads on disk: generate_reads writes into two
# named pipes what warpseed aligns, and check_alignments judges the output by the origins in the reads' names.
#   whole_genome.sh [OPTION...] DIR [-- OPTION OF align...]
#     --bases N      of the synthetic genome, 3100000000 if not given, in 24 contigs
#     --coverage X   30 if not given: 620 million reads of 150 bases
#     --backend B    of generate, index and align; cpu if not given
#     --threads T    of each; those of the machine if not given
#     --reads 'OPTION...'  of generate_reads, instead of --duplicates 0.1 and the binned qualities of the bundled reads
#     --steps 'index align check'  those to be done, on what is kept in DIR of the others
#     --keep         leave index, output and what align said in DIR
# WARPSEED in the environment is the program; generate, generate_reads and check_alignments are next to it
# (-DWS_BENCH=ON). Memory is sampled four times a second: what warpseed has of its own (anonymous and shared memory), and
# the peak with what is mapped, such as the index. Exit code: 1 if a step or a check fails.
. "$(dirname "$0")/lib.sh"
usage() {
  sed -n '/^#   whole_genome.sh/,/^#     --keep/s/^# *//p' "$0" >&2
  exit 2
}

bases=3100000000 coverage=30 backend=cpu steps='index align check' keep=0 dir='' align_options=()
threads=$(nproc)
demo=$bench/../demo/NA12878_chr20_10.0-10.1Mb
reads=(--duplicates 0.1 --bin-qualities --qualities "${demo}_R1.fastq.gz" "${demo}_R2.fastq.gz")
while [ $# -gt 0 ]; do
  case $1 in
    --bases | --coverage | --backend | --threads | --reads | --steps)
      [ $# -ge 2 ] || usage
      if [ "$1" = --reads ]; then read -ra reads <<<"$2"; else declare "${1#--}=$2"; fi
      shift
      ;;
    --keep) keep=1 ;;
    --) shift && align_options=("$@") && break ;;
    -*) usage ;;
    *)
      [ -z "$dir" ] || usage
      dir=$1
      ;;
  esac
  shift
done
[ -n "$dir" ] || usage
programs=$(dirname "$warpseed")
need "$programs/generate" "$programs/generate_reads" "$programs/check_alignments"
mkdir -p "$dir"
index=$dir/ref.wsi out=$dir/out.bam
contigs=24

# timed NAME COMMAND...: NAME.pid at once; NAME.times (wall, user and system seconds), NAME.log and NAME.rc at the end.
timed() {
  local name=$work/$1 rc=0 TIMEFORMAT='%R %U %S'
  shift
  # shellcheck disable=SC2016 # for the inner shell
  { time bash -c 'echo $$ >"$0.pid"; exec "$@" 2>"$0.log"' "$name" "$@"; } 2>"$name.times" || rc=$?
  echo $rc >"$name.ending"
  mv "$name.ending" "$name.rc" # whoever sees it finds the number in it
}

# succeeded NAME: shows what a failed one said.
succeeded() {
  [ "$(cat "$work/$1.rc")" = 0 ] && return
  cat "$work/$1.log" >&2
  echo "whole_genome.sh: $1 failed" >&2
  return 1
}

# sample NAME: raises own_kib and all_kib to what the process has and had at most.
own_kib=0 all_kib=0
sample() {
  local key value own=0
  while read -r key value _; do
    case $key in
      RssAnon: | RssShmem:) own=$((own + value)) ;;
      VmHWM:) all_kib=$value ;;
    esac
  done 2>/dev/null <"/proc/$(cat "$work/$1.pid")/status" || true
  [ "$own" -le "$own_kib" ] || own_kib=$own
}

ended() { [ -e "$work/$1.rc" ]; }

# stop NAME: ends a program that waits at a pipe whose other end nobody opens any more.
stop() { kill "$(cat "$work/$1.pid")" 2>/dev/null || true; }

# follow READER WRITER: waits for both, and samples the reader's memory.
follow() {
  local tries
  own_kib=0 all_kib=0
  until [ -s "$work/$1.pid" ] && [ -s "$work/$2.pid" ]; do sleep 0.02; done
  until ended "$1"; do
    sample "$1"
    if ended "$2" && [ "$(cat "$work/$2.rc")" != 0 ]; then stop "$1"; fi
    sleep 0.25
  done
  for ((tries = 0; tries < 20; tries++)); do ended "$2" || sleep 0.1; done
  ended "$2" || stop "$2"
  wait
  local code=0
  succeeded "$1" || code=1
  succeeded "$2" || code=1
  return $code
}

made=() # by this run, and removed at its end without --keep

make_index() {
  echo "genome: $bases bases in $contigs contigs"
  mkfifo "$work/ref.fa"
  timed generate "$programs/generate" --length "$bases" --contigs "$contigs" --backend "$backend" --threads "$threads" \
    -o "$work/ref.fa" &
  timed index "$warpseed" index "$work/ref.fa" -o "$index" --backend "$backend" -t "$threads" &
  follow index generate
  made+=("$index")
  report generate && echo
  report index
  echo "  $((own_kib / 1024)) MiB of its own at most"
}

align_streamed() {
  required "$index" index
  echo "reads: coverage $coverage, ${reads[*]}"
  mkfifo "$work/1.fq" "$work/2.fq"
  timed reads "$programs/generate_reads" "$index" --coverage "$coverage" "${reads[@]}" --threads "$threads" \
    -1 "$work/1.fq" -2 "$work/2.fq" &
  timed align "$warpseed" align "$index" -1 "$work/1.fq" -2 "$work/2.fq" --sort --mark-duplicates -o "$out" \
    --backend "$backend" -t "$threads" "${align_options[@]}" &
  follow align reads
  made+=("$out" "$out".{bai,csi} "$dir"/{align.log,pairs.txt})
  cp "$work/align.log" "$dir/align.log"
  sed -n 's/^generate_reads: \([0-9]*\) pairs.*/\1/p' "$work/reads.log" >"$dir/pairs.txt"
  report_align
}

report() { # report NAME: a row of times
  read -r wall user system <"$work/$1.times"
  awk -v name="$1" -v wall="$wall" -v cpu="$user $system" 'BEGIN {
    split(cpu, part, " "); printf "%-16s %9.2f s wall %10.2f s CPU", name, wall, part[1] + part[2] }'
}

report_align() {
  local reads_done=$((2 * $(cat "$dir/pairs.txt")))
  report align
  awk -v reads="$reads_done" -v wall="$(cut -d ' ' -f 1 "$work/align.times")" -v own="$own_kib" -v all="$all_kib" \
    -v bytes="$(wc -c <"$out")" 'BEGIN {
      printf "  %.3f M reads/s, %d reads\n", reads / wall / 1e6, reads
      printf "%-16s %9d MiB of its own, %d MiB with what is mapped, at most\n", "memory of align", own / 1024, all / 1024
      printf "%-16s %9.3f GB, %.1f bytes a read\n", "BAM", bytes / 1e9, bytes / reads }'
  report reads
  sed -n 's/^generate_reads: [0-9]* pairs, /  /p' "$work/reads.log"
}

# required FILE STEP: what another step makes.
required() {
  [ -e "$1" ] && return
  echo "whole_genome.sh: $1 is missing; do the step $2 first, with --keep" >&2
  exit 1
}

check() {
  local known
  required "$index" index
  required "$out" align
  known=$("$warpseed" inspect "$index" 2>/dev/null | awk '/^bases/ { n += $2 } /^unknown-bases/ { n -= $2 } END { print n }')
  "$programs/check_alignments" "$out" --pairs "$(cat "$dir/pairs.txt")" --bases "$known" -t "$threads"
  command -v samtools >/dev/null || return 0
  samtools quickcheck "$out"
  samtools flagstat -@ "$threads" "$out"
}

cleanup() { # programs in the background do not get the interrupts of a terminal
  for name in generate index reads align; do [ ! -s "$work/$name.pid" ] || ended $name || stop $name; done
  rm -rf "$work"
  [ $keep = 1 ] || rm -f "${made[@]}"
}
trap cleanup EXIT

machine
echo "backend $backend, $threads threads"
for step in $steps; do
  case $step in
    index) make_index ;;
    align) align_streamed ;;
    check) check ;;
    *) usage ;;
  esac
done
