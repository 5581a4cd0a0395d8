#!/usr/bin/env bash
# Runs the tests of the Python module with the interpreter that it was built for.
#   WARPSEED_PYTHON, WARPSEED_BUILD, WARPSEED (the program) and WARPSEED_SOURCE are set by ctest; [pytest options]
set -euo pipefail
WARPSEED_SOURCE=${WARPSEED_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
export WARPSEED_SOURCE
export WARPSEED_BUILD=${WARPSEED_BUILD:-$WARPSEED_SOURCE/build/release}
export WARPSEED=${WARPSEED:-$WARPSEED_BUILD/bin/warpseed}
python=${WARPSEED_PYTHON:-/usr/bin/python3}

for module in numpy pytest; do
  if ! "$python" -c "import $module" 2>/dev/null; then
    echo "skipped: $python has no $module (share/setup.sh --judges installs it for /usr/bin/python3)"
    exit 77
  fi
done
if ! compgen -G "$WARPSEED_BUILD/python/warpseed/_warpseed*.so" >/dev/null; then
  echo "skipped: the module is not built (cmake --build $WARPSEED_BUILD --target warpseed_python)"
  exit 77
fi
export PYTHONPATH=$WARPSEED_BUILD/python PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -p no:cacheprovider -q "$WARPSEED_SOURCE/python/tests" "$@"
