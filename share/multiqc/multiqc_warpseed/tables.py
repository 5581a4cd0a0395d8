"""Columns of the general statistics and of the table of runs, by the names in reports.numbers(). MultiQC
1.14 keeps the order of an OrderedDict alone."""

from collections import OrderedDict


def _percent(title, description, scale, **more):
    return {"title": title, "description": description, "min": 0, "max": 100, "suffix": "%", "scale": scale,
            "format": "{:,.2f}", **more}


def _bases(title, description, scale):
    return {"title": title, "description": description, "min": 0, "suffix": " bp", "scale": scale, "format": "{:,.0f}"}


def _reads(config):
    """In the unit of MultiQC's settings, by default millions. An empty suffix: newer releases would repeat the unit."""
    multiplier = config.read_count_multiplier
    return {"title": f"{config.read_count_prefix} Reads", "description": f"Reads ({config.read_count_desc})", "min": 0,
            "scale": "PuBu", "shared_key": "read_count", "modify": lambda count: count * multiplier,
            "format": "{:,.2f}", "suffix": ""}


def general_columns(config):
    """`config` is MultiQC's."""
    return OrderedDict({
        "reads_total": _reads(config),
        "percent_mapped": _percent("% Mapped", "Mapped reads of all reads", "RdYlGn"),
        "percent_mapq20": _percent("% MAPQ≥20", "Reads with a mapping quality of 20 or more of all reads", "RdYlGn"),
        "percent_proper": _percent("% Proper", "Properly paired (flag 0x2) of all pairs", "RdYlGn"),
        "insert_size_median": _bases("Insert size", "Median insert size of proper pairs, in bases", "GnBu"),
        "percent_duplicates": _percent("% Dups", "Reads marked as duplicates of the mapped reads", "OrRd"),
        "percent_mismatches": _percent("% Mismatches", "Mismatches of the aligned bases of reads that are not long",
                                       "OrRd", max=5, format="{:,.3f}"),
        "long_n50": _bases("N50", "N50 of reads of more than 1,000 bases: half of the bases are in reads that long or "
                           "longer", "Blues"),
        "long_identity_median": _percent("% Identity", "Median identity of mapped long reads, rounded down", "RdYlGn",
                                         min=80, format="{:,.0f}"),
        "mean_depth": {"title": "Depth", "description": "Mean depth of the genome, without N, of primary and "
                       "supplementary alignments", "min": 0, "suffix": "X", "scale": "BuPu", "format": "{:,.2f}"},
        "percent_covered": _percent("% Covered", "Bases of the genome, without N, with a depth of at least 1", "Greens",
                                    hidden=True),
    })


def library_columns():
    def count(title, description, **more):
        return {"title": title, "description": description, "min": 0, "scale": "GnBu", "format": "{:,.0f}", **more}

    return OrderedDict({
        "read_pairs_examined": count("Pairs", "Pairs with both mates mapped"),
        "pair_duplicates": count("Pair dups", "Pairs marked as duplicates", scale="OrRd"),
        "unpaired_reads_examined": count("Unpaired", "Mapped reads without a mapped mate"),
        "unpaired_duplicates": count("Unpaired dups", "Unpaired reads marked as duplicates", scale="OrRd"),
        "duplicate_share": _percent("% Dups", "Reads marked as duplicates of those examined", "OrRd",
                                    modify=lambda share: 100 * share),
        "estimated_library_size": count("Size", "Estimated number of different fragments in the library"),
    })


def run_columns():
    return OrderedDict({
        "version": {"title": "Version", "description": "Version of warpseed", "scale": False},
        "reference": {"title": "Index", "description": "The index's path, as given", "scale": False},
        "reference_checksum": {
            "title": "Checksum",
            "description": "Checksum of the index, as warpseed inspect shows it: equal ones are one reference",
            "scale": False,
        },
        "reference_bases": {"title": "Bases", "description": "Bases of the reference, N included", "scale": False,
                            "format": "{:,.0f}"},
    })
