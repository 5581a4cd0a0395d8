#!/usr/bin/env bash
# The whole test: installs what is missing, builds the preset `release`, runs every test.
#   share/test.sh [ctest options]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

share/setup.sh --judges
share/build.sh
ctest --preset release "$@"
