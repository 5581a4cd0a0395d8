#!/usr/bin/env bash
# Runs the package for arm64 under qemu: index and records of the demo's data have the bytes that x86-64 gives.
#   share/packaging/test_arm64.sh [FOLDER]    both packages in FOLDER, build/packages by default
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
case "${1-}" in -*) usage ;; esac
folder=$(from_caller "${1-$source/build/packages}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in amd64 arm64; do
  cp "$folder/warpseed_$version"-*"_$arch.deb" "$work/$arch.deb" ||
    fail "build the packages first: share/packaging/build_deb.sh, share/packaging/build_deb.sh --root --arch arm64"
done

cat >"$work/inside.sh" <<'INSIDE'
set -euo pipefail
data=/usr/share/warpseed/demo
for arch in amd64 arm64; do
  apt-get --quiet=2 install --no-install-recommends -y /exchange/$arch.deb >/exchange/apt.log 2>&1 || { tail /exchange/apt.log && exit 1; }
  run=()
  if [ $arch = arm64 ]; then run=(qemu-aarch64-static); fi
  begin=$SECONDS
  "${run[@]}" /usr/bin/warpseed index --quiet $data/chr20_9-11Mb.fa.gz -o /exchange/$arch.wsi
  "${run[@]}" /usr/bin/warpseed align --quiet /exchange/$arch.wsi $data/*_R1.fastq.gz $data/*_R2.fastq.gz -o /exchange/$arch.sam
  echo "$arch: $(file -bL /usr/bin/warpseed | cut -d , -f 2), index and align in $((SECONDS - begin)) s"
  apt-get --quiet=2 remove -y warpseed >/dev/null
  grep -v '^@PG' /exchange/$arch.sam >/exchange/$arch.records
done
cmp /exchange/amd64.wsi /exchange/arm64.wsi
cmp /exchange/amd64.records /exchange/arm64.records
[ "$(wc -l </exchange/arm64.records)" -gt 42810 ]
echo "the same bytes: index, and $(grep -vc '^@' /exchange/arm64.records) records"
INSIDE
in_root "$work" bookworm qemu-user-static,file amd64,arm64 bash /exchange/inside.sh
