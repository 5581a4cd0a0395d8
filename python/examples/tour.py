# A tour of the module on the bundled data: run it as a script, or cell by cell in an editor that knows "# %%".
#   PYTHONPATH=build/release/python python3 python/examples/tour.py

# %% [markdown]
# ## An index
# Of two million bases of chromosome 20. Results do not depend on backend or threads.

# %%
import numpy as np
import warpseed

# %%
from pathlib import Path

demo = Path(__file__).resolve().parents[2] / "share" / "demo"

# %%
index = warpseed.Index.build(demo / "chr20_9-11Mb.fa.gz")  # output="ref.wsi" writes it; Index.open("ref.wsi") reads it
print(index.names, index.lengths)

# %% [markdown]
# ## Patterns
# Counts on both strands, and where they are.

# %%
counts = index.find(["GATTACA", "TATAAAA", "ACGTACGT"])
print(counts["forward"], counts["reverse"], counts["total"])
occurrences = index.locate(["ACGTACGT"])
for found in occurrences[:3]:
    print(index.names[found["contig"]], found["begin"], found["end"], "+" if found["strand"] > 0 else "-")

# %% [markdown]
# ## A read
# The fields have mappy's names.

# %%
read = index.bases(0, 1_234_000, 1_234_100)
aligner = warpseed.Aligner(index, cs="short")
for hit in aligner.map("read", read[:50] + "A" + read[52:]):
    print(hit.ctg, hit.r_st, hit.r_en, hit.strand, hit.cigar_str, hit.NM, hit.mapq, hit.cs)

# %% [markdown]
# ## Pairs of two files
# In batches of some ten thousand: as arrays for statistics, as objects for a closer look.

# %%
reads = [demo / f"NA12878_chr20_10.0-10.1Mb_R{mate}.fastq.gz" for mate in (1, 2)]
aligner = warpseed.Aligner(index)
tables = []
for batch in aligner.map_files(*reads):
    tables.append(batch.to_numpy())
table = np.concatenate(tables)
proper = table[(table["flag"] & 0x2 > 0) & (table["read_num"] == 1)]
print(len(proper), "proper pairs, median fragment length", int(np.median(np.abs(proper["template_length"]))))

# %%
first_pair = batch[0]
for hit in first_pair:
    print(hit.name, hit.read_num, hit.r_st, hit.cigar_str, hit.is_proper_pair)

# %% [markdown]
# ## BAM with pysam
# Every read has its record, as in the output of `warpseed align`.

# %%
try:
    import pysam
except ImportError:
    print("pysam is not installed")
else:
    header = pysam.AlignmentHeader.from_dict(index.sam_header())
    segments = [segment.to_string() for segment in batch.to_pysam(header)]
    print(len(segments), "records, the first at", segments[0].split("\t")[3])

# %% [markdown]
# ## Suffix arrays and sorts
# The longest repeat of a text is where neighbours in its suffix array have the most in common.

# %%
text = "to be or not to be"
suffixes = warpseed.suffix_array(text)
lcp = warpseed.lcp_array(text, suffixes)
longest = int(np.argmax(lcp))
print(repr(text[suffixes[longest] :][: lcp[longest]]))

# %%
keys = np.array([30, 10, 20, 7, 5, 9], np.uint32)
values = np.arange(6, dtype=np.uint32)
warpseed.segmented_sort(keys, [0, 3, 6], values)  # two segments of three, in place
print(keys, values)
