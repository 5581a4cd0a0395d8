#!/usr/bin/env bash
# Fuzzes the readers of warpseed's inputs; see share/doc/fuzzing.md. Exits with 1 if an input is found that is an error.
#   share/fuzz.sh SECONDS [TARGET...]      each target for so long, as many at a time as there are processors
#   share/fuzz.sh --coverage [TARGET...]   which lines of the readers the inputs reach that earlier runs have kept
#   share/fuzz.sh --list                   the targets
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n '1,/^set /s/^#   //p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

all_targets() {
  find test/fuzz -maxdepth 1 -name 'fuzz_*.cpp' -printf '%f\n' | sed 's/^fuzz_\(.*\)\.cpp$/\1/' | sort
}

# Sets `targets` to those that are named, or to all.
choose_targets() {
  local name
  for name in "$@"; do
    [ -e "test/fuzz/fuzz_$name.cpp" ] && continue
    echo "fuzz: no target $name; there are: $(all_targets | tr '\n' ' ')" >&2
    exit 2
  done
  targets=("$@")
  if [ $# -eq 0 ]; then mapfile -t targets < <(all_targets); fi
}

# build PRESET: of the chosen targets, with a log.
build() {
  local log=build/$1/build.log
  mkdir -p "build/$1"
  for tool in clang++ cmake ninja; do
    command -v $tool >/dev/null || { echo "fuzz: $tool is missing; share/setup.sh --judges installs it" >&2 && exit 1; }
  done
  echo "fuzz: building the preset $1"
  if ! { cmake --preset "$1" &&
    cmake --build --preset "$1" --parallel "$(nproc)" --target "${targets[@]/#/fuzz_}"; } >"$log" 2>&1; then
    grep -E -A 5 'error|FAILED' "$log" >&2 || tail -n 20 "$log" >&2
    echo "fuzz: the build failed, see $log; what is not installed comes with share/setup.sh --judges" >&2
    exit 1
  fi
}

# Whether an input takes more than 5 s of a processor, and not only of a busy machine, or waits for ever.
#   is_slow TARGET FILE
is_slow() { ! (ulimit -t 5 && build/fuzz/bin/fuzz_"$1" -timeout=120 "$2") >/dev/null 2>&1; }

# Runs one process of a target. Its inputs are kept, and shared with other processes of the target.
#   fuzz NUMBER TARGET SECONDS
fuzz() {
  local corpus=build/fuzz/corpus/$2 findings=build/fuzz/findings/$2 options=() seeds=()
  mkdir -p "$corpus" "$findings"
  if [ -e "test/fuzz/dictionaries/$2.dict" ]; then options=("-dict=test/fuzz/dictionaries/$2.dict"); fi
  for folder in test/fuzz/corpus test/fuzz/regressions; do
    if [ -d "$folder/$2" ]; then seeds+=("$folder/$2"); fi
  done
  local log=build/fuzz/logs/$1.$2 file
  build/fuzz/bin/fuzz_"$2" -max_total_time="$3" -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 "${options[@]}" \
    -artifact_prefix="$findings/" "$corpus" "${seeds[@]}" >"$log" 2>&1 && return
  file=$(sed -n 's/.*Test unit written to //p' "$log")
  if [[ $file == */timeout-* ]] && ! is_slow "$2" "$file"; then
    mv "$file" "$corpus/"
    echo "fuzz: $2 ended early: the machine was too busy for one input" >&2
  else
    touch "$log.failed"
  fi
}
export -f fuzz is_slow

# Of all logs of a target: inputs that were run, and coverage (libFuzzer's, of edges).
executions() { sed -n 's/^stat::number_of_executed_units: *//p' "$@" | awk '{ all += $1 } END { print all + 0 }'; }
edges() { sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$@" | sort -n | tail -n 1; }

run() {
  local seconds=$1 started failed=0 jobs=() number target logs result
  build fuzz
  rm -rf build/fuzz/logs && mkdir -p build/fuzz/logs
  started=build/fuzz/logs/started
  touch "$started"
  # Fewer targets than processors are run several times each.
  for ((number = 0; number * ${#targets[@]} < $(nproc); ++number)); do
    for target in "${targets[@]}"; do jobs+=("$number" "$target"); done
  done
  echo "fuzz: ${#targets[@]} targets, $seconds s each, $(nproc) at a time"
  # Memory that is freed is soon used again, which is faster than new pages. htslib leaks, see lsan.supp.
  export ASAN_OPTIONS=quarantine_size_mb=8 LSAN_OPTIONS=suppressions=test/lsan.supp:print_suppressions=0
  printf '%s\n' "${jobs[@]}" | xargs -n 2 -P "$(nproc)" bash -c 'fuzz "$1" "$2" "$0"' "$seconds"
  printf '%-14s %12s %9s %8s  %s\n' target executions coverage inputs result
  for target in "${targets[@]}"; do
    mapfile -t logs < <(find build/fuzz/logs -name "*.$target")
    result=ok
    if compgen -G "build/fuzz/logs/*.$target.failed" >/dev/null; then result=FINDING failed=1; fi
    printf '%-14s %12s %9s %8s  %s\n' "$target" "$(executions "${logs[@]}")" "$(edges "${logs[@]}")" \
      "$(find "build/fuzz/corpus/$target" -type f | wc -l)" $result
  done
  [ $failed -eq 0 ] || report "$started"
  return $failed
}

# Where the inputs of the findings are, what is wrong, and how to run them again.
report() {
  local log target
  for log in build/fuzz/logs/*.failed; do
    log=${log%.failed} target=${log##*.}
    echo
    echo "$target: $(grep -m 1 -E 'FINDING:|runtime error:|ERROR: ' "$log" || tail -n 1 "$log")"
    find "build/fuzz/findings/$target" -type f -newer "$1" -printf "  build/fuzz/bin/fuzz_$target %p\n"
    echo "  whole message: $log"
  done >&2
}

# The sources that the targets' lines "Covers:" name.
covered_sources() {
  local target
  for target in "${targets[@]}"; do sed -n 's|^// Covers: ||p' "test/fuzz/fuzz_$target.cpp"; done | tr '\n' ' '
}

# Runs the inputs of all chosen targets. A source that several of them read is reported once, for all.
coverage() {
  local target profile tool profiles=() programs=()
  for tool in llvm-cov llvm-profdata; do
    command -v $tool >/dev/null || { echo "fuzz: $tool is missing; apt-get install llvm" >&2 && exit 1; }
  done
  build fuzz-coverage
  for target in "${targets[@]}"; do
    profile=build/fuzz-coverage/$target.profile
    LLVM_PROFILE_FILE=$profile build/fuzz-coverage/bin/fuzz_"$target" test/fuzz/corpus/"$target" \
      test/fuzz/regressions/"$target" build/fuzz/corpus/"$target" >"$profile.log" 2>&1 ||
      { tail -n 3 "$profile.log" >&2 && exit 1; }
    profiles+=("$profile") programs+=(-object "build/fuzz-coverage/bin/fuzz_$target")
  done
  llvm-profdata merge -sparse "${profiles[@]}" -o build/fuzz-coverage/profile
  printf '%-42s %6s %8s %9s\n' source lines missed covered
  # A row has regions, functions and lines, each with how many are missed and the share that is covered.
  llvm-cov report "${programs[@]:1}" -instr-profile=build/fuzz-coverage/profile 2>/dev/null |
    awk -v sources="$(covered_sources)" '
      index(" " sources, " " $1 " ") { printf "%-42s %6d %8d %9s\n", $1, $8, $9, $10 }'
  echo "lines that are missed: llvm-cov show build/fuzz-coverage/bin/fuzz_TARGET -instr-profile=build/fuzz-coverage/profile"
}

case "${1-}" in
  --list) all_targets ;;
  --coverage) choose_targets "${@:2}" && coverage ;;
  "" | *[!0-9]*) usage ;;
  *) choose_targets "${@:2}" && run "$1" ;;
esac
