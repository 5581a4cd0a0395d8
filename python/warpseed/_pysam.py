"""Records for pysam. Imported when a record is asked for, so that the package works without pysam."""

import pysam

_NUMBERS = {"i": int, "f": float}
_COMPLEMENT = str.maketrans("ACGTUNacgtunRYKMBDHVrykmbdhv", "TGCAANtgcaanYRMKVHDByrmkvhdb")
_PAIRED, _UNMAPPED, _MATE_UNMAPPED, _REVERSE, _MATE_REVERSE, _FIRST, _SECOND = 1, 4, 8, 16, 32, 64, 128


def _tags(alignment, read_group):
    """The tags in the order of `warpseed align`: RG follows the scores."""
    tags = []
    for field in alignment.tags.split("\t"):
        name, kind, value = field.split(":", 2)
        if name != "RG" or read_group is None:
            tags.append((name, _NUMBERS.get(kind, str)(value), kind))
    if read_group is not None:
        last_score = max(i for i, tag in enumerate(tags) if tag[0] in ("AS", "XS"))
        tags.insert(last_score + 1, ("RG", read_group, "Z"))
    return tags


def _set_bases(segment, bases, qualities):
    segment.query_sequence = bases or None
    if qualities and bases:
        segment.query_qualities = pysam.qualitystring_to_array(qualities)


def _set_bases_of(segment, alignment):
    """The bases on the forward strand, without what is clipped hard; none for further alignments (-a)."""
    if alignment.is_secondary and not alignment.SA:
        return
    bases, qualities = alignment.query, alignment.qualities
    if alignment.strand < 0:
        bases = bases[::-1].translate(_COMPLEMENT)
        qualities = qualities and qualities[::-1]
    cigar = segment.cigartuples
    begin = cigar[0][1] if cigar[0][0] == pysam.CHARD_CLIP else 0
    end = len(bases) - (cigar[-1][1] if cigar[-1][0] == pysam.CHARD_CLIP else 0)
    _set_bases(segment, bases[begin:end], qualities and qualities[begin:end])


def record(alignment, header, read_group=None):
    """The record of an alignment."""
    segment = pysam.AlignedSegment(header)
    segment.query_name = alignment.name or "*"
    segment.flag = alignment.flag
    segment.reference_id = header.get_tid(alignment.ctg)
    segment.reference_start = alignment.r_st
    segment.mapping_quality = alignment.mapq
    segment.cigarstring = alignment.sam_cigar
    if alignment._next is not None:
        segment.next_reference_id = header.get_tid(alignment._next[0])
        segment.next_reference_start = alignment._next[1]
    segment.template_length = alignment.template_length
    _set_bases_of(segment, alignment)
    segment.set_tags(_tags(alignment, read_group))
    return segment


def _unaligned(batch, number, mate, header, read_group):
    """The record of a read that is not aligned, at the position of its mate if that is aligned."""
    name, bases, qualities = batch.read(number)
    segment = pysam.AlignedSegment(header)
    segment.query_name = name or "*"
    segment.flag = _UNMAPPED
    tags = []
    if batch.paired:
        segment.flag |= _PAIRED | (_SECOND if number % 2 else _FIRST)
        if mate is None:
            segment.flag |= _MATE_UNMAPPED
        else:
            segment.flag |= _MATE_REVERSE if mate.strand < 0 else 0
            segment.reference_id = segment.next_reference_id = header.get_tid(mate.ctg)
            segment.reference_start = segment.next_reference_start = mate.r_st
            tags += [("MC", mate.sam_cigar, "Z"), ("MQ", mate.mapq, "i")]
    if read_group is not None:
        tags.append(("RG", read_group, "Z"))
    _set_bases(segment, bases, qualities)
    segment.set_tags(tags)
    return segment


def batch_records(batch, header, read_group=None):
    """All records of a batch, in the order of `warpseed align`."""
    mates = 2 if batch.paired else 1
    if read_group is None:
        read_group = batch.read_group or None
    for i in range(len(batch)):
        found = batch[i]
        by_mate = [[a for a in found if a.read_num == mate + 1] for mate in range(mates)]
        for mate in range(mates):
            if by_mate[mate]:
                for alignment in by_mate[mate]:
                    yield record(alignment, header, read_group)
            else:
                other = by_mate[1 - mate] if batch.paired else []
                yield _unaligned(batch, mates * i + mate, other[0] if other else None, header, read_group)
