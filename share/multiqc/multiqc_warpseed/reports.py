"""Checks the reports of `warpseed align --json` and takes the numbers of tables from them. Knows nothing of MultiQC."""

import json

SCHEMA_VERSION = 1  # of share/schema/align_report.schema.json; members that are added do not change it


class ReportError(ValueError):
    """The file is no report, or one that this module does not know. The message says why and what to do."""


def parse_report(text):
    """The report as a dict; throws ReportError."""
    try:
        report = json.loads(text)
    except ValueError as error:
        raise ReportError(f"is no JSON ({error}); was it cut off?") from error
    if not isinstance(report, dict) or report.get("program") != "warpseed align":
        raise ReportError('has no member "program" with the value "warpseed align" of its own')
    version = report.get("schema_version")
    if version != SCHEMA_VERSION:
        raise ReportError(
            f"has schema_version {version}, but multiqc_warpseed knows {SCHEMA_VERSION} alone; "
            f"install the multiqc_warpseed of warpseed {report.get('version')}"
        )
    return report


def sample_of(report):
    """The sample of all read groups (SM); None if there is none, or more than one."""
    samples = {group["sample"] for group in report.get("read_groups", [])}
    return samples.pop() if len(samples) == 1 else None


def insert_sizes(report):
    """Proper pairs of all read groups by insert size."""
    pairs = {}
    for group in report.get("insert_sizes", []):
        for size, count in group["proper_sizes"]:
            pairs[size] = pairs.get(size, 0) + count
    return pairs


def median(counts):
    """The median of counts by value; the lower one of two. None if nothing was counted."""
    total, seen = sum(counts.values()), 0
    for value in sorted(counts):
        seen += counts[value]
        if total > 0 and 2 * seen >= total:
            return value
    return None


def libraries(reports):
    """{"sample, library": what --mark-duplicates counted there}."""
    return {f"{name}, {one['library']}": {what: value for what, value in one.items() if value is not None}
            for name, report in reports.items() for one in report.get("duplicates", {}).get("libraries", [])}


def percent(part, whole):
    return 100 * part / whole if whole else None


def _of_short_reads(report):
    ends = report["by_position"].values()
    aligned, mismatches = (sum(sum(end[what]) for end in ends) for what in ("aligned_bases", "mismatches"))
    return {"aligned_bases": aligned, "mismatches": mismatches, "percent_mismatches": percent(mismatches, aligned)}


def _of_long_reads(long_reads):
    names = ("reads", "bases", "n50", "mapped_reads", "mapped_bases")
    numbers = {f"long_{name}": long_reads[name] for name in names}
    numbers["long_identity_median"] = median(dict(enumerate(long_reads["identity_percent"])))
    return numbers


def numbers(report):
    """One flat dict: counts under the names of the report, shares in percent. What the report lacks is left out."""
    found = {
        "version": report["version"],
        "reference": report["reference"]["index"],
        "reference_checksum": report["reference"]["checksum"],
        "reference_bases": report["reference"]["bases"],
    }
    for group in ("reads", "pairs", "single_reads", "records", "duplicates"):
        found.update({f"{group}_{name}": count for name, count in report.get(group, {}).items() if name != "libraries"})
    reads = report["reads"]
    found["reads_mapq20"] = sum(report["mapping_qualities"][20:])
    found["percent_mapped"] = percent(reads["mapped"], reads["total"])
    found["percent_mapq20"] = percent(found["reads_mapq20"], reads["total"])
    if "pairs" in report:
        found["percent_proper"] = percent(report["pairs"]["proper"], report["pairs"]["total"])
    found["insert_size_median"] = median(insert_sizes(report))
    if "duplicates" in report:
        found["percent_duplicates"] = percent(report["duplicates"]["marked"], report["duplicates"]["compared"])
    found.update(_of_short_reads(report))
    if "long_reads" in report:
        found.update(_of_long_reads(report["long_reads"]))
    coverage = report["coverage"]
    found["mean_depth"] = coverage["mean_depth"]
    found["percent_covered"] = percent(coverage["covered_bases"], coverage["known_bases"])
    return {name: value for name, value in found.items() if value is not None}
