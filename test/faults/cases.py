"""Small runs of every command, and the data that they read."""

import contextlib
import gzip
import random
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

TURNED = str.maketrans("ACGT", "TGCA")


@dataclass
class Case:
    name: str
    arguments: list
    copies: tuple = ()  # inputs that a run gets in its folder, as it writes next to them
    folder: Path | None = None  # where it runs, alone, as its output names the folder
    alone: object = contextlib.nullcontext()

    def prepare(self, folder):
        for path in self.copies:
            shutil.copy(path, folder)


def fasta(contigs):
    return "".join(f">{name}\n" + "".join(text[i:i + 60] + "\n" for i in range(0, len(text), 60)) for name, text in contigs)


def make_reads(chance, contigs, count):
    """Pairs of 2 x 100 bases, each tenth one twice, with some errors."""
    first, second = [], []
    while len(first) < count:
        name, text = chance.choice(contigs)
        at = chance.randrange(len(text) - 400)
        insert = list(text[at:at + 350])
        for _ in range(chance.randrange(4)):
            insert[chance.randrange(len(insert))] = chance.choice("ACGT")
        insert = "".join(insert)
        pair = insert[:100], insert[-100:].translate(TURNED)[::-1]
        for _ in range(2 if len(first) % 10 == 0 else 1):
            first.append(pair[0])
            second.append(pair[1])
    return first[:count], second[:count]


def fastq(reads):
    return "".join(f"@r{i}\n{bases}\n+\n{'I' * len(bases)}\n" for i, bases in enumerate(reads))


def make_inputs(folder):
    chance = random.Random(20240607)
    contigs = [(name, "".join(chance.choices("ACGT", k=length))) for name, length in (("chr1", 20000), ("chr2", 5000))]
    contigs[1] = ("chr2", contigs[1][1][:3000] + contigs[0][1][7000:9000])  # what the two have in common
    mates = make_reads(chance, contigs, 100)
    (folder / "ref.fa").write_text(fasta(contigs))
    (folder / "ref.fa.gz").write_bytes(gzip.compress(fasta(contigs).encode(), mtime=0))
    for number, reads in enumerate(mates, 1):
        (folder / f"reads_{number}.fq").write_text(fastq(reads))
        (folder / f"reads_{number}.fq.gz").write_bytes(gzip.compress(fastq(reads).encode(), mtime=0))
    many = make_reads(chance, contigs, 6000)  # more than the least memory for sorting holds
    for number, reads in enumerate(many, 1):
        (folder / f"many_{number}.fq.gz").write_bytes(gzip.compress(fastq(reads).encode(), 1, mtime=0))
    (folder / "genes.bed").write_text("chr1\t7100\t7300\tgene\n")
    # What the program asks of another: here a converter of pictures that does little.
    converter = folder / "rsvg-convert"
    converter.write_text('#!/bin/sh\nfor last; do :; done\nwhile [ $# -gt 1 ]; do case $1 in -o) out=$2;; --output=*|--export-filename=*) out=${1#*=};; esac; shift; done\n'
                         'printf "\\211PNG\\r\\n\\032\\n" >"$out"\n')
    converter.chmod(0o755)
    shutil.copy(converter, folder / "inkscape")  # for when the first one is not found


def make_cases(program, folder):
    def made_by(*arguments):
        subprocess.run([program, *arguments], check=True, cwd=folder, stderr=subprocess.PIPE)

    def at(*names):
        return [str(folder / name) for name in names]

    make_inputs(folder)
    pairs, packed = at("reads_1.fq", "reads_2.fq"), at("reads_1.fq.gz", "reads_2.fq.gz")
    wsi, = at("ref.wsi")
    made_by("index", *at("ref.fa"), "-o", wsi, "-q")
    made_by("align", wsi, *pairs, "-o", "reads.bam", "--quiet")
    shards = at("part_1.bam", "part_2.bam")
    for number, shard in enumerate(shards, 1):
        made_by("align", wsi, *pairs, "--shard", f"{number}/2", "--sort", "--mark-duplicates", "-o", shard, "--quiet")
    subprocess.run(["samtools", "faidx", *at("ref.fa")], check=True)
    subprocess.run(["samtools", "view", "-C", "-T", *at("ref.fa"), "-o", *at("reads.cram", "reads.bam")], check=True)
    Path(folder / "bare").mkdir()
    shutil.copy(folder / "ref.fa", folder / "bare")  # without the index of a FASTA
    sorted_marked = ["--sort", "--mark-duplicates"]
    return [
        Case("index", ["index", *at("ref.fa"), "-o", "x.wsi", "-q"]),
        Case("index gzip", ["index", *at("ref.fa.gz"), "-o", "x.wsi", "-q", "-t", "4", "--sorter", "divsufsort"]),
        Case("query", ["query", wsi, *at("reads_1.fq"), "-o", "x.tsv", "-q"]),
        Case("query load", ["query", wsi, *at("reads_1.fq.gz"), "--load", "--locate", "--mismatches", "1", "-o", "x.tsv", "-q"]),
        Case("align SAM", ["align", wsi, *pairs, "-o", "x.sam", "--quiet"]),
        Case("align BAM", ["align", wsi, *packed, "-o", "x.bam", "--quiet", "--map", "-t", "4"]),
        Case("align sorted", ["align", wsi, *pairs, *sorted_marked, "-o", "x.bam", "--quiet"]),
        Case("align spilled", ["align", wsi, *at("many_1.fq.gz", "many_2.fq.gz"), *sorted_marked, "--sort-memory", "1M", "-o", "x.bam",
                               "--compression-level", "1", "--quiet"]),
        Case("align BAM input", ["align", wsi, *at("reads.bam"), "-p", "-o", "x.paf", "--quiet"]),
        Case("align CRAM", ["align", wsi, *pairs, "--sort", "--reference", *at("ref.fa"), "-o", "x.cram", "--quiet"]),
        Case("align CRAM bare", ["align", wsi, *pairs, "--reference", "ref.fa", "-o", "x.cram", "--quiet"], (folder / "bare/ref.fa",),
             folder / "run", threading.Lock()),
        Case("align CRAM input", ["align", wsi, *at("reads.cram"), "--input-reference", *at("ref.fa"), "-o", "x.sam", "--quiet"]),
        Case("align reports", ["align", wsi, *pairs, "-o", "x.sam", "--json", "report.json", "--html", "report.html", "--quiet"]),
        Case("query many", ["query", wsi, *at("many_1.fq.gz"), "--locate", "--mismatches", "3", "-t", "4", "-o", "x.tsv", "-q"]),
        Case("inspect", ["inspect", wsi, "--fasta", "-o", "x.fa", "-q"]),
        Case("inspect verify", ["inspect", wsi, "--verify", "-o", "x.txt", "-q"]),
        Case("merge", ["merge", *shards, "-o", "x.bam", "-q"]),
        Case("overlap", ["overlap", "matches", *at("ref.fa"), "--self", "--annotation", *at("genes.bed"), "-o", "x.tsv", "--fasta", "x.fa",
                         "--plot", "x.png", "--html", "x.html", "-q"]),
        Case("collapse", ["collapse", *pairs, "-o", "x_1.fq", "-O", "x_2.fq", "-q"]),
    ]
