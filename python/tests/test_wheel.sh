#!/usr/bin/env bash
# A wheel is built by pip without network, installed into a fresh virtual environment, and used there.
#   WARPSEED_PYTHON, WARPSEED_BUILD and WARPSEED_SOURCE are set by ctest
set -euo pipefail
source=${WARPSEED_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
python=${WARPSEED_PYTHON:-/usr/bin/python3}
export WARPSEED_BUILD=${WARPSEED_BUILD:-$source/build/release}

for module in pip setuptools wheel venv ensurepip numpy; do
  if ! "$python" -c "import $module" 2>/dev/null; then
    echo "skipped: $python has no $module (apt-get install python3-pip python3-setuptools python3-wheel python3-venv python3-numpy)"
    exit 77
  fi
done

[ -e "$WARPSEED_BUILD/CMakeCache.txt" ] || { echo "skipped: $WARPSEED_BUILD is no build folder" && exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A copy: setuptools leaves folders next to its sources, and the checkout may be read-only.
mkdir -p "$work/checkout/src/include/warpseed"
cp -r "$source/python" "$work/checkout/python"
cp "$source/src/include/warpseed/version.hpp" "$work/checkout/src/include/warpseed/"

env -u PYTHONPATH "$python" -m pip wheel --disable-pip-version-check --no-index --no-build-isolation --no-deps --quiet \
  --wheel-dir "$work" "$work/checkout/python"
wheels=("$work"/warpseed-*.whl)
[ ${#wheels[@]} = 1 ] && [ -s "${wheels[0]}" ] || { echo "FAILED: not one wheel" >&2 && exit 1; }
"$python" -m zipfile --list "${wheels[0]}" >"$work/list.txt"
for file in __init__.py _pysam.py _warpseed.pyi py.typed; do
  grep -q "warpseed/$file" "$work/list.txt" || { echo "FAILED: the wheel has no $file" >&2 && exit 1; }
done

"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --disable-pip-version-check --no-index --no-deps --quiet "${wheels[0]}"
cd /
env -u PYTHONPATH "$work/venv/bin/python" - "$work" <<'END'
import sys
import warpseed

assert warpseed.__file__.startswith(sys.argv[1]), warpseed.__file__
index = warpseed.Index.build_from_sequences([("chr", "TTGACCTGAAGTCCATTGCATACGGATCAGCTTAGGCATCGATTACACGGTTCAAGT")])
(hit,) = warpseed.Aligner(index).map("read", "GGTGTAATCGATGCCTAAGCTGATCCGTATGC")
assert (hit.ctg, hit.r_st, hit.strand, hit.cigar_str) == ("chr", 17, -1, "32M"), str(hit)
assert index.find(["CCT"])["total"].tolist() == [2]
print("the wheel works:", warpseed.__version__, "in", sys.prefix)
END
