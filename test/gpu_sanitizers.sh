#!/usr/bin/env bash
# Runs every test that takes a backend or needs a device under the tools of compute-sanitizer, all tools at a time. Prints a
# line for each tool and module; exits with 1 if a tool reports an error, 77 where there is no device or no compute-sanitizer.
#   gpu_sanitizers.sh WARPSEED_TESTS [TOOL...]     tools: memcheck racecheck initcheck synccheck; all if none is named
#   MODULES='suffix align'                          leaves out other modules
#   LOGS=FOLDER                                     keeps what the tools print
#   SECONDS_EACH=N                                  ends a module's tests after so long, which counts as an error
set -euo pipefail
tests=$1
shift
tools=("$@")
[ $# -gt 0 ] || tools=(memcheck racecheck initcheck synccheck)
PATH=$PATH:/usr/local/cuda/bin
if ! command -v compute-sanitizer >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q '^GPU 0'; then
  echo "skipped: no CUDA device answers on this machine, or it has no compute-sanitizer"
  exit 77
fi
read -ra modules <<<"${MODULES:-core text suffix sort index approximate reads records collapse align overlap api}"
logs=${LOGS:-$(mktemp -d)}
mkdir -p "$logs"

check() { # check TOOL MODULE
  local log=$logs/$1.$2 code=0 begin=$SECONDS
  timeout --kill-after=10 "${SECONDS_EACH:-3600}" compute-sanitizer --tool "$1" --error-exitcode 99 \
    "$tests" "[$2][gpu],[$2][backend]" >"$log" 2>&1 || code=$?
  printf '%-9s %-11s exit code %3d, %4d s, %s; %s\n' "$1" "$2" $code $((SECONDS - begin)) \
    "$(grep -o 'ERROR SUMMARY.*\|RACECHECK SUMMARY.*' "$log" | tail -n 1)" "$(grep -E '^(All tests|test cases|No tests)' "$log" | tail -n 1)"
  return $((code != 0))
}

check_all() { # check_all TOOL
  local failed=0 module
  for module in "${modules[@]}"; do check "$1" "$module" || failed=1; done
  return $failed
}

processes=() failed=0
for tool in "${tools[@]}"; do
  check_all "$tool" &
  processes+=($!)
done
for process in "${processes[@]}"; do wait "$process" || failed=1; done
exit $failed
