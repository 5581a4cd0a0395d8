"""Snakemake wrapper for `warpseed index`."""

from shlex import quote

from snakemake.shell import shell

log = snakemake.log_fmt_shell(stdout=False, stderr=True)
extra = snakemake.params.get("extra", "")
references = snakemake.input.get("ref", snakemake.input)
if isinstance(references, str):
    references = [references]
references = " ".join(quote(str(file)) for file in references)
output = quote(str(snakemake.output[0]))

shell("warpseed index --threads {snakemake.threads} {extra} -o {output} {references} {log}")
