# Shared by the comparisons: programs, wall time, medians. Sourced.
# shellcheck shell=bash
set -euo pipefail
bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
warpseed=$(realpath -m "${WARPSEED:-$bench/../../build/release/bin/warpseed}")
export threads=${THREADS:-2} repeats=${REPEATS:-3}
export LC_ALL=C

work=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'rm -rf "$work"' EXIT

need() {
  local program
  for program in "$warpseed" "$@"; do
    command -v "$program" >/dev/null || {
      echo "$0: $program is missing (share/setup.sh --judges; apt-get install time)" >&2
      exit 2
    }
  done
}

# plain FASTA FILE: a copy that every program reads.
plain() {
  case $(od -An -tx1 -N 2 "$1" | tr -d ' ') in
    1f8b) gzip -dc "$1" ;;
    *) cat "$1" ;;
  esac >"$2"
}

# simulate REF.fa PREFIX OPTIONS...: PREFIX.bwa.read1.fastq.gz, read2 and PREFIX.mutations.vcf, with the sequencing
# errors of every comparison.
simulate() {
  local ref=$1 prefix=$2
  shift 2
  dwgsim "$@" -e 0.001-0.006 -E 0.002-0.012 -o 1 "$ref" "$prefix" >/dev/null 2>&1
}

# judge READS [AWK OPTION...] <SAM: the line of figures of judge.awk. mawk takes half of the time where it is installed.
judge() {
  local reads=$1 awk
  shift
  awk=$(command -v mawk || command -v awk)
  "$awk" -v reads="$reads" "$@" -f "$bench/sam.awk" -f "$bench/judge.awk"
}

# measured TIMES COMMAND...: appends "wall seconds, peak KiB, user and system CPU seconds" to TIMES. CPU time tells
# where wall time was lost to other work on the machine.
measured() {
  local times=$1
  shift
  command time -f '%e %M %U %S' -o "$times" -a "$@"
}

# median TIMES COLUMN
median() {
  awk -v c="$2" '{ print $c }' "$1" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# cpu TIMES: the median of user + system seconds
cpu() {
  awk '{ print $3 + $4 }' "$1" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# ratios PEER PEER_TIMES OUR_TIMES: speeds, by wall and by CPU time, and whether the machine was busy otherwise.
ratios() {
  awk -v peer="$1" -v a="$(median "$2" 1)" -v b="$(median "$3" 1)" -v c="$(cpu "$2")" -v d="$(cpu "$3")" \
    'BEGIN { printf "speed of warpseed / speed of " peer ": %.2f by wall time, %.2f by CPU time\n", a / b, c / d }'
  awk -v cores="$(nproc)" -v used="$threads" '$1 > used + 0.5 || $1 > cores + 0.5 {
    printf "WARNING: load average %s on %d cores: others were computing too, wall times are not to be trusted\n", $1, cores
  }' /proc/loadavg
}

machine() {
  printf 'machine: %s, %d cores, %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
    "$("$warpseed" --version)"
}
