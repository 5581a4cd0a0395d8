"""Times of the module and of the program for the same work, on the bundled data; fails where results differ.

    PYTHONPATH=build/release/python python3 python/bench/compare_with_program.py build/release/bin/warpseed [threads]

Both start from the same files and end with results in memory (module) or in a file (program); the program's time
includes its start and writing, the module's includes opening the index and reading the files, but not the start of
Python. The median of five runs each, alternately.
"""

import gzip
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import warpseed

DEMO = Path(__file__).resolve().parents[2] / "share" / "demo"
PATTERNS, PAIRS, RUNS = 100_000, 10_000, 5


def timed(work):
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def compare(what, module, program):
    """Runs both alternately; prints the medians and returns the results."""
    times = [], []
    for _ in range(RUNS):
        seconds, by_module = timed(module)
        times[0].append(seconds)
        seconds, by_program = timed(program)
        times[1].append(seconds)
    mine, other = map(statistics.median, times)
    print(f"{what}: module {mine:.3f} s, program {other:.3f} s, ratio {mine / other:.2f}")
    return by_module, by_program


def make_inputs(folder):
    with gzip.open(DEMO / "chr20_9-11Mb.fa.gz", "rt") as file:
        text = "".join(line.strip() for line in file if line[0] != ">").upper()
    generator = random.Random(20240607)
    begins = [generator.randrange(len(text) - 40) for _ in range(PATTERNS)]
    (folder / "patterns.txt").write_text("".join(text[begin : begin + 32] + "\n" for begin in begins))
    for mate in (1, 2):
        with gzip.open(DEMO / f"NA12878_chr20_10.0-10.1Mb_R{mate}.fastq.gz", "rt") as file:
            (folder / f"r{mate}.fq").write_text("".join(line for line, _ in zip(file, range(4 * PAIRS))))


def compare_locating(folder, program, threads):
    def by_module():
        index = warpseed.Index.open(folder / "ref.wsi", backend="cpu", threads=threads)
        return index.locate((folder / "patterns.txt").read_text().split())

    def by_program():
        program("query", folder / "ref.wsi", folder / "patterns.txt", "--locate", "-o", folder / "found.tsv")

    found, _ = compare(f"locating {PATTERNS:,} patterns", by_module, by_program)
    rows = [line.split("\t")[2:] for line in (folder / "found.tsv").read_text().splitlines()[1:]]
    expected = [(int(begin), int(end), 1 if strand == "+" else -1) for begin, end, strand in rows]
    assert found[["begin", "end", "strand"]].tolist() == expected, "positions differ"


def compare_aligning(folder, program, threads):
    def by_module():
        index = warpseed.Index.open(folder / "ref.wsi", backend="cpu", threads=threads)
        aligner = warpseed.Aligner(index)
        return [batch.to_numpy() for batch in aligner.map_files(folder / "r1.fq", folder / "r2.fq")]

    def by_lists():
        index = warpseed.Index.open(folder / "ref.wsi", backend="cpu", threads=threads)
        reads = [list(warpseed.fastx_read(folder / f"r{mate}.fq")) for mate in (1, 2)]
        names = [read[0] for read in reads[0]]
        batch = warpseed.Aligner(index).map_batch(names, *[[read[1] for read in mate] for mate in reads])
        return [(hit.flag, hit.r_st, hit.mapq, hit.NM) for read in batch for hit in read]

    def by_program():
        program("align", folder / "ref.wsi", folder / "r1.fq", folder / "r2.fq", "-o", folder / "a.sam")

    arrays, _ = compare(f"aligning {PAIRS:,} pairs, from files to arrays", by_module, by_program)
    objects, _ = compare(f"aligning {PAIRS:,} pairs, from lists to objects", by_lists, by_program)
    lines = [line.split("\t") for line in (folder / "a.sam").read_text().splitlines() if line[0] != "@"]
    expected = [
        (int(f[1]), int(f[3]) - 1, int(f[4]), int(next(tag for tag in f if tag[:5] == "NM:i:")[5:]))
        for f in lines
        if not int(f[1]) & 4
    ]
    assert np.concatenate(arrays)[["flag", "r_st", "mapq", "NM"]].tolist() == expected, "alignments differ"
    assert objects == expected, "alignments differ"


def main():
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 0

    def program(*arguments):
        command = [sys.argv[1], *map(str, arguments), "--quiet", "--backend", "cpu"]
        subprocess.run(command + (["-t", str(threads)] if threads else []), check=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_inputs(folder)
        warpseed.Index.build(DEMO / "chr20_9-11Mb.fa.gz", folder / "ref.wsi", backend="cpu")
        compare_locating(folder, program, threads)
        compare_aligning(folder, program, threads)


if __name__ == "__main__":
    main()
