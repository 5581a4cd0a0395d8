"""Resources of Snakemake jobs, by `warpseed index --estimate` and `warpseed align --estimate`.

align("memory-bytes") is a function for `resources: mem_mb=`. The names are those of the table that --estimate prints.
Bytes become units of 10**6, as mem_mb and disk_mb have them, seconds become minutes, as runtime has them; both rounded up.
"""

import errno
import math
import os
import subprocess


def table(arguments):
    """What `warpseed ARGUMENTS` with --estimate among them prints: numbers by name."""
    run = subprocess.run(["warpseed", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip())
    lines = (line.split("\t") for line in run.stdout.splitlines())
    return {name: int(value) for name, value, *_ in lines}


def paths(files):
    """One file or several of Snakemake's input, as a list."""
    return [str(files)] if isinstance(files, str) else [str(file) for file in files]


def scaled(name, value, factor):
    """In the unit of Snakemake's resource, never 0."""
    return max(1, math.ceil(value * factor / (60 if name == "seconds" else 10**6)))


def resource(name, factor, files_of, arguments_of):
    """files_of: each file, or several of one argument as a list. arguments_of: those before the files."""

    def ask(wildcards, input, threads, attempt):
        groups = [paths(file) for file in files_of(input)]
        files = [file for group in groups for file in group]
        missing = [file for file in files if not os.path.exists(file)]
        if missing and name == "seconds":
            return 1  # Snakemake 7 parses runtime at once, and asks again when the inputs are there
        if missing:
            raise FileNotFoundError(errno.ENOENT, "not there yet", missing[0])  # Snakemake shows <TBD>
        estimate = table([*arguments_of(threads), *(",".join(group) for group in groups)])
        return scaled(name, estimate[name], factor * attempt if name != "disk-bytes" else factor)

    return ask


def index(name, extra=(), factor=1):
    """Of a rule with the wrapper `index`. extra: flags that decide what the run takes, as a list."""
    return resource(
        name,
        factor,
        lambda input: paths(input.ref if "ref" in input.keys() else input),
        lambda threads: ["index", "--estimate", "--quiet", "--threads", str(threads), *extra],
    )


def align(name, sort=False, extra=(), output_format="bam", factor=1):
    """Of a rule with the wrapper `align`, or one whose input has the lanes of each mate: reads1, and reads2 for pairs."""
    by_mate = lambda input: [input[mate] for mate in ("reads1", "reads2") if mate in input.keys() and input[mate]]
    flags = ["--output-format", output_format, *(["--sort"] if sort else []), *extra]
    return resource(
        name,
        factor,
        lambda input: [str(input.idx), *(paths(input.reads) if "reads" in input.keys() else by_mate(input))],
        lambda threads: ["align", "--estimate", "--quiet", "--threads", str(threads), *flags],
    )
