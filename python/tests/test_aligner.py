"""Aligner: the records of `warpseed align`, mappy's names, options, errors."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import warpseed
from conftest import DEMO, random_bases, reverse_complement

R1 = DEMO / "NA12878_chr20_10.0-10.1Mb_R1.fastq.gz"
R2 = DEMO / "NA12878_chr20_10.0-10.1Mb_R2.fastq.gz"


def columns(paths):
    """Names, bases and qualities of FASTQ files: names, seqs1, quals1, seqs2, quals2."""
    names, texts = None, []
    for path in paths:
        reads = list(warpseed.fastx_read(path))
        names = [read[0] for read in reads]
        texts += [[read[1] for read in reads], [read[2] for read in reads]]
    return names, texts


def sam_fields(line):
    """The fields of a SAM line that an Alignment has."""
    fields = line.split("\t")
    return (int(fields[1]), fields[2], int(fields[3]) - 1, int(fields[4]), fields[5], int(fields[8]), *fields[11:])


def fields_of(alignment):
    a = alignment
    return (a.flag, a.ctg, a.r_st, a.mapq, a.sam_cigar, a.template_length, *a.tags.split("\t"))


def aligned_lines(sam):
    return [line for line in sam.splitlines() if line[0] != "@" and not int(line.split("\t")[1]) & 4]


def all_alignments(batch):
    return [alignment for read in batch for alignment in read]


@pytest.fixture(scope="session")
def long_reads(demo_index, tmp_path_factory):
    """FASTQ of reads of 1,500 to 6,000 bases of the reference with differences, one of them split."""
    import random

    generator = random.Random(5)
    index = demo_index[0]
    reads = []
    for i in range(12):
        begin, length = generator.randrange(1_000_000, 1_900_000), generator.randrange(1500, 6000)
        bases = list(index.bases(0, begin, begin + length))
        for at in range(50, length - 50, 97):
            bases[at] = generator.choice(["", "A", "ACG", bases[at]])
        read = "".join(bases)
        if i == 3:
            read += index.bases(0, 200_000, 202_000)
        reads.append(read if i % 2 else reverse_complement(read))
    path = tmp_path_factory.mktemp("long") / "long.fq"
    path.write_text("".join(f"@long{i}\n{read}\n+\n{'I' * len(read)}\n" for i, read in enumerate(reads)))
    return path


def test_single_reads_are_the_programs(program, demo_index, demo_reads):
    index, path = demo_index
    names, (seqs, quals) = columns(demo_reads[:1])
    batch = warpseed.Aligner(index).map_batch(names, seqs)
    found = all_alignments(batch)
    expected = aligned_lines(program("align", "--quiet", path, demo_reads[0]))
    assert [fields_of(a) for a in found] == [sam_fields(line) for line in expected]
    assert [a.name for a in found] == [line.split("\t")[0] for line in expected]
    assert len(batch) == 1500 and not batch.paired
    assert 1300 < len(found) < 1500 + 50


def test_pairs_are_the_programs(program, demo_index, demo_reads):
    index, path = demo_index
    names, (seqs1, quals1, seqs2, quals2) = columns(demo_reads)
    batch = warpseed.Aligner(str(path), backend=index.backend).map_batch(names, seqs1, seqs2, quals1, quals2)
    found = all_alignments(batch)
    expected = aligned_lines(program("align", "--quiet", path, *demo_reads))
    assert [fields_of(a) for a in found] == [sam_fields(line) for line in expected]
    assert batch.paired and len(batch) == 1500
    assert {a.read_num for a in found} == {1, 2}
    assert all(a.read_num == (1 if a.flag & 0x40 else 2) for a in found)


@pytest.mark.parametrize(
    "flags, options",
    [
        (["-k", 25, "-T", 40], {"min_seed": 25, "min_score": 40}),
        (["-a"], {"report_all": True}),
        (["-Y", "--cs", "short", "--eqx"], {"soft_clip_split": True, "cs": "short", "eqx": True}),
        (["-M", "--cs", "long", "--ds"], {"split_as_secondary": True, "cs": "long", "ds": True}),
        (["-B", 3, "-U", 9], {"scoring": {"mismatch": 3, "unpaired": 9}}),
        (["-S", "-P"], {"rescue_mates": False, "pairing": False}),
    ],
)
def test_options_are_the_programs(program, demo_index, demo_reads, flags, options):
    index, path = demo_index
    names, (seqs1, _, seqs2, _) = columns(demo_reads)
    batch = warpseed.Aligner(index, **options).map_batch(names, seqs1, seqs2)
    expected = aligned_lines(program("align", "--quiet", path, *demo_reads, *flags))
    assert [fields_of(a) for a in all_alignments(batch)] == [sam_fields(line) for line in expected]


@pytest.mark.parametrize("preset", ["auto", "hifi", "sr"])
def test_text_is_the_programs_paf(program, demo_index, demo_reads, long_reads, preset):
    index, path = demo_index
    for reads in (demo_reads[0], long_reads):
        names, (seqs, _) = columns([reads])
        batch = warpseed.Aligner(index, preset, cs="short").map_batch(names, seqs)
        flags = ["-x", preset, "--cs", "short", "--output-format", "paf"]
        lines = program("align", "--quiet", path, reads, *flags).splitlines()
        assert [f"{a.name}\t{len(a.query)}\t{a}" for a in all_alignments(batch)] == lines
        assert len(lines) > 10


def test_mappys_names(demo_index):
    index = demo_index[0]
    bases = index.bases(0, 1_500_000, 1_500_150)
    read = "ACGTTGCA" + reverse_complement(bases[:60] + bases[63:100] + "T" + bases[100:])
    (hit,) = warpseed.Aligner(index, cs="short").map("read", read)
    assert (hit.ctg, hit.ctg_len, hit.strand, hit.trans_strand) == (index.names[0], 2_000_000, -1, 0)
    assert (hit.r_st, hit.r_en) == (1_500_000, 1_500_150)
    assert (hit.q_st, hit.q_en) == (8, len(read))
    assert hit.blen == hit.mlen + hit.NM == 151
    assert hit.NM == 4
    assert sum(length for length, op in hit.cigar if op != 2) == len(read) - 8
    assert sum(length for length, op in hit.cigar if op != 1) == 150
    assert "".join(f"{length}{'MIDNSHP=X'[op]}" for length, op in hit.cigar) == hit.cigar_str
    assert hit.sam_cigar == hit.cigar_str + "8S"
    assert "S" not in hit.cigar_str
    assert hit.is_primary and not hit.is_supplementary and hit.read_num == 1
    assert (hit.name, hit.query, hit.qualities, hit.mapq) == ("read", read, None, 60)
    assert hit.cs.startswith(":") and hit.MD and hit.mate is None
    assert str(hit) in repr(hit)


def test_split_long_read(demo_index, long_reads):
    reads = [read[1] for read in warpseed.fastx_read(long_reads)]
    hits = list(warpseed.Aligner(demo_index[0]).map("split", reads[3]))
    assert len(hits) == 2
    assert [hit.is_supplementary for hit in hits] == [False, True]
    assert all(hit.is_primary and hit.SA for hit in hits)
    assert sorted((hit.q_st, hit.q_en) for hit in hits)[1][1] == len(reads[3])


def test_one_by_one_is_as_in_a_batch(demo_index, demo_reads):
    index = demo_index[0]
    names, (seqs, quals) = columns(demo_reads[:1])
    aligner = warpseed.Aligner(index)
    one_by_one = [[fields_of(a) for a in aligner.map(*read)] for read in zip(names[:300], seqs)]
    batch = warpseed.Aligner(index).map_batch(names[:300], seqs[:300], quals1=quals[:300])
    assert one_by_one == [[fields_of(a) for a in read] for read in batch]


def test_a_single_pair_takes_given_fragment_lengths(demo_index, demo_reads):
    names, (seqs1, _, seqs2, _) = columns(demo_reads)
    aligner = warpseed.Aligner(demo_index[0])
    hits = list(aligner.map(names[0], seqs1[0], seqs2[0]))
    assert [hit.read_num for hit in hits] == [1, 2]
    assert not hits[0].is_proper_pair
    aligner.set_fragment_length(400, 100)
    hits = list(aligner.map(names[0], seqs1[0], seqs2[0]))
    assert hits[0].is_proper_pair and hits[0].mate[1] == hits[1].r_st
    with pytest.raises(warpseed.InputError):
        aligner.set_fragment_length(-1)


def test_files_are_as_lists(demo_index, demo_reads):
    index = demo_index[0]
    names, (seqs1, quals1, seqs2, quals2) = columns(demo_reads)
    batch = warpseed.Aligner(index).map_batch(names, seqs1, seqs2, quals1, quals2)
    (from_files,) = warpseed.Aligner(index).map_files(*demo_reads)
    assert [fields_of(a) for a in all_alignments(from_files)] == [fields_of(a) for a in all_alignments(batch)]
    assert [from_files.read(i) for i in (0, 1, 2999)] == [batch.read(i) for i in (0, 1, 2999)]
    (single,) = warpseed.Aligner(index).map_files(demo_reads[0])
    assert not single.paired and len(single) == 1500


def test_table_is_as_the_objects(demo_index, demo_reads):
    (batch,) = warpseed.Aligner(demo_index[0]).map_files(*demo_reads)
    table = batch.to_numpy()
    rows = [(i, alignment) for i, read in enumerate(batch) for alignment in read]
    assert table["read"].tolist() == [i for i, _ in rows]
    for name in table.dtype.names[1:]:
        assert table[name].tolist() == [getattr(alignment, name) for _, alignment in rows], name


def test_threads_with_an_aligner_each(demo_index, demo_reads):
    names, (seqs, _) = columns(demo_reads[:1])

    def aligned(_):
        batch = warpseed.Aligner(demo_index[0]).map_batch(names[:500], seqs[:500])
        return [fields_of(a) for a in all_alignments(batch)]

    expected = aligned(0)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(aligned, range(8)))


def test_threads_with_one_aligner(demo_index, demo_reads):
    """Calls take turns; where a read aligns does not depend on its number if one position is the best."""
    seqs = [read[1] for read in warpseed.fastx_read(demo_reads[0])][:500]
    aligner = warpseed.Aligner(demo_index[0])

    def certain(_):
        table = aligner.map_batch(None, seqs).to_numpy()
        return table[table["mapq"] == 60][["read", "r_st", "flag"]].tolist()

    expected = certain(0)
    assert len(expected) > 300
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(certain, range(8)))


def test_batches_are_sequences(demo_index, demo_reads):
    (batch,) = warpseed.Aligner(demo_index[0]).map_files(demo_reads[0])
    assert fields_of(batch[-1][0]) == fields_of(batch[1499][0])
    with pytest.raises(IndexError):
        batch[1500]
    alignment = batch[0][0]
    del batch
    assert alignment.ctg == demo_index[0].names[0]
    assert len(warpseed.Aligner(demo_index[0]).map_batch([], [])) == 0
    assert list(warpseed.Aligner(demo_index[0]).map("none", "")) == []


def test_errors_say_what_is_wrong(demo_index, tmp_path):
    index = demo_index[0]
    aligner = warpseed.Aligner(index)
    with pytest.raises(warpseed.InputError, match="min_seed is 5"):
        warpseed.Aligner(index, min_seed=5)
    with pytest.raises(TypeError, match="unknown option seeds"):
        warpseed.Aligner(index, seeds=5)
    with pytest.raises(TypeError, match="unknown option scoring gap"):
        warpseed.Aligner(index, scoring={"gap": 5})
    with pytest.raises(TypeError, match="min_seed"):
        warpseed.Aligner(index, min_seed="many")
    with pytest.raises(warpseed.InputError, match="longest"):
        warpseed.Aligner(index, "longest")
    with pytest.raises(warpseed.InputError, match="ALT contig"):
        warpseed.Aligner(index, alt_contigs=["none"])
    with pytest.raises(ValueError, match="short"):
        warpseed.Aligner(index, cs="yes")
    with pytest.raises(warpseed.InputError, match="read 1: position 2"):
        aligner.map_batch(None, ["ACGT", "AC!T"])
    with pytest.raises(ValueError, match="names: 1"):
        aligner.map_batch(["a"], ["ACGT", "ACGT"])
    with pytest.raises(ValueError, match="seqs2: 1"):
        aligner.map_batch(None, ["ACGT", "ACGT"], ["ACGT"])
    with pytest.raises(ValueError, match="4 bases and 3 qualities"):
        aligner.map_batch(None, ["ACGT"], quals1=["III"])
    with pytest.raises(TypeError, match="list"):
        aligner.map_batch(None, "ACGT")
    with pytest.raises(TypeError, match="str or bytes"):
        aligner.map("a", 5)
    (tmp_path / "bad.fq").write_text("@a\nACGT\n+\nII\n")
    with pytest.raises(warpseed.InputError, match="bad.fq:"):
        list(aligner.map_files(tmp_path / "bad.fq"))
    with pytest.raises(warpseed.InputError, match="bad.fq:"):
        list(warpseed.fastx_read(tmp_path / "bad.fq"))


def test_reads_of_files(tmp_path):
    (tmp_path / "a.fa").write_text(">a some words\nACGT\nAC\n>b\nN\n")
    assert list(warpseed.fastx_read(tmp_path / "a.fa")) == [("a", "ACGTAC", None), ("b", "N", None)]
    assert next(warpseed.fastx_read(str(tmp_path / "a.fa"), read_comment=True)) == ("a", "ACGTAC", None, "some words")
    assert sum(1 for _ in warpseed.fastx_read(R1)) == 21405


class TestLongCalls:
    """Of 128,000 single reads, which take a second or more."""

    @pytest.fixture(scope="class")
    def many(self):
        return [read[1] for read in warpseed.fastx_read(R1)] * 6

    def test_other_threads_run_meanwhile(self, demo_index, many):
        aligner = warpseed.Aligner(demo_index[0])
        ticks, done = [], threading.Event()

        def tick():
            while not done.wait(0.001):
                ticks.append(None)

        thread = threading.Thread(target=tick)
        thread.start()
        aligner.map_batch(None, many[:21405])
        done.set()
        thread.join()
        assert len(ticks) > 20

    def test_ctrl_c_ends_a_call(self, demo_index, many):
        aligner = warpseed.Aligner(demo_index[0])
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            aligner.map_batch(None, many)
            time.sleep(5)  # the signal came late
            pytest.fail("no KeyboardInterrupt")
        timer.join()
        assert len(list(aligner.map("again", many[0]))) > 0

    def test_parts_of_a_call_are_as_one(self, demo_index, many):
        """More reads than one part has, against calls of another size."""
        whole = warpseed.Aligner(demo_index[0]).map_batch(None, many[:40_000]).to_numpy()
        aligner = warpseed.Aligner(demo_index[0])
        parts = [aligner.map_batch(None, many[begin : begin + 15_000]).to_numpy() for begin in range(0, 30_000, 15_000)]
        parts.append(aligner.map_batch(None, many[30_000:40_000]).to_numpy())
        names = [name for name in whole.dtype.names if name != "read"]
        assert np.array_equal(whole[names], np.concatenate(parts)[names])
