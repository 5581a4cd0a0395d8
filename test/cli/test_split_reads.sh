#!/usr/bin/env bash
# Chimeric long reads, each of two or three pieces of human chromosome 20 on any strand, as callers of structural variants
# read their records: SA lists the other records of a read, clips and SEQ give the whole read, the parts of the read are
# where its pieces come from and meet where these do, also with hard and soft clips, = and X, and in BAM.
. "$(dirname "$0")/lib.sh"
need python3 samtools

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
cat >make.py <<'PYTHON'
import random
import sys

random.seed(int(sys.argv[1]))
genome = "".join(line.strip() for line in open("ref.fa") if line[0] != ">").upper()
complement = str.maketrans("ACGTN", "TGCAN")


def worn(bases, rate):
    """A third each of substitutions, insertions and deletions."""
    made = []
    for base in bases:
        kind = random.random() / rate
        made.append(base if kind >= 1 else random.choice("ACGT") if kind < 1 / 3 else
                    base + random.choice("ACGT") if kind < 2 / 3 else "")
    return "".join(made)


def piece():
    """Begin and end in the genome, strand, and bases with errors."""
    while True:
        size = random.randrange(1500, 5000)
        begin = random.randrange(len(genome) - size)
        bases = genome[begin:begin + size]
        if "N" not in bases:
            strand = random.choice("+-")
            bases = bases if strand == "+" else bases.translate(complement)[::-1]
            return begin, begin + size, strand, worn(bases, random.choice((0.003, 0.05, 0.1)))


for number in range(120):
    pieces = [piece() for _ in range(random.choice((2, 2, 3)))]
    name, at = [str(number)], 0
    for begin, end, strand, bases in pieces:
        name.append(f"{begin}:{end}:{strand}:{at}:{at + len(bases)}")
        at += len(bases)
    bases = "".join(piece[3] for piece in pieces)
    print(f"@{'!'.join(name)}\n{bases}\n+\n{'I' * len(bases)}")
PYTHON
python3 make.py $seed >reads.fq

cat >check.py <<'PYTHON'
import re
import sys
from collections import defaultdict

read_lengths, lines = {}, open("reads.fq").read().split("\n")
for name, bases in zip(lines[0::4], lines[1::4]):
    read_lengths[name[1:]] = len(bases)
records, errors = defaultdict(list), []


def check(condition, what):
    if not condition:
        errors.append(what)


def parts(cigar):
    return [(int(length), kind) for length, kind in re.findall(r"(\d+)([MIDSH=X])", cigar)]


def total(cigar, kinds):
    return sum(length for length, kind in parts(cigar) if kind in kinds)


def clip(cigar, end):
    length, kind = parts(cigar)[end]
    return length if kind in "SH" else 0


for line in sys.stdin:
    name, flag, contig, position, mapq, cigar, _, _, _, bases, *tags = line.rstrip("\n").split("\t")
    tags = {tag[:2]: tag[5:] for tag in tags}
    strand = "-" if int(flag) & 16 else "+"
    check(total(cigar, "MIS=XH") == read_lengths[name], f"{name}: clips and aligned bases are not the whole read")
    check(len(bases) == total(cigar, "MIS=X"), f"{name}: SEQ does not fit its CIGAR")
    head, tail = clip(cigar, 0), clip(cigar, -1)
    first = head if strand == "+" else tail
    here = (contig, int(position), strand, cigar.replace("H", "S"), int(mapq), int(tags["NM"]))
    records[name].append((int(flag), here, first, first + total(cigar, "MI=X"), tags.get("SA", "")))

right = pieces = joined = joints = 0
for name, found in records.items():
    primary = [flag for flag, *_ in found if not flag & 0x900]
    check(len(primary) == 1, f"{name}: {len(primary)} primary records")
    for flag, here, _, _, others in found:
        listed = sorted(entry.split(",") for entry in others.split(";") if entry)
        wanted = sorted([str(value) for value in other] for _, other, *_ in found if other != here)
        check(listed == wanted, f"{name}: SA is {listed}, the other records are {wanted}")
    places = []
    for begin, end, strand, first, last in (piece.split(":") for piece in name.split("!")[1:]):
        pieces += 1
        for _, (_, position, found_strand, cigar, *_), left, past, _ in found:
            span = total(cigar, "MD=X")
            if found_strand == strand and abs(position - 1 - int(begin)) < 50 and abs(position - 1 + span - int(end)) < 50:
                right += 1
                places.append((left, past, int(first), int(last)))
                break
    for left, after in zip(places, places[1:]):
        if left[3] == after[2]:
            joints += 1
            joined += abs(left[1] - left[3]) <= 20 and abs(after[0] - after[2]) <= 20
check(len(records) == len(read_lengths), f"{len(records)} reads of {len(read_lengths)}")
check(right >= 0.95 * pieces, f"{right} of {pieces} pieces are where they come from")
check(joined >= 0.95 * joints, f"{joined} of {joints} joints are where pieces meet")
if errors:
    sys.exit("\n".join(errors[:5]))
PYTHON
judge() { grep -v '^@' "$1" | python3 check.py || fail "$2"; }
for flags in "" "-Y" "--eqx" "-x ont"; do
  # shellcheck disable=SC2086
  run "$WARPSEED" align ref.wsi reads.fq --quiet $flags -o x.sam
  samtools quickcheck x.sam
  judge x.sam "records with the flags '$flags'"
done
grep -qE '	[0-9]+H' x.sam || fail "no hard clips without -Y"
run "$WARPSEED" align ref.wsi reads.fq --quiet --sort -o x.bam
samtools view -h x.bam >sorted.sam
judge sorted.sam "sorted BAM"
# The check itself finds an SA that names another position.
sed -E 's/(SA:Z:[^,]*,)/\11/' x.sam >wrong.sam
if grep -v '^@' wrong.sam | python3 check.py 2>/dev/null; then fail "a wrong SA passes"; fi
