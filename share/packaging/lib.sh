# Shared by the scripts that make and test packages. Sets `source`, the root of the repository, and goes there.
# shellcheck shell=bash

set -euo pipefail
script=$(realpath "$0")
caller=$PWD
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$source"
version=$(sed -n 's/.*version = "\([0-9.]*\)".*/\1/p' src/include/warpseed/version.hpp)

tools=(g++ cmake ninja-build pkg-config file dpkg-dev git ca-certificates libcli11-dev)
libraries=(libhts-dev libisal-dev libdivsufsort-dev libtbb-dev libfmt-dev libhwy-dev)

fail() {
  printf '%s: %s\n' "$(basename "$script")" "$1" >&2
  exit 1
}

usage() {
  sed -n '2,/^set -/p' "$script" | sed -n 's/^# \{0,1\}//p' >&2
  exit 2
}

# from_caller PATH: made absolute from the folder in which the script was started.
from_caller() { (cd "$caller" && realpath -m "$1"); }

# need PROGRAM PACKAGE
need() {
  command -v "$1" >/dev/null || fail "$1 is missing. Install it: apt-get install $2"
}

# Times in packages are that of the last commit, so that the same sources give the same bytes.
commit_time() {
  git log -1 --format=%ct 2>/dev/null || cat build/package_time 2>/dev/null || date +%s
}

# Options of build_deb.sh and build_tarball.sh. Sets cuda (OFF or ON), architectures, arch, root, suite, output.
parse_build_options() {
  cuda=OFF architectures='80-real;90' arch=$(dpkg --print-architecture) root=no suite=bookworm
  output=$source/build/packages
  while [ $# -gt 0 ]; do
    case $1 in
      --cuda) cuda=ON ;;
      --cuda=?*) cuda=ON architectures=${1#--cuda=} ;;
      --arch) [ "${2-}" ] || usage && arch=$2 && shift ;;
      --root) root=yes ;;
      --suite) [ "${2-}" ] || usage && root=yes suite=$2 && shift ;;
      --output) [ "${2-}" ] || usage && output=$(from_caller "$2") && shift ;;
      *) usage ;;
    esac
    shift
  done
  case $arch in amd64 | arm64) ;; *) fail "packages are made for amd64 and arm64, not for '$arch'" ;; esac
}

# The folder in which packages of these options are compiled.
package_build_folder() {
  if [ "$cuda" = ON ]; then echo "build/package-$arch-cuda"; else echo "build/package-$arch"; fi
}

# compile_package FLAG...: configures and builds. _FORTIFY_SOURCE and full RELRO are what Debian's own packages have.
compile_package() {
  local folder cross=() fortify=-D_FORTIFY_SOURCE=2
  folder=$(package_build_folder)
  if [ "$arch" != "$(dpkg --print-architecture)" ]; then
    [ "$arch" = arm64 ] || fail "packages for $arch cannot be made on $(dpkg --print-architecture)"
    need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
    cross=(-D CMAKE_TOOLCHAIN_FILE=share/cmake/aarch64-linux-gnu.cmake)
  fi
  # Ubuntu's compiler defines it by itself.
  if "${CXX:-g++}" -O2 -dM -E -x c++ /dev/null | grep -q _FORTIFY_SOURCE; then fortify=''; fi
  cmake -S . -B "$folder" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX=/usr -D WS_TESTS=OFF \
    -D WS_CUDA="$cuda" -D CMAKE_CUDA_ARCHITECTURES="$architectures" "${cross[@]}" \
    -D CMAKE_CXX_FLAGS="$fortify -ffile-prefix-map=$source=." \
    -D CMAKE_EXE_LINKER_FLAGS="-Wl,-z,relro,-z,now" "$@" >"$folder.log" || { cat "$folder.log" >&2 && exit 1; }
  cmake --build "$folder" --parallel "${JOBS:-$(nproc)}"
}

# in_root FOLDER SUITE PACKAGES ARCHITECTURES COMMAND...: makes a bare root of a Debian or Ubuntu release with PACKAGES
# (separated by commas, may be empty), copies FOLDER to its /exchange, runs COMMAND there, copies /exchange/out, if there is
# one, to FOLDER/out, and removes the root. Runs as root.
in_root() {
  local folder=$1 suite=$2 packages=$3 architectures=$4 components=main command
  shift 4
  need mmdebstrap mmdebstrap
  # Ubuntu's libraries of bioinformatics are in universe; mmdebstrap knows its mirror where the keys are installed.
  if [ "$suite" = noble ]; then
    components=main,universe
    [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || fail "Ubuntu's keys are missing: install its package ubuntu-keyring"
  fi
  printf -v command '%q ' "$@"
  mmdebstrap --quiet --variant=minbase --format=null --components="$components" --architectures="$architectures" \
    --include="apt${packages:+,$packages}" \
    --customize-hook="mkdir \"\$1/exchange\" && tar -C $(printf %q "$folder") -c . | tar -C \"\$1/exchange\" -x --no-same-owner" \
    --customize-hook="chroot \"\$1\" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive $command" \
    --customize-hook="if [ -d \"\$1/exchange/out\" ]; then tar -C \"\$1/exchange\" -c out | tar -C $(printf %q "$folder") -x \
      --no-same-owner; fi" \
    "$suite" /dev/null
}
