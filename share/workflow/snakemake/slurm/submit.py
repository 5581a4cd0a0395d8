#!/usr/bin/env python3
"""Submits a job script of Snakemake to Slurm and prints the number of the job: submit.py JOBSCRIPT.

A Snakemake that was killed leaves its jobs in the queue. The next one takes such a job over if it has the same files and
settings, and otherwise cancels it and waits for its end: no two jobs write the same files. The name of a job has what
that takes, so there is no state but Slurm's queue.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time

LOGS = "logs/slurm"
SNAKEMAKE_MEMORY = 200  # MiB; the job script runs Snakemake, which runs the rule
SNAKEMAKE_MINUTES = 10  # for its start, and for files that come late
NO_ANSWER = re.compile("unable to contact|timed out|temporarily", re.I)
PAUSES = (5, 15, 30, 60, 120, 240)  # seconds; a controller that is started again is back by then


class NoAnswer(Exception):
    """The controller does not answer; whether it did what it was asked for is not known."""


def slurm(*command):
    """What the command prints, as lines."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if run.returncode != 0 and NO_ANSWER.search(run.stderr):
        raise NoAnswer(run.stderr.strip())
    if run.returncode != 0:
        sys.exit(run.stderr.strip())
    return run.stdout.splitlines()


def digest(*values):
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:12]


def read_properties(path):
    """What Snakemake writes into a job script about its job."""
    with open(path) as file:
        return next(json.loads(line[len("# properties = ") :]) for line in file if line.startswith("# properties = "))


def submit(job, script):
    """The number of the job, new or taken over."""
    files = digest(os.getcwd(), job["output"])
    settings = digest(job["input"], job.get("params"), job["threads"])
    name = ".".join([job["rule"], *job["wildcards"].values(), files, settings])
    waits = []
    for line in slurm("squeue", "--me", "--noheader", "--format=%A %t %j"):
        number, state, other = line.split(maxsplit=2)
        if other == name and state != "CG":  # which is about to end
            print(f"submit.py: job {number} of an earlier run goes on", file=sys.stderr)
            return number
        if f".{files}." in other:
            slurm("scancel", number)
            waits.append(number)

    resources = job["resources"]
    options = [
        f"--job-name={name}",
        f"--output={LOGS}/%j.log",
        f"--cpus-per-task={job['threads']}",
        f"--mem={resources['mem_mb'] + SNAKEMAKE_MEMORY}M",
        f"--time={resources['runtime'] + SNAKEMAKE_MINUTES}",
        "--nodes=1",
        "--ntasks=1",
        "--no-requeue",  # when a node dies, Snakemake alone submits the job again
    ]
    if waits:
        options.append("--dependency=afterany:" + ":".join(waits))
    return slurm("sbatch", "--parsable", *options, script)[0].split(";")[0]


def main():
    script = sys.argv[1]
    job = read_properties(script)
    os.makedirs(LOGS, exist_ok=True)
    for pause in PAUSES:
        try:
            print(submit(job, script))
            return
        except NoAnswer as error:
            print(f"submit.py: {error}; asking again in {pause} s", file=sys.stderr)
            time.sleep(pause)
    sys.exit("submit.py: Slurm does not answer")


main()
