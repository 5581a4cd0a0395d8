"""The data of plots: dicts by name of the line and x, from {sample: report}. Knows nothing of MultiQC."""

from .reports import insert_sizes, percent

MAX_CONTIGS = 100  # the longest ones of each report, in its order
MAPQ_RANGES = ((60, None), (50, 60), (40, 50), (30, 40), (20, 30), (1, 20), (0, 1))  # half-open
MAPQ_NAMES = {f"mapq_{low}": "60 and more" if end is None else "0" if low == 0 else f"{low} to {end - 1}"
              for low, end in MAPQ_RANGES}
MAPQ_NAMES["unmapped"] = "Unmapped"
ENDS = {"reads": "", "first_mates": ", first mates", "second_mates": ", second mates", "long_reads": ", long reads"}


def without_empty(lines):
    return {name: line for name, line in lines.items() if line}


def _filled(counts):
    """With zeros for the values between the least and the greatest."""
    return {value: counts.get(value, 0) for value in range(min(counts), max(counts) + 1)} if counts else {}


def _shares(counts):
    whole = sum(counts.values())
    return {value: percent(count, whole) for value, count in counts.items()} if whole else {}


def fates(reports):
    """[reads, pairs, single reads among pairs, records]: numbers by fate; of pairs, the six fates of the HTML report."""
    reads, singles = ({name: {fate: report[group][fate] for fate in ("unique", "repeated", "unmapped")}
                       for name, report in reports.items() if group in report} for group in ("reads", "single_reads"))
    pairs = {}
    for name, report in reports.items():
        if "pairs" in report:
            counts = report["pairs"]
            pairs[name] = {
                "proper_unique": counts["proper_unique"],
                "proper_repeated": counts["proper"] - counts["proper_unique"],
                "discordant_unique": counts["discordant_unique"],
                "discordant_repeated": counts["discordant"] - counts["discordant_unique"],
                "lone": counts["lone"],
                "unmapped": counts["unmapped"],
            }
    return reads, pairs, singles, {name: dict(report["records"]) for name, report in reports.items()}


def mapping_qualities(reports):
    """Reads by MAPQ_NAMES."""
    lines = {}
    for name, report in reports.items():
        counts = report["mapping_qualities"]
        line = {f"mapq_{low}": sum(counts[low:end]) for low, end in MAPQ_RANGES}
        lines[name] = {**line, "unmapped": report["reads"]["unmapped"]}
    return lines


def insert_size_lines(reports):
    """[pairs, % of the proper pairs, pairs by read group and orientation] by insert size."""
    pairs = without_empty({name: _filled(insert_sizes(report)) for name, report in reports.items()})
    parts = {}
    for name, report in reports.items():
        for group in report.get("insert_sizes", []):
            for orientation, rows in group["proper_sizes_by_orientation"].items():
                whose = [name] if group["read_group"] is None else [name, group["read_group"]]
                parts[", ".join([*whose, orientation])] = _filled(dict(map(tuple, rows)))
    return pairs, {name: _shares(line) for name, line in pairs.items()}, without_empty(parts)


def by_position(reports, group, what, scale=1):
    """A member of each end's arrays by position in the read, from 1. Positions without a value are left out."""
    lines = {}
    for name, report in reports.items():
        for end, arrays in report[group].items():
            values = enumerate(arrays[what], start=1)
            lines[name + ENDS[end]] = {position: scale * value for position, value in values if value is not None}
    return without_empty(lines)


def gc_content(reports):
    """% of reads by GC content."""
    lines = {}
    for name, report in reports.items():
        for end, counts in report["gc_percent"].items():
            lines[name + ENDS[end]] = _shares(dict(enumerate(counts)))
    return without_empty(lines)


def depth_along_genome(reports):
    """Mean depth of each window by its begin in Mb, contigs one after another. Empty unless all have one reference."""
    if len({report["reference"]["checksum"] for report in reports.values()}) != 1:
        return {}
    lines = {}
    for name, report in reports.items():
        line, begin = lines.setdefault(name, {}), 0
        for contig in report["coverage"]["contigs"]:
            for i, depth in enumerate(contig["depth"]):
                if depth is not None:
                    line[(begin + i * report["coverage"]["window_bases"]) / 1e6] = depth
            begin += contig["length"]
    return without_empty(lines)


def depth_by_contig(reports):
    """[mean depth, % covered] by contig; empty if no report has more than one."""
    depth, covered = {}, {}
    for name, report in reports.items():
        contigs = [contig for contig in report["coverage"]["contigs"] if contig["known_bases"]]
        least = sorted((contig["length"] for contig in contigs), reverse=True)[:MAX_CONTIGS][-1:] or [0]
        contigs = [contig for contig in contigs if contig["length"] >= least[0]][:MAX_CONTIGS]
        depth[name] = {contig["name"]: contig["mean_depth"] for contig in contigs}
        covered[name] = {contig["name"]: percent(contig["covered_bases"], contig["known_bases"]) for contig in contigs}
    if max((len(line) for line in depth.values()), default=0) < 2:
        return {}, {}
    return without_empty(depth), without_empty(covered)


def long_reads(reports):
    """[reads by length in kb, % of the mapped long reads by identity in percent]."""
    kept = {name: report["long_reads"] for name, report in reports.items() if "long_reads" in report}
    lengths = {}
    for name, counts in kept.items():
        thousands = _filled({begin // 1000: count for begin, count in counts["lengths"]})
        lengths[name] = thousands
    identities = {name: _shares(dict(enumerate(counts["identity_percent"]))) for name, counts in kept.items()}
    return without_empty(lengths), without_empty(identities)
