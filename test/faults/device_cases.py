"""Small runs of the program that use a device, together of nearly all its kernels, and the data that they read."""

import os
import random
import shutil
import subprocess

from cases import TURNED, fasta, fastq, make_inputs


def devices():
    """The devices to run on, as CUDA_VISIBLE_DEVICES names them."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    if chosen:
        return chosen.split(",")
    if not shutil.which("nvidia-smi"):
        return ["0"]
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout
    return [str(number) for number in range(len(listed.splitlines()))] or ["0"]


def bent(chance, text, share):
    """Some bases changed, left out or inserted."""
    out = []
    for base in text:
        kind = chance.random() / share
        out.append(base if kind > 1 else "" if kind < 0.3 else base + chance.choice("ACGT") if kind < 0.6 else chance.choice("ACGT"))
    return "".join(out)


def make_reference(chance, contigs):
    """The genes' contigs, with repeats, N, a contig of one base and one of few bases."""
    text = contigs[0][1]
    family = "".join(chance.choices("ACGT", k=300))
    repeats = "".join(bent(chance, family, 0.02) + "".join(chance.choices("ACGT", k=50)) for _ in range(120))
    return [*contigs, ("repeats", repeats), ("gaps", text[:900] + "N" * 70 + text[2000:2900] + "NN" + text[5000:5400]),
            ("period", "ACG" * 700), ("one", "A" * 1500), ("tiny", "ACGTT")]


def make_device_cases(folder):
    """Name and arguments of each run."""
    def at(*names):
        return [str(folder / name) for name in names]

    make_inputs(folder)
    chance = random.Random(5)
    parts = [part.split("\n") for part in (folder / "ref.fa").read_text().split(">")[1:]]
    contigs = [(lines[0], "".join(lines[1:])) for lines in parts]
    (folder / "far.fa").write_text(fasta([(f"{name}_far", bent(chance, text[::-1].translate(TURNED), 0.03)) for name, text in contigs]))
    contigs = make_reference(chance, contigs)
    (folder / "ref.fa").write_text(fasta(contigs))
    long_reads, text = [], contigs[0][1] + contigs[2][1]
    for length in (2000, 6000, 15000) * 4:
        begin = chance.randrange(len(text) - length)
        read = bent(chance, text[begin:begin + length], chance.choice([0.004, 0.05]))
        long_reads.append(read if chance.random() < 0.5 else read.translate(TURNED)[::-1])
    long_reads.append(contigs[2][1][:300] * 20)
    (folder / "long.fq").write_text(fastq(long_reads))
    (folder / "guides.txt").write_text("".join(contigs[0][1][i:i + 20] + "\n" for i in range(50, 5000, 99)))
    (folder / "short.txt").write_text("".join(contigs[0][1][i:i + 9 + i % 7] + "\n" for i in range(50, 9000, 17)))
    (folder / "wide.txt").write_text("".join(contigs[0][1][i:i + 60] + "\n" for i in range(70, 9000, 77)))
    (folder / "places.tsv").write_text("".join(f"chr1\t{i}\t+\tchr1_far\t{2 * i}\t{chance.choice('+-')}\n" for i in range(0, 9000, 37)))
    subprocess.run([os.environ["WARPSEED"], "index", *at("ref.fa"), "-o", *at("ref.wsi"), "-q", "--backend", "cpu"], check=True)
    subprocess.run([os.environ["WARPSEED"], "index", *at("far.fa"), "-o", *at("far.wsi"), "-q", "--backend", "cpu"], check=True)
    pairs, device, (wsi, far, reference) = at("reads_1.fq", "reads_2.fq"), ["--backend", "cuda"], at("ref.wsi", "far.fa", "ref.fa")
    many = at("many_1.fq.gz", "many_2.fq.gz")

    def index(*more):
        return ["index", reference, "-o", "x.wsi", "-q", *more, *device]

    def align(*more):
        return ["align", wsi, *more, "--quiet", *device]

    def query(patterns, *more):
        return ["query", wsi, *at(patterns), *more, "-o", "x.tsv", "-q", *device]

    def overlap(mode, *more):
        return ["overlap", mode, *more, "-o", "x.tsv", "-q", *device]

    return {
        "index": index("--verify"),
        "index doubling": index("--sorter", "prefix-doubling"),
        "index skew": index("--sorter", "skew"),
        "index skew doubling": index("--sorter", "skew-prefix-doubling"),
        "align": align(*pairs, "-o", "x.sam"),
        "align many": align(*many, "--sort", "--mark-duplicates", "-o", "x.bam"),
        "align in runs": align(*many, "--sort", "--mark-duplicates", "--sort-memory", "64K", "-o", "x.bam"),
        "align BAM": align(*pairs, "-o", "x.bam"),
        "align single": align(many[0], "-a", "-o", "x.sam"),
        "align long": align(*at("long.fq"), "-o", "x.sam"),
        "align long with cs": align(*at("long.fq"), "--cs", "long", "-o", "x.paf", "-w", "100"),
        "query": query("short.txt"),
        "query locate": query("reads_1.fq", "--locate"),
        "query mismatches": query("wide.txt", "--locate", "--mismatches", "2"),
        "query many mismatches": query("guides.txt", "--mismatches", "4"),
        "query edits": query("wide.txt", "--locate", "--edits", "3", "--best"),
        **{f"query {edits} edits": query("wide.txt", "--locate", "--edits", str(edits)) for edits in (5, 6, 7, 8)},
        "query guides": query("guides.txt", "--mismatches", "3", "--pam", "NGG", "--locate"),
        "query bulges": query("guides.txt", "--mismatches", "2", "--bulges", "1", "--pam", "NGG", "--locate"),
        "overlap matches": overlap("matches", reference, far),
        "overlap self": overlap("matches", reference, "--self"),
        "overlap unique": overlap("matches", reference, far, "--unique"),
        "overlap indices": overlap("matches", wsi, *at("far.wsi"), "--unique-in-target"),
        "overlap longest": overlap("longest", reference, far, "--ties"),
        "overlap noncoding": overlap("longest", reference, far, "--annotation", *at("genes.bed")),
        "overlap pairs": overlap("pairs", reference, far, "--table", *at("places.tsv")),
        "collapse": ["collapse", *pairs, "-o", "x_1.fq", "-O", "x_2.fq", "-q", *device],
        "collapse single": ["collapse", many[0], "-o", "x.fq", "-q", *device],
        "collapse long": ["collapse", *at("long.fq"), "-o", "x.fq", "-q", "--reverse-complement", *device],
    }
