"""Snakemake wrapper for `warpseed align`."""

from shlex import quote

from snakemake.shell import shell

log = snakemake.log_fmt_shell(stdout=False, stderr=True)
extra = snakemake.params.get("extra", "")
sort = snakemake.params.get("sort_order", "none")
mark_duplicates = snakemake.params.get("mark_duplicates", False)

reads = snakemake.input.reads
if isinstance(reads, str):
    reads = [reads]
if len(reads) not in (1, 2):
    raise ValueError(f"input.reads: one file, or two of mates, not {len(reads)}")
if sort not in ("none", "coordinate"):
    raise ValueError(f'params.sort_order: "none" or "coordinate", not {sort!r}')
if mark_duplicates and sort != "coordinate":
    raise ValueError('params.mark_duplicates needs params.sort_order="coordinate"')

flags = ["--threads", str(snakemake.threads)]
if sort == "coordinate":
    flags.append("--sort")
    if snakemake.resources.get("tmpdir"):
        flags += ["--tmp-dir", str(snakemake.resources.tmpdir)]
if mark_duplicates:
    flags.append("--mark-duplicates")
if snakemake.input.get("ref"):
    flags += ["--reference", str(snakemake.input.ref)]
for report in ("json", "html"):
    if snakemake.output.get(report):
        flags += [f"--{report}", str(snakemake.output.get(report))]

command = " ".join(quote(part) for part in flags)
idx = quote(str(snakemake.input.idx))
files = " ".join(quote(str(file)) for file in reads)
output = quote(str(snakemake.output[0]))

shell("warpseed align {command} {extra} -o {output} {idx} {files} {log}")
