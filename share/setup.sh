#!/usr/bin/env bash
# Installs what warpseed is built from, on Debian 12 and Ubuntu 24.04. Does nothing when all is there.
#   share/setup.sh            compiler, libraries, and samtools for the demo
#   share/setup.sh --judges   also the programs that the tests compare with, the linters, and what the Python module
#                             is built from and tested with; where the distribution has them MultiQC, Snakemake, Slurm
#                             and what fuzzing takes
set -euo pipefail

packages=(g++ cmake ninja-build pkg-config libhts-dev libisal-dev libdivsufsort-dev libtbb-dev libfmt-dev
  libcli11-dev libhwy-dev catch2 samtools bcftools)
judges=(bwa dwgsim picard-tools tabix mummer bowtie bedtools libxml2-utils mandoc poppler-utils qpdf zsh fish time clang
  clang-tidy python3 pybind11-dev python3-dev python3-numpy python3-pytest python3-pysam python3-pip
  python3-setuptools python3-wheel python3-venv python3-yaml)
optional=() # installed where apt knows them

case "${1-}" in
  "") ;;
  --judges) packages+=("${judges[@]}") optional+=(multiqc snakemake slurmctld slurmd slurm-client munge libclang-rt-dev llvm
    python3-clang chromium) ;;
  *)
    echo "usage: share/setup.sh [--judges]" >&2
    exit 2
    ;;
esac

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
if command -v dpkg-query >/dev/null; then
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
else
  missing=("${packages[@]}")
fi

is_known() { apt-cache show "$1" >/dev/null 2>&1; }
wished=()
if command -v apt-cache >/dev/null; then
  for package in "${optional[@]}"; do
    is_installed "$package" && continue
    # A machine that was never updated knows none; whether the distribution has it shows after the update.
    if is_known "$package" || ! compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null; then wished+=("$package"); fi
  done
fi
if [ $((${#missing[@]} + ${#wished[@]})) -eq 0 ]; then
  echo "setup: all packages are installed"
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "setup: this system has no apt-get; install what corresponds to: ${missing[*]}" >&2
  exit 1
fi
install=(apt-get install --yes --no-install-recommends "${missing[@]}")

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  # sudo may ask for a password only where somebody can type it.
  if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo)
  elif [ ${#missing[@]} -eq 0 ]; then
    echo "setup: all packages are installed but ${wished[*]}, without which some tests are skipped"
    exit 0
  else
    echo "setup: packages are missing and installing them takes root; run this line, then start again:" >&2
    echo "  apt-get update && ${install[*]}" >&2
    exit 1
  fi
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@"
}

install_all() {
  local package known=()
  for package in "${wished[@]}"; do
    if is_known "$package"; then known+=("$package"); fi
  done
  apt "${install[@]}" "${known[@]}" --quiet=2 >/dev/null
}

echo "setup: installing ${missing[*]} ${wished[*]}"
for try in first second; do
  if apt apt-get update --quiet=2 && install_all; then
    echo "setup: done"
    exit 0
  fi
  # Mirrors fail for a moment now and then; what lasts is shown by the second try.
  [ "$try" = second ] || { echo "setup: apt-get failed, trying once more" >&2 && sleep 5; }
done
echo "setup: apt-get failed twice (its messages are above); what is missing: ${missing[*]}" >&2
exit 1
