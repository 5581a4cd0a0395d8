# Shared by the tests of the program: a folder of their own, checks that say what they wanted, made-up data.
# Sourced by test_*.sh. WARPSEED is the program, WARPSEED_SOURCE the repository; ctest sets both.
# shellcheck shell=bash

set -euo pipefail

WARPSEED_SOURCE=${WARPSEED_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
WARPSEED=$(realpath -m "${WARPSEED:-$WARPSEED_SOURCE/build/release/bin/warpseed}")
export demo=$WARPSEED_SOURCE/share/demo
export WARPSEED WARPSEED_SOURCE
# The one place where chance enters the tests.
seed=20240607

work=$(mktemp -d)
at_exit() { :; } # for tests that start something which has to be stopped
trap 'at_exit; chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
mkdir out # outputs that must not come to be; see expect_fail

fail() {
  printf 'FAILED: %s\n' "$1" >&2
  exit 1
}

# need PROGRAM...: skips the test where a judge is missing.
need() {
  local program
  for program in "$@"; do
    if ! command -v "$program" >/dev/null; then
      echo "skipped: $program is not installed (share/setup.sh --judges installs it)"
      exit 77
    fi
  done
}

# run COMMAND...: must succeed; on failure shows what it said.
run() {
  local code=0
  "$@" 2>run.err || code=$?
  if [ $code -ne 0 ]; then
    cat run.err >&2
    fail "exit code $code from: $*"
  fi
}

# complaint CODE REGEX COMMAND...: the command ends with CODE, prints one line on standard error that matches
# REGEX (case aside) and leaves nothing in out/. Prints what is wrong; nothing if all is right.
complaint() {
  local wanted=$1 regex=$2 code=0
  shift 2
  "$@" >complaint.out 2>complaint.err </dev/null || code=$?
  if [ $code -ne "$wanted" ]; then echo "exit code $code, wanted $wanted"; fi
  if [ "$(wc -l <complaint.err)" -ne 1 ]; then echo "not one line but $(wc -l <complaint.err)"; fi
  if ! grep -Eiq -- "$regex" complaint.err; then echo "no match for /$regex/"; fi
  if [ -n "$(ls -A out)" ]; then echo "left behind: $(ls -A out)"; fi
}

failures=0
# expect_fail CODE REGEX -- COMMAND...: counts a failure and goes on, so that one run shows all of them.
expect_fail() {
  local wanted=$1 regex=$2 problems
  shift 3
  problems=$(complaint "$wanted" "$regex" "$@")
  rm -rf out && mkdir out
  if [ -z "$problems" ]; then return; fi
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*" >&2
  printf '%s\n' "$problems" | sed 's/^/  /' >&2
  head -n 5 complaint.err | sed 's/^/  said: /' >&2
}

# The last line of a script that uses expect_fail.
report_failures() {
  if [ $failures -ne 0 ]; then fail "$failures checks"; fi
}

# same FILE FILE WHAT
same() {
  cmp "$1" "$2" || fail "$3: $1 and $2 differ"
}

# equal VALUE WANTED WHAT
equal() {
  [ "$1" = "$2" ] || fail "$3: got '$1', wanted '$2'"
}

# contains FILE REGEX
contains() {
  grep -Eq -- "$2" "$1" || {
    head -n 20 "$1" >&2
    fail "no match for /$2/ in $1"
  }
}

# not_above VALUE LIMIT WHAT, for decimal numbers
not_above() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }' || fail "$3: $1 is more than $2"
}

# make_genome NAME:LENGTH...: FASTA of random bases, 60 a line. [seed, names and lengths fix the bytes]
make_genome() {
  awk -v seed=$seed 'BEGIN {
    srand(seed)
    for (i = 1; i < ARGC; i++) {
      split(ARGV[i], part, ":")
      printf ">%s\n", part[1]
      for (j = 1; j <= part[2]; j++)
        printf "%s%s", substr("ACGT", int(rand() * 4) + 1, 1), j % 60 == 0 || j == part[2] ? "\n" : ""
    }
  }' "$@"
}

# A function for awk programs: the reverse complement of a sequence in capitals.
turned='function turned(s,  i, t) {
  for (i = length(s); i > 0; i--) t = t substr("TGCANYRSWMK", index("ACGTNRYSWKM", substr(s, i, 1)), 1)
  return t
}'

# one_line FASTA: one line a sequence.
one_line() {
  awk '/^>/ { if (NR > 1) print ""; print; next } { printf "%s", $0 } END { print "" }' "$1"
}

# make_pairs FASTA COUNT PREFIX: PREFIX_1.fq and PREFIX_2.fq, 2 x 100 bases of 350 +- 50 from either strand,
# a letter changed in every 200. Names tell the origin: i:CONTIG:START1:START2, starts 0-based, the leftmost of each.
make_pairs() {
  one_line "$1" | awk -v seed=$seed -v count="$2" -v first="$3_1.fq" -v second="$3_2.fq" "$turned"'
    function worn(s,  i, t) {
      for (i = 1; i <= length(s); i++)
        t = t (rand() < 0.005 ? substr("ACGT", int(rand() * 4) + 1, 1) : substr(s, i, 1))
      return t
    }
    function put(file, name, s) { printf "@%s\n%s\n+\n%s\n", name, s, quality > file }
    /^>/ { name[++contigs] = substr($1, 2); next }
    { text[contigs] = $0; total += length($0) }
    END {
      srand(seed)
      for (i = 0; i < 100; i++) quality = quality "I"
      for (n = 0; n < count;) {
        at = int(rand() * total)
        for (c = 1; at >= length(text[c]); c++) at -= length(text[c])
        insert = int(300 + rand() * 100)
        if (at + insert > length(text[c])) continue
        left = worn(substr(text[c], at + 1, 100))
        right = turned(worn(substr(text[c], at + insert - 99, 100)))
        far = at + insert - 100
        if (rand() < 0.5) {
          put(first, n ":" name[c] ":" at ":" far, left); put(second, n ":" name[c] ":" at ":" far, right)
        } else {
          put(first, n ":" name[c] ":" far ":" at, right); put(second, n ":" name[c] ":" far ":" at, left)
        }
        n++
      }
    }'
}

# without_pg FILE.sam: what must be the same for any number of threads.
without_pg() {
  grep -v '^@PG' "$1"
}
