"""What the tests share: the program, the bundled data, made-up genomes."""

import gzip
import os
import random
import subprocess
from pathlib import Path

import pytest
import warpseed

SEED = 20240607
SOURCE = Path(os.environ["WARPSEED_SOURCE"])
DEMO = SOURCE / "share" / "demo"
BACKENDS = ["cpu"] if warpseed.why_no_gpu() else ["cpu", "cuda"]
_COMPLEMENT = str.maketrans("ACGTN", "TGCAN")


def reverse_complement(bases):
    return bases[::-1].translate(_COMPLEMENT)


def random_bases(generator, length, letters="ACGT"):
    return "".join(generator.choices(letters, k=length))


@pytest.fixture
def generator():
    return random.Random(SEED)


@pytest.fixture(scope="session")
def program():
    """Runs `warpseed ARGUMENTS...` and returns what it wrote to standard output."""

    def run(*arguments):
        command = [os.environ["WARPSEED"], *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture(scope="session", params=BACKENDS)
def demo_index(request, tmp_path_factory):
    """The index of the bundled reference on a backend, built by the module, and its file."""
    path = tmp_path_factory.mktemp("index") / "ref.wsi"
    index = warpseed.Index.build(DEMO / "chr20_9-11Mb.fa.gz", path, backend=request.param)
    return index, path


@pytest.fixture(scope="session")
def demo_reads(tmp_path_factory):
    """FASTQ of the first 1500 bundled pairs, some of them changed so that they do not align: two paths."""
    folder = tmp_path_factory.mktemp("reads")
    generator = random.Random(SEED)
    paths = []
    for mate in (1, 2):
        with gzip.open(DEMO / f"NA12878_chr20_10.0-10.1Mb_R{mate}.fastq.gz", "rt") as file:
            lines = [line for line, _ in zip(file, range(6000))]
        for i in range(1, len(lines), 4):
            if i // 4 % 50 in (7, 7 * mate):  # both mates, and one of them
                lines[i] = random_bases(generator, len(lines[i]) - 1) + "\n"
        path = folder / f"r{mate}.fq"
        path.write_text("".join(lines))
        paths.append(path)
    return paths
