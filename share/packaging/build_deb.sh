#!/usr/bin/env bash
# Builds the Debian packages of this tree: warpseed and libwarpseed-dev.
#   share/packaging/build_deb.sh [--output FOLDER]    in FOLDER, build/packages by default
#   ... --cuda[=ARCHITECTURES]                        warpseed-cuda and libwarpseed-cuda-dev; CUDA 12.4 or newer is needed
#   ... --arch arm64                                  compiled for arm64; share/cmake/aarch64-linux-gnu.cmake says what is needed
#   ... --root                                        in a fresh Debian 12 that mmdebstrap makes (without CUDA)
#   ... --suite noble                                 in a fresh Ubuntu 24.04, or of another release
# DEBFULLNAME and DEBEMAIL name the maintainer (by default the last commit's address), JOBS the number of compilers at a time.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
parse_build_options "$@"
mkdir -p "$output" build
maintainer="${DEBFULLNAME:-the warpseed authors} <${DEBEMAIL:-$(git log -1 --format=%ce 2>/dev/null || echo warpseed@localhost)}>"

# Copies what git knows of this tree into a root and runs this script there.
build_in_root() {
  [ "$cuda" = OFF ] || fail "--root goes without --cuda: a fresh system has no toolkit"
  local packages=("${tools[@]}") library architectures=amd64
  folder=$(mktemp -d)  # not local: the trap runs after this function
  trap 'rm -rf "$folder"' EXIT
  git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -C "$folder" -x
  mkdir "$folder/build" && commit_time >"$folder/build/package_time"
  for library in "${libraries[@]}"; do packages+=("$library:$arch"); done
  if [ "$arch" = arm64 ]; then packages+=(g++-aarch64-linux-gnu) architectures=amd64,arm64; fi
  in_root "$folder" "$suite" "$(IFS=, && echo "${packages[*]}")" $architectures \
    env JOBS="${JOBS:-$(nproc)}" DEBFULLNAME="${maintainer% <*}" DEBEMAIL="$(sed 's/.*<\(.*\)>/\1/' <<<"$maintainer")" \
    bash /exchange/share/packaging/build_deb.sh --arch "$arch" --output /exchange/out
  cp "$folder"/out/*.deb "$output"
}

if [ $root = yes ]; then
  build_in_root
  ls -l "$output"/*"$version"*.deb
  exit
fi

need dpkg-shlibdeps dpkg-dev
need file file
. /etc/os-release
SOURCE_DATE_EPOCH=$(commit_time)
export SOURCE_DATE_EPOCH
compile_package -D WS_DEBIAN_RELEASE="1~$ID$VERSION_ID" -D WS_DEBIAN_MAINTAINER="$maintainer" -D WS_DEBIAN_ARCHITECTURE="$arch"
build=$(package_build_folder)
rm -rf "$build/debs"
DEB_HOST_ARCH=$arch cpack --config "$build/CPackConfig.cmake" -G DEB -B "$build/debs" >"$build/cpack.log" 2>&1 ||
  { cat "$build/cpack.log" >&2 && exit 1; }
cp "$build"/debs/*.deb "$output"
for deb in "$build"/debs/*.deb; do ls -l "$output/$(basename "$deb")"; done
