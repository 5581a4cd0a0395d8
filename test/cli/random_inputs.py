"""Runs the program on genomes and reads that are drawn at random, and compares what comes out.

random_inputs.py ROUNDS SEED: WARPSEED is the program; with DEVICE=cuda, every run is made on a device as well. Compared are
  * indices: of one thread, of many, of each sorter (libdivsufsort's among them): the same bytes; --verify; the reference back
  * query: counts, positions and mismatches, with a scan of the genome
  * overlap matches: with all maximal matches, found by a walk along each diagonal
  * align: one thread, many; plain, gzip, BGZF and BAM input (made by samtools): the same records
  * duplicates: with samtools markdup

Prints the first difference with the seed of its round, keeps the round's folder, and exits with 1.
"""

import collections
import gzip
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM, DEVICE = os.environ["WARPSEED"], os.environ.get("DEVICE", "")
TURNED = str.maketrans("ACGTN", "TGCAN")


def turned(bases):
    return bases.translate(TURNED)[::-1]


class Difference(Exception):
    pass


def require(condition, what):
    if not condition:
        raise Difference(what)


def run(*words, output=None):
    made = subprocess.run(words, capture_output=True, check=False)
    require(made.returncode == 0, f"exit code {made.returncode} of {' '.join(words)}: {made.stderr.decode()[-400:]}")
    if output:
        pathlib.Path(output).write_bytes(made.stdout)
    return made.stdout


def warpseed(*words, cuda=False):
    return run(PROGRAM, *words, "--quiet", "--backend", DEVICE if cuda else "cpu")


def variants(*words, files):
    """The content of `files` after runs that are to be alike: one thread, many, the device."""
    def content():
        return [records(name) if name.endswith((".sam", ".bam")) else pathlib.Path(name).read_bytes() for name in files]

    warpseed(*words, "-t", "1")
    wanted = content()
    for more, cuda in [(["-t", "3"], False)] + ([([], True)] if DEVICE else []):
        warpseed(*words, *more, cuda=cuda)
        require(content() == wanted, f"{' '.join(words)}: other bytes with {more or DEVICE}")
    return wanted


# ---- genomes and reads --------------------------------------------------------------------------------------------------


def draw_bases(chance, length):
    kind = chance.randrange(6)
    if kind == 0:
        return (chance.choice(["A", "AC", "ACG", "TTTA"]) * length)[:length]
    letters = chance.choice(["ACGT", "ACGT", "ACGT", "AC", "AAAAAT"])
    return "".join(chance.choices(letters, k=length))


def draw_genome(chance):
    """Contigs of parts: random, of few letters, copies of earlier parts with changes or turned, N."""
    contigs, parts = [], []
    for number in range(chance.choice([1, 2, 3, 8])):
        text = ""
        for _ in range(chance.randrange(1, 8)):
            kind = chance.random()
            if kind < 0.35 and parts:
                part = list(chance.choice(parts))
                for _ in range(chance.choice([0, 0, 1, 5])):
                    part[chance.randrange(len(part))] = chance.choice("ACGT")
                part = "".join(part)
                text += turned(part) if chance.random() < 0.4 else part
            elif kind < 0.45:
                text += "N" * chance.choice([1, 2, 30, 200])
            else:
                parts.append(draw_bases(chance, chance.choice([1, 20, 200, 900])))
                text += parts[-1]
        contigs.append((f"c{number}", text))
    contigs.append(("last", draw_bases(chance, 600)))
    return contigs


def write_fasta(path, contigs, width=70):
    with open(path, "w", encoding="ascii") as file:
        for name, text in contigs:
            file.write(f">{name}\n" + "".join(text[i:i + width] + "\n" for i in range(0, len(text), width)))


def draw_pairs(chance, contigs, count):
    long_ones = [text for _, text in contigs if len(text) >= 150]
    pairs = []
    while len(pairs) < count:
        text = chance.choice(long_ones)
        size = chance.randrange(100, min(len(text), 500) + 1)
        at = chance.randrange(len(text) - size + 1)
        insert = list(text[at:at + size])
        for _ in range(chance.choice([0, 1, 2, 6])):
            place, kind = chance.randrange(len(insert)), chance.randrange(4)
            insert[place] = ["", chance.choice("ACGT"), chance.choice("ACGTN"), chance.choice("ACGT") * 2][kind]
        insert = "".join(insert)
        lengths = chance.choice([(80, 80), (100, 60), (33, 90)])
        one = [insert[:lengths[0]], turned(insert)[:lengths[1]]]
        if chance.random() < 0.5:
            one.reverse()
        for _ in range(chance.choice([1, 1, 3])):  # copies, for duplicates
            pairs.append(tuple(one))
    return [pair for pair in pairs if min(map(len, pair)) > 20][:count]


def write_reads(chance, prefix, pairs):
    for mate in (0, 1):
        with open(f"{prefix}_{mate + 1}.fq", "w", encoding="ascii") as file:
            for number, pair in enumerate(pairs):
                quality = "".join(chance.choices("#5I", weights=[1, 2, 9], k=len(pair[mate])))
                file.write(f"@r{number}\n{pair[mate]}\n+\n{quality}\n")


# ---- what is compared ---------------------------------------------------------------------------------------------------


def compare_indices(chance, contigs):
    write_fasta("ref.fa", contigs, chance.choice([1, 7, 60, 100000]))
    index, = variants("index", "ref.fa", "-o", "ref.wsi", files=["ref.wsi"])
    for sorter in ("difference-cover", "divsufsort"):
        warpseed("index", "ref.fa", "-o", "other.wsi", "--sorter", sorter, "-t", "2")
        require(pathlib.Path("other.wsi").read_bytes() == index, f"index: other bytes with --sorter {sorter}")
    for sorter in ("prefix-doubling", "skew", "skew-prefix-doubling") if DEVICE else ():
        warpseed("index", "ref.fa", "-o", "other.wsi", "--sorter", sorter, cuda=True)
        require(pathlib.Path("other.wsi").read_bytes() == index, f"index: other bytes with --sorter {sorter}")
    warpseed("inspect", "ref.wsi", "--verify")
    write_fasta("wanted.fa", contigs, 60)
    require(warpseed("inspect", "ref.wsi", "--fasta") == pathlib.Path("wanted.fa").read_bytes(), "inspect --fasta: another reference")


def occurrences(contigs, pattern, mismatches):
    """(contig, start, strand, mismatches)"""
    for strand, bases in (("+", pattern), ("-", turned(pattern))):
        for name, text in contigs:
            for at in range(len(text) - len(bases) + 1):
                window = text[at:at + len(bases)]
                if "N" in window:
                    continue
                differences = sum(a != b for a, b in zip(window, bases)) if mismatches else window != bases
                if differences <= mismatches:
                    yield name, str(at), strand, str(int(differences))


def rows_of(path):
    with open(path, encoding="ascii") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def compare_queries(chance, contigs):
    text = "".join(text for _, text in contigs)
    patterns = []
    for _ in range(12):
        at, length = chance.randrange(len(text)), chance.choice([1, 3, 12, 20, 40])
        pattern = list(text[at:at + length].replace("N", "A"))
        if chance.random() < 0.5:
            pattern[chance.randrange(len(pattern))] = chance.choice("ACGT")
        patterns.append("".join(pattern) if chance.random() < 0.5 else turned("".join(pattern)))
    patterns = sorted(set(patterns))
    pathlib.Path("patterns.txt").write_text("".join(pattern + "\n" for pattern in patterns), encoding="ascii")
    wanted = {pattern: sorted(occurrences(contigs, pattern, 0)) for pattern in patterns}
    variants("query", "ref.wsi", "patterns.txt", "-o", "counts.tsv", files=["counts.tsv"])
    counts = {row[0]: (int(row[2]), int(row[3])) for row in rows_of("counts.tsv")}
    for pattern in patterns:
        strands = collections.Counter(one[2] for one in wanted[pattern])
        require(counts[pattern] == (strands["+"], strands["-"]), f"query: {pattern}: {counts[pattern]}, a scan finds {strands}")
    variants("query", "ref.wsi", "patterns.txt", "--locate", "-o", "found.tsv", files=["found.tsv"])
    compare_rows("query --locate", wanted, [(row[0], (row[1], row[2], row[4], "0")) for row in rows_of("found.tsv")])
    most = chance.choice([1, 2])
    longer = [pattern for pattern in patterns if len(pattern) >= 12]
    pathlib.Path("longer.txt").write_text("".join(pattern + "\n" for pattern in longer), encoding="ascii")
    if not longer:
        return
    wanted = {pattern: sorted(occurrences(contigs, pattern, most)) for pattern in longer}
    variants("query", "ref.wsi", "longer.txt", "--locate", "--mismatches", str(most), "-o", "near.tsv", files=["near.tsv"])
    compare_rows(f"query --mismatches {most}", wanted, [(row[0], (row[1], row[2], row[4], row[5])) for row in rows_of("near.tsv")])


def compare_rows(what, wanted, rows):
    found = collections.defaultdict(list)
    for pattern, occurrence in rows:
        found[pattern].append(occurrence)
    for pattern, there in wanted.items():
        require(sorted(found[pattern]) == there, f"{what}: {pattern}: {sorted(found[pattern])[:5]}, a scan finds {there[:5]}")


def maximal_matches(target, query, least):
    """(target begin, query begin, length) of matches that neither side continues."""
    for diagonal in range(-len(query), len(target)):
        length = 0
        first = max(0, diagonal)
        for at in range(first, min(len(target), len(query) + diagonal) + 1):
            same = at < min(len(target), len(query) + diagonal) and target[at] == query[at - diagonal] != "N"
            if same:
                length += 1
            else:
                if length >= least:
                    yield at - length, at - length - diagonal, length
                length = 0


def compare_matches(chance, contigs):
    def cut(text):
        at = chance.randrange(max(1, len(text) - 300))
        return text[at:at + 300]

    least = chance.choice([8, 12, 20])
    targets = [(f"t{i}", cut(chance.choice(contigs)[1])) for i in range(2)]
    queries = [(f"q{i}", cut(chance.choice(contigs)[1])) for i in range(2)]
    write_fasta("target.fa", targets), write_fasta("query.fa", queries)
    variants("overlap", "matches", "target.fa", "query.fa", "--min-length", str(least), "-o", "matches.tsv", files=["matches.tsv"])
    wanted = []
    for target, text in targets:
        for query, bases in queries:
            for t, q, length in maximal_matches(text, bases, least):
                wanted.append([target, t, query, q, "+", length])
            for t, q, length in maximal_matches(text, turned(bases), least):
                wanted.append([target, t, query, len(bases) - q - length, "-", length])
    found = [[row[0], int(row[1]), row[3], int(row[4]), row[6], int(row[7])] for row in rows_of("matches.tsv")]
    require(sorted(found) == sorted(wanted), f"overlap matches: {len(found)} rows, a walk along diagonals finds {len(wanted)}")


def records(path):
    """SAM or BAM as text, without the lines of commands, and those in which samtools import says what undoes it."""
    text = run("samtools", "view", "-h", "--no-PG", path) if path.endswith(".bam") else pathlib.Path(path).read_bytes()
    return b"".join(line for line in text.splitlines(True) if not line.startswith((b"@PG", b"@CO")))


def compare_alignments(chance, contigs):
    pairs = draw_pairs(chance, contigs, chance.choice([1, 30, 300]))
    write_reads(chance, "r", pairs)
    more = chance.choice([[], [], ["-k", "15"], ["--all"] if "--all" in HELP else []])
    variants("align", "ref.wsi", "r_1.fq", *more, "-o", "single.sam", files=["single.sam"])
    variants("align", "ref.wsi", "r_1.fq", "r_2.fq", *more, "-o", "pairs.sam", files=["pairs.sam"])
    wanted = records("pairs.sam")
    for mate in "12":
        content = pathlib.Path(f"r_{mate}.fq").read_bytes()
        # Two members, which gzip takes for one file.
        pathlib.Path(f"r_{mate}.fq.gz").write_bytes(gzip.compress(content[:len(content) // 3]) + gzip.compress(content[len(content) // 3:]))
        run("bgzip", "-c", f"r_{mate}.fq", output=f"r_{mate}.fq.bgz")
    for ending in ("fq.gz", "fq.bgz"):
        warpseed("align", "ref.wsi", f"r_1.{ending}", f"r_2.{ending}", *more, "-o", "other.sam")
        require(records("other.sam") == wanted, f"align: other records of {ending}")
    run("samtools", "import", "-1", "r_1.fq", "-2", "r_2.fq", "-o", "r.bam")
    warpseed("align", "ref.wsi", "r.bam", *more, "-o", "other.sam")
    require(records("other.sam") == wanted, "align: other records of BAM")
    run("samtools", "quickcheck", "other.sam")


def flags(path):
    shown = run("samtools", "view", path).decode().splitlines()
    return sorted(line.split("\t")[:4] + line.split("\t")[5:6] for line in shown)


def compare_duplicates():
    variants("align", "ref.wsi", "r_1.fq", "r_2.fq", "--sort", "--mark-duplicates", "-o", "marked.bam", files=["marked.bam"])
    warpseed("align", "ref.wsi", "r_1.fq", "r_2.fq", "--sort", "-o", "plain.bam")
    run("samtools", "sort", "-n", "-o", "named.bam", "plain.bam")
    run("samtools", "fixmate", "-m", "-p", "named.bam", "fixed.bam")
    run("samtools", "sort", "-o", "sorted.bam", "fixed.bam")
    run("samtools", "markdup", "-l", "1000", "sorted.bam", "theirs.bam")
    require(flags("marked.bam") == flags("theirs.bam"), "align --mark-duplicates: other flags than samtools markdup")


HELP = run(PROGRAM, "align", "--help").decode()


def main():
    rounds, seed = int(sys.argv[1]), int(sys.argv[2])
    start = os.getcwd()
    for number in range(seed, seed + rounds):
        folder = tempfile.mkdtemp(dir=start, prefix=f"round_{number}_")
        os.chdir(folder)
        chance = random.Random(number)
        try:
            contigs = draw_genome(chance)
            compare_indices(chance, contigs)
            compare_queries(chance, contigs)
            compare_matches(chance, contigs)
            compare_alignments(chance, contigs)
            compare_duplicates()
        except Difference as difference:
            sys.exit(f"seed {number}: {difference} [{folder}]")
        os.chdir(start)
        run("rm", "-r", folder)
    print(f"{rounds} rounds from seed {seed}: no difference")


if __name__ == "__main__":
    main()
