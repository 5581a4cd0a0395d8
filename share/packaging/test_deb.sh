#!/usr/bin/env bash
# Installs the Debian package in a bare root, runs the demo there, removes package and root, and prints the seconds.
#   share/packaging/test_deb.sh [--suite SUITE] [--cuda] [--dev] [FOLDER]    packages in FOLDER, build/packages by default
# SUITE is bookworm (Debian 12, the default), another release of Debian, or noble (Ubuntu 24.04, whose keys must be
# installed). --cuda tests warpseed-cuda; --dev also compiles and runs an example with the package of the library.
# With --cuda it replaces warpseed, if that package is in FOLDER, and --dev is not possible: a bare root has no toolkit.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

suite=bookworm cuda='' dev=no folder=build/packages
while [ $# -gt 0 ]; do
  case $1 in
    --suite) [ "${2-}" ] || usage && suite=$2 && shift ;;
    --cuda) cuda=-cuda ;;
    --dev) dev=yes ;;
    -*) usage ;;
    *) folder=$(from_caller "$1") ;;
  esac
  shift
done

[ -z "$cuda" ] || [ $dev = no ] || usage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arch=$(dpkg --print-architecture)
cp "$folder/warpseed${cuda}_$version"-*"_$arch.deb" "$work/warpseed.deb" || fail "build the package first: share/packaging/build_deb.sh"
if [ -n "$cuda" ]; then cp "$folder/warpseed_$version"-*"_$arch.deb" "$work/replaced.deb" 2>/dev/null || true; fi
[ $dev = no ] || cp "$folder/libwarpseed$cuda-dev_$version"-*"_$arch.deb" "$work/library.deb"

# What runs in the root.
cat >"$work/inside.sh" <<'INSIDE'
set -euo pipefail
apt_get() { apt-get --quiet=2 "$@" >>/exchange/apt.log 2>&1 || { tail -n 30 /exchange/apt.log && exit 1; }; }
! command -v warpseed samtools g++ || exit 1
if [ -e /exchange/replaced.deb ]; then apt_get install --no-install-recommends -y /exchange/replaced.deb; fi
begin=$SECONDS
apt_get install --no-install-recommends -y /exchange/warpseed.deb samtools
echo "installed in $((SECONDS - begin)) s: $(dpkg-deb -W --showformat='${Package} ${Version}, ${Installed-Size} KiB' /exchange/warpseed.deb)"
if [ -e /exchange/replaced.deb ]; then
  [ "$(dpkg-query -W -f='${db:Status-Status}' warpseed 2>/dev/null || true)" != installed ]
  echo "warpseed was replaced"
fi
begin=$(date +%s%N)
cd /tmp && { /usr/share/warpseed/demo.sh >demo.txt 2>&1 || { cat demo.txt && exit 1; }; }
milliseconds=$((($(date +%s%N) - begin) / 1000000))
cat warpseed-demo/summary.txt
sha256sum warpseed-demo/chr20_9-11Mb.wsi
samtools view warpseed-demo/NA12878.bam | sha256sum | sed 's/-$/records of NA12878.bam/'
echo "demo: $milliseconds ms"
[ $milliseconds -lt 30000 ] || { echo "the demo took more than 30 s" && exit 1; }
for file in man/man1/warpseed.1.gz bash-completion/completions/warpseed zsh/vendor-completions/_warpseed \
  fish/vendor_completions.d/warpseed.fish; do
  # Bare roots of Ubuntu leave out man pages.
  [ -s /usr/share/$file ] || [ "${file%%/*}" = man ] || { echo "not installed: /usr/share/$file" && exit 1; }
done
if [ -e /exchange/library.deb ]; then
  apt_get install --no-install-recommends -y /exchange/library.deb cmake g++ make
  cmake -S /usr/share/doc/warpseed/examples -B examples >/dev/null
  cmake --build examples --target suffix_array >/dev/null
  [ "$(examples/suffix_array banana | cut -f 1 | tr '\n' ' ')" = "5 3 1 0 4 2 " ]
  echo "library: an example compiles and gives the right suffix array"
fi
installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' '*warpseed*' | awk '$2 != "not-installed" { print $1 }')
apt_get purge -y $installed
left=$(find /usr /etc /var/lib -name '*warpseed*' | grep -v '^/var/lib/\(apt\|dpkg\)/' || true)
[ -z "$left" ] || { echo "left behind: $left" && exit 1; }
echo "removed without a trace"
INSIDE
in_root "$work" "$suite" "" "$arch" bash /exchange/inside.sh
