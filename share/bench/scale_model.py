#!/usr/bin/env python3
"""What 1,000 genomes take on 1, 10 and 100 GPUs, and one genome on several machines: a model of measured rates.

Prints the tables of share/doc/scale.md, which lists what was measured and what is assumed."""

# Measured (share/doc/performance.md, share/doc/scale.md): a 30-fold human-size genome, sorted and marked, BAM.
READS = 620e6
GPU_SECONDS = 171  # one H200 and 16 cores, from FASTQ to BAM
GPU_ALIGNING = 126  # of these, until the last read is aligned
CPU_READS_PER_SECOND = 8e6 / 28.0  # 16 cores without a GPU
FASTQ_BYTES = 75.5 * READS  # binned qualities, bgzip -6
BAM_BYTES = 35.2e9
RUN_BYTES = 71e9  # sorted runs, written and read once
PLANNED_READS_PER_SECOND = 80e6 / 8.86  # by `align --learn-only`, 16 cores
MERGED_READS_PER_SECOND = 80e6 / 10.98  # 16 parts, sorted and marked, 16 cores

# Assumed.
GENOMES = 1000
CORES = 16  # of a machine, and next to each GPU
QUEUE_SECONDS = 10  # from a job's end to the start of the next one on the same machine
STORAGE = {"1.25": 1.25e9, "12.5": 12.5e9, "125": 125e9}  # GB/s: as of 10 and 100 Gbit Ethernet, and a parallel file system


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def table(*heads):
    row(*heads)
    row(*("---" for _ in heads))


def cohort_hours(gpus, bytes_per_second):
    """All genomes, each by one job; the slower of computing and the shared storage."""
    computing = (GPU_SECONDS + QUEUE_SECONDS) * GENOMES / gpus
    moving = (FASTQ_BYTES + BAM_BYTES) * GENOMES / bytes_per_second
    return max(computing, moving) / 3600, "storage" if moving > computing else "GPUs"


def cohort():
    table("GPUs", "GB/s wanted of the storage", *(f"hours with {name} GB/s" for name in STORAGE), "jobs started a minute")
    for gpus in (1, 10, 100):
        wanted = gpus * (FASTQ_BYTES + BAM_BYTES) / (GPU_SECONDS + QUEUE_SECONDS) / 1e9
        times = [cohort_hours(gpus, speed) for speed in STORAGE.values()]
        cells = [f"{hours:.1f} ({limit})" for hours, limit in times]
        row(gpus, f"{wanted:.2f}", *cells, f"{60 * gpus / (GPU_SECONDS + QUEUE_SECONDS):.1f}")


def shards_seconds(parts, aligning, whole):
    """One genome in parts on as many machines, the plan before and the merge after them on one; whole: without shards."""
    if parts == 1:
        return whole
    planning = READS / PLANNED_READS_PER_SECOND
    merging = READS / MERGED_READS_PER_SECOND
    return planning + aligning / parts + merging + 3 * QUEUE_SECONDS


def one_genome():
    cpu = READS / CPU_READS_PER_SECOND
    table("machines", "16 cores each, minutes", "a GPU and 16 cores each, minutes")
    for parts in (1, 2, 4, 8, 16, 32):
        row(parts, f"{shards_seconds(parts, cpu, cpu) / 60:.1f}", f"{shards_seconds(parts, GPU_ALIGNING, GPU_SECONDS) / 60:.1f}")


def cost():
    table("", "machine-hours", "core-hours")
    for name, seconds in (("a GPU and 16 cores", GPU_SECONDS), ("16 cores", READS / CPU_READS_PER_SECOND)):
        hours = GENOMES * seconds / 3600
        row(name, f"{hours:,.0f}", f"{hours * CORES:,.0f}")


if __name__ == "__main__":
    cost()
    print()
    cohort()
    print()
    one_genome()
