#!/usr/bin/env bash
# Builds warpseed-VERSION-linux-MACHINE.tar.gz: the program with all shared libraries but glibc's, man page, completions,
# documents, demo. It runs from any folder, on any Linux with glibc 2.36 or newer, and is to be built on Debian 12.
#   share/packaging/build_tarball.sh [--output FOLDER]    in FOLDER, build/packages by default
#   ... --cuda[=ARCHITECTURES]                            warpseed-cuda-...; CUDA 12.4 or newer is needed
# JOBS is the number of compilers at a time.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
parse_build_options "$@"
[ $root = no ] && [ "$arch" = "$(dpkg --print-architecture)" ] || usage
oldest_glibc=2.36
need patchelf patchelf
mkdir -p "$output" build

# What glibc brings belongs to the system: another loader than the system's own cannot use it.
of_glibc='^(ld-linux-.*|lib(c|m|mvec|dl|rt|pthread|resolv|util|anl|nsl|BrokenLocale|thread_db)\.so.*)$'

# copy_libraries PROGRAM FOLDER: the shared libraries that it needs, also through others.
copy_libraries() {
  local name path
  ldd "$1" | awk '$2 == "=>" { print $1, $3 }' | while read -r name path; do
    [ "$path" != not ] || fail "$1 needs $name, which is not on this system"
    if ! [[ $name =~ $of_glibc ]]; then cp -L "$path" "$2/$name"; fi
  done
  chmod 644 "$2"/*
}

# The newest version of glibc that a file of FOLDER asks for.
newest_glibc() {
  find "$1/bin" "$1/lib" -type f -exec objdump -T {} + | sed -n 's/.*(\?GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1
}

# write_licences FOLDER: the package and version of each bundled library, and its copyright file as Debian has it.
write_licences() {
  local library package
  mkdir -p "$1/share/doc/warpseed/licences"
  for library in "$1"/lib/*; do
    package=$(dpkg-query -S "*/$(basename "$library")" | sed -n 's/:.*//p' | sort -u | head -n 1)
    [ -n "$package" ] || fail "$(basename "$library") is of no package, so its licence is not known"
    dpkg-query -W -f="$(basename "$library")"' ${Package} ${Version} source ${source:Package} ${source:Version}\n' "$package"
  done | sort -u >"$1/share/doc/warpseed/licences/libraries.txt"
  for package in $(awk '{ print $2 }' "$1/share/doc/warpseed/licences/libraries.txt" | sort -u) libcli11-dev libhwy-dev; do
    cp -L "/usr/share/doc/$package/copyright" "$1/share/doc/warpseed/licences/$package.txt"
  done
}

compile_package
name=warpseed-$version-linux-$(uname -m)
if [ "$cuda" = ON ]; then name=warpseed-cuda-$version-linux-$(uname -m); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$work/$name
cmake --install "$(package_build_folder)" --component program --strip --prefix "$top" >/dev/null
mkdir "$top/lib"
copy_libraries "$top/bin/warpseed" "$top/lib"
# An RPATH, not a RUNPATH: it holds for the libraries of libraries too, and comes before LD_LIBRARY_PATH.
patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$top/bin/warpseed"
write_licences "$top"

newest=$(newest_glibc "$top")
[ "$(printf '%s\n' "$newest" $oldest_glibc | sort -V | tail -n 1)" = $oldest_glibc ] ||
  fail "this system's libraries need glibc $newest; build on Debian 12 (glibc $oldest_glibc)"
if objdump -p "$top/bin/warpseed" | grep -q 'NEEDED.*libcuda'; then fail "the program needs CUDA's driver or runtime to start"; fi

tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(commit_time)" -c "$name" |
  gzip -9 -n >"$output/$name.tar.gz.unfinished"
mv "$output/$name.tar.gz.unfinished" "$output/$name.tar.gz"
ls -l "$output/$name.tar.gz"
