#!/usr/bin/env bash
# What `align` shows while it runs, on a terminal and elsewhere, and when it is interrupted; what killed runs leave.
. "$(dirname "$0")/lib.sh"

need python3
make_genome chr1:20000 >ref.fa
make_pairs ref.fa 2000 some
run "$WARPSEED" index ref.fa -o ref.wsi -q
for _ in {1..100}; do cat some_1.fq; done >many.fq
gzip -1 -c many.fq >many.fq.gz

# on_terminal OUTPUT COMMAND...: runs it with a terminal as standard error, whose bytes go to OUTPUT; its exit code.
on_terminal() {
  python3 - "$@" <<'EOF'
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[2:], stderr=theirs, stdin=subprocess.DEVNULL)
os.close(theirs)
with open(sys.argv[1], "wb", buffering=0) as out:
    while True:
        try:
            some = os.read(ours, 1 << 16)
        except OSError:  # nobody has the terminal open any more
            break
        if not some:
            break
        out.write(some)
code = process.wait()
sys.exit(code if code >= 0 else 128 - code)
EOF
}

clear=$(printf '\r\033\\[K')
for input in many.fq many.fq.gz; do
  on_terminal shown.txt "$WARPSEED" align ref.wsi $input -o x.sam -t 1 || fail "exit code $? on a terminal"
  contains shown.txt "${clear}warpseed align: aligning: [0-9]+ reads, [0-9]+ a second, [0-9]+ %, [0-9]+ s left"
  tr '\r' '\n' <shown.txt | sed -n 's/.* \([0-9]*\) %, .*/\1/p' >shares.txt
  sort -n -c shares.txt || fail "$input: the share goes down: $(tr '\n' ' ' <shares.txt)"
  not_above "$(tail -n 1 shares.txt)" 100 "$input: the last share"
  # The last one is cleared before anything else is said.
  last=$(grep -o "a second.*" shown.txt | tail -n 1 | tr -d '\n')
  [[ $last == *$'\r\033[K'* ]] || fail "$input: the line is not cleared: $last"
done

# No share of a pipe, nothing with --quiet, and no lines of a run of less than ten seconds elsewhere.
# shellcheck disable=SC2016
on_terminal shown.txt bash -c 'cat many.fq | "$WARPSEED" align ref.wsi - -o x.sam -t 1' || fail "exit code $? from a pipe"
contains shown.txt 'aligning: [0-9]+ reads, [0-9]+ a second'
! grep -q ' s left' shown.txt || fail "time left of a pipe"
on_terminal shown.txt "$WARPSEED" align ref.wsi many.fq -o x.sam --quiet || fail "exit code $? with --quiet"
[ ! -s shown.txt ] || fail "--quiet shows something"
run "$WARPSEED" align ref.wsi some_1.fq -o x.sam
! grep -q 'aligning' run.err || fail "progress of a short run in a file"

# interrupted SIGNAL CODE WORDS FLAG...: with more reads to come.
interrupted() {
  local signal=$1 wanted=$2 words=$3 code=0 tries=0
  shift 3
  mkfifo reads.fifo
  # shellcheck disable=SC2016
  on_terminal shown.txt bash -c 'echo $$ >pid.txt; exec env --default-signal="$0" "$WARPSEED" align ref.wsi reads.fifo "$@"' \
    "$signal" "$@" >out/records &
  local terminal=$!
  exec 7>reads.fifo
  cat many.fq >&7
  until grep -q 'aligning: ' shown.txt; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "no progress: $*"
    sleep 0.1
    cat some_1.fq >&7
  done
  kill -"$signal" "$(cat pid.txt)"
  wait $terminal || code=$?
  exec 7>&-
  equal $code "$wanted" "exit code after SIG$signal: $*"
  [[ $(tail -c 60 shown.txt) == *$'\r\033[K'"warpseed: $words"$'\r' ]] || fail "SIG$signal shows: $(tail -c 200 shown.txt)"
  rm reads.fifo
}
interrupted INT 130 'interrupted, nothing written' -o out/x.bam
interrupted TERM 143 'interrupted, nothing written' -o out/x.sam --json out/x.json
interrupted INT 130 'interrupted'
equal "$(ls out)" records "left behind by interrupted runs"

# A run that is killed leaves a file, which the next run that writes the same output removes.
mkfifo reads.fifo
"$WARPSEED" align ref.wsi reads.fifo -o out/x.sam --quiet &
aligner=$!
exec 7>reads.fifo
cat some_1.fq >&7
until compgen -G 'out/x.sam.unfinished.*' >/dev/null; do sleep 0.1; done
run "$WARPSEED" align ref.wsi some_1.fq -o out/x.sam
! grep -q removed run.err || fail "removed a file that is being written"
compgen -G 'out/x.sam.unfinished.*' >/dev/null || fail "a file that is being written is gone"
kill -KILL $aligner
wait $aligner 2>/dev/null || true
exec 7>&-
stale=$(ls out/x.sam.unfinished.*)
touch "out/x.sam.unfinished.elsewhere.${stale##*.}" "out/y.sam.unfinished.mine"
run "$WARPSEED" align ref.wsi some_1.fq -o out/x.sam
contains run.err "removed $stale, which a run that was killed had left"
equal "$(cd out && echo *)" "records x.sam x.sam.unfinished.elsewhere.${stale##*.} y.sam.unfinished.mine" "files that remain"
