"""Records for pysam are the lines of `warpseed align`."""

import subprocess
import sys

import pytest
import warpseed

pysam = pytest.importorskip("pysam", reason="python3-pysam is not installed")


def records(sam):
    return [line for line in sam.splitlines() if line[0] != "@"]


def header_of(index, read_group=None):
    header = index.sam_header()
    if read_group:
        header["RG"] = [{"ID": read_group, "SM": "sample"}]
    return pysam.AlignmentHeader.from_dict(header)


@pytest.mark.parametrize("options", [{}, {"report_all": True}, {"cs": "short", "split_as_secondary": True}])
@pytest.mark.parametrize("paired", [False, True])
def test_records_are_the_programs(program, demo_index, demo_reads, paired, options):
    index, path = demo_index
    reads = demo_reads if paired else demo_reads[:1]
    header = header_of(index, "g")
    flags = {"report_all": ["-a"], "cs": ["-M", "--cs", "short"]}.get(next(iter(options), None), [])
    expected = records(program("align", "--quiet", path, *reads, "-R", "@RG\\tID:g\\tSM:sample", *flags))
    found = []
    for batch in warpseed.Aligner(index, **options).map_files(*reads):
        found += [segment.to_string() for segment in batch.to_pysam(header, "g")]
    assert len(found) == len(expected)
    assert found == expected
    assert sum(int(line.split("\t")[1]) & 4 > 0 for line in found) > 20


def test_the_aligners_read_group_is_the_programs(program, demo_index, demo_reads):
    index, path = demo_index
    line = "@RG\\tID:g 1\\tSM:sample"
    aligner = warpseed.Aligner(index, read_group=line)
    assert aligner.read_group_line == "@RG\tID:g 1\tSM:sample"
    header = index.sam_header()
    header["RG"] = [dict(field.split(":", 1) for field in aligner.read_group_line.split("\t")[1:])]
    header = pysam.AlignmentHeader.from_dict(header)
    expected = records(program("align", "--quiet", path, *demo_reads, "-R", line))
    found, others = [], []
    for batch in aligner.map_files(*demo_reads):
        assert batch.read_group == "g 1"
        assert all(alignment.RG == "g 1" for read in batch for alignment in read)
        found += [segment.to_string() for segment in batch.to_pysam(header)]
        others += [segment.get_tag("RG") for segment in batch.to_pysam(header, "other")]
    assert found == expected
    assert set(others) == {"other"} and len(others) == len(found)
    with pytest.raises(warpseed.InputError, match="has no ID"):
        warpseed.Aligner(index, read_group="@RG\tSM:s")


def test_a_written_file_comes_back(demo_index, demo_reads, tmp_path):
    index = demo_index[0]
    header = header_of(index)
    (batch,) = warpseed.Aligner(index).map_files(*demo_reads)
    with pysam.AlignmentFile(str(tmp_path / "a.bam"), "wb", header=header) as file:
        for segment in batch.to_pysam(header):
            file.write(segment)
    with pysam.AlignmentFile(str(tmp_path / "a.bam"), check_sq=False) as file:
        back = [segment for segment in file if not segment.is_unmapped]
    alignments = [alignment for read in batch for alignment in read]
    assert len(back) == len(alignments)
    for segment, alignment in zip(back, alignments):
        assert segment.query_name == alignment.name
        assert segment.reference_name == alignment.ctg
        assert (segment.reference_start, segment.reference_end) == (alignment.r_st, alignment.r_en)
        assert segment.get_tag("NM") == alignment.NM and segment.get_tag("MD") == alignment.MD
        if not segment.is_supplementary:
            assert segment.get_forward_sequence() == alignment.query


def test_one_record(demo_index):
    index = demo_index[0]
    read = index.bases(0, 1_200_000, 1_200_100)
    (hit,) = warpseed.Aligner(index).map("r", read, qual1="I" * 100)
    segment = hit.to_pysam(header_of(index))
    assert segment.to_string().split("\t")[:11] == [
        *("r", "0", index.names[0], "1200001", "60", "100M", "*", "0", "0"), read, "I" * 100]


def test_the_package_works_without_pysam():
    code = "import sys; sys.modules['pysam'] = None; import warpseed; print(warpseed.suffix_array('banana').tolist())"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[5, 3, 1, 0, 4, 2]\n"
