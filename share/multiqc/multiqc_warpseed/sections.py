"""The sections of the report: plots and what is written above them."""

import html

from multiqc.plots import bargraph, linegraph, table

from . import series, tables
from .reports import libraries

POSITION = "Position in the read, as sequenced"
READS = {"unique": "Unique", "repeated": "Repeated", "unmapped": "Unmapped"}
PAIRS = {
    "proper_unique": "Proper, both mates unique",
    "proper_repeated": "Proper, a mate repeated",
    "discordant_unique": "Discordant, both mates unique",
    "discordant_repeated": "Discordant, a mate repeated",
    "lone": "One mate mapped",
    "unmapped": "Unmapped",
}
RECORDS = {"primary": "Primary", "supplementary": "Supplementary", "secondary": "Secondary"}
COLOURS = ["#0072b2", "#56b4e9", "#009e73", "#f0e442", "#e69f00", "#d55e00", "#cc79a7"]  # Okabe and Ito's
GREY = "#999999"


def _kept(datasets):
    """Of (data, label...) those with data: MultiQC takes no empty plot."""
    return [dataset for dataset in datasets if dataset[0]]


def _lines(name, title, datasets, **config):
    """A plot of lines, with a button for each of (data, button, title of y[, title of x]); None without data."""
    kept = _kept(datasets)
    if not kept:
        return None
    labels = [dict(zip(("name", "ylab", "xlab"), labels)) for _, *labels in kept]
    # As many points as there are: MultiQC 1.22 and later would join them, and add up shares.
    config = {"id": f"warpseed_{name}_plot", "title": f"warpseed: {title}", "ymin": 0, "smooth_points": 5000,
              "smooth_points_sumcounts": False, "ylab": labels[0]["ylab"], **config}
    if "xlab" in labels[0]:
        config["xlab"] = labels[0]["xlab"]
    if len(kept) > 1:
        config["data_labels"] = labels
    return linegraph.plot([data for data, *_ in kept], config)


def _bars(name, title, datasets):
    """Bars, with a button for each of (data, names of the parts, button)."""
    kept = _kept(datasets)
    if not kept:
        return None
    parts = [{key: {"name": text, "color": GREY if key == "unmapped" else COLOURS[i]}
              for i, (key, text) in enumerate(names.items())} for _, names, _ in kept]
    config = {"id": f"warpseed_{name}_plot", "title": f"warpseed: {title}", "ylab": kept[0][2],
              "cpswitch_counts_label": "Numbers", "hide_zero_cats": False}
    if len(kept) > 1:
        config["data_labels"] = [button for _, _, button in kept]
    return bargraph.plot([data for data, *_ in kept], parts, config)


def _table(name, title, numbers, columns):
    rows = {html.escape(row): {key: html.escape(value) if isinstance(value, str) else value
                               for key, value in found.items() if key in columns} for row, found in numbers.items()}
    return table.plot(rows, columns, {"id": f"warpseed_{name}_table", "title": f"warpseed: {title}",
                                      "table_title": f"warpseed: {title}", "namespace": "warpseed"})


def _of_alignments(reports):
    reads, pairs, singles, records = series.fates(reports)
    yield ("fates", "Reads, pairs and records",
           "A mapped read is unique if its mapping quality is above 0, repeated if it is 0. A pair is proper if its "
           "flag 0x2 is set, discordant if both mates are mapped otherwise. Single reads are those among pairs.",
           _bars("fates", "Reads, pairs and records",
                 [(reads, READS, "Reads"), (pairs, PAIRS, "Pairs"), (singles, READS, "Single reads"),
                  (records, RECORDS, "Records")]))
    yield ("mapq", "Mapping quality", "Reads by mapping quality (MAPQ).",
           _bars("mapq", "Mapping quality", [(series.mapping_qualities(reports), series.MAPQ_NAMES, "Reads")]))
    counts, shares, parts = series.insert_size_lines(reports)
    yield ("insert_sizes", "Insert size",
           "Proper pairs by insert size (TLEN); also by read group and orientation: FR, mates that point towards each "
           "other; RF, away from each other; FF and RR, on one strand.",
           _lines("insert_sizes", "Insert size",
                  [(shares, "Share", "% of proper pairs"), (counts, "Pairs", "Proper pairs"),
                   (parts, "By group and orientation", "Proper pairs")], xlab="Insert size (bp)"))


def _of_libraries(reports):
    found = libraries(reports)
    yield ("libraries", "Duplicates by library",
           "Libraries are those of the read groups (LB). Marking does not distinguish them.",
           _table("libraries", "Duplicates by library", found, tables.library_columns()) if found else None)


def _of_bases(reports):
    def at(group, what, scale=1):
        return series.by_position(reports, group, what, scale)

    yield ("differences", "Differences by cycle",
           "Differences of primary alignments from the genome, by position in the read: mismatches of aligned bases, "
           "the others of mapped reads. Long reads are not counted.",
           _lines("differences", "Differences by cycle",
                  [(at("by_position", f"{kind}_rate", 100), button, text) for kind, button, text in (
                      ("mismatch", "Mismatches", "% of aligned bases"),
                      ("insertion", "Insertions", "Inserted bases, % of mapped reads"),
                      ("deletion", "Deletions", "Deletions, % of mapped reads"),
                      ("soft_clip", "Soft clips", "Soft-clipped bases, % of mapped reads"))], xlab=POSITION))
    yield ("base_qualities", "Base quality", "Phred qualities of all reads that are not long, the first 1,000 bases.",
           _lines("base_qualities", "Base quality",
                  [(at("base_qualities", kind), kind.replace("_", " ").capitalize(), "Phred quality")
                   for kind in ("mean", "median", "lower_quartile", "upper_quartile")], xlab=POSITION))
    yield ("gc", "GC content", "Reads by the share of G and C in their bases.",
           _lines("gc", "GC content", [(series.gc_content(reports), "Reads", "% of reads")], xlab="G and C (%)", xmin=0,
                  xmax=100))


def _of_genome(reports):
    yield ("depth", "Depth along the genome",
           "Mean depth in windows, contigs one after the other; primary and supplementary alignments, duplicates "
           "included. Shown if all samples have one reference.",
           _lines("depth", "Depth along the genome", [(series.depth_along_genome(reports), "Depth", "Mean depth")],
                  xlab="Position (Mb)"))
    depth, covered = series.depth_by_contig(reports)
    yield ("contigs", "Depth by contig",
           f"Mean depth, and share of the bases with a depth of at least 1; the {series.MAX_CONTIGS} longest contigs.",
           _lines("contigs", "Depth by contig",
                  [(depth, "Mean depth", "Mean depth"), (covered, "Covered", "% covered")], xlab="Contig",
                  categories=True))


def _of_long_reads(reports):
    lengths, identities = series.long_reads(reports)
    yield ("long_reads", "Long reads",
           "Reads of more than 1,000 bases by length, and primary alignments by identity: equal bases over all columns "
           "of the alignment, rounded down.",
           _lines("long_reads", "Long reads", [(lengths, "Length", "Reads", "Length (kb)"),
                                               (identities, "Identity", "% of primary alignments", "Identity (%)")]))


def sections(reports, numbers):
    """Gives name of the section's anchor, title, description and plot; sections without data are left out."""
    for of in (_of_alignments, _of_libraries, _of_bases, _of_genome, _of_long_reads):
        for anchor, title, description, plot in of(reports):
            if plot is not None:
                yield anchor, title, description, plot
    yield "runs", "Runs", "What aligned the samples, and to what.", _table("runs", "Runs", numbers, tables.run_columns())
