"""Index: counts and positions against str.find and `warpseed query`."""

import gzip
import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import warpseed
from conftest import BACKENDS, DEMO, random_bases, reverse_complement


def starts(text, pattern):
    """Every position of a pattern in a text, overlaps included."""
    found, at = [], text.find(pattern)
    while pattern and at >= 0:
        found.append(at)
        at = text.find(pattern, at + 1)
    return found


def expected_locations(contigs, patterns, strands=(1, -1)):
    """(pattern, contig, begin, end, strand) by str.find."""
    rows = []
    for number, pattern in enumerate(patterns):
        hits = []
        for contig, (_, bases) in enumerate(contigs):
            for strand in strands:
                wanted = pattern if strand > 0 else reverse_complement(pattern)
                for meaning in map("".join, itertools.product(*("ACGT" if base == "N" else base for base in wanted))):
                    hits += [(contig, begin, -strand, begin + len(pattern)) for begin in starts(bases, meaning)]
        rows += [(number, contig, begin, end, -minus) for contig, begin, minus, end in sorted(hits)]
    return rows


@pytest.fixture(params=BACKENDS)
def world(request, generator):
    repeat = random_bases(generator, 50)
    contigs = [
        ("one", random_bases(generator, 3000) + repeat + "NNN" + repeat),
        ("two", reverse_complement(repeat) + random_bases(generator, 700, "AC") + "A"),
    ]
    patterns = [random_bases(generator, length) for length in range(1, 9) for _ in range(20)]
    patterns += [repeat, repeat[5:30], "", "N", "ACNGT", contigs[0][1][100:160], "ACGT"]
    return contigs, patterns, warpseed.Index.build_from_sequences(contigs, backend=request.param, threads=2)


def test_contigs(world):
    contigs, _, index = world
    assert len(index) == 2
    assert index.names == ["one", "two"]
    assert index.lengths.tolist() == [len(bases) for _, bases in contigs]
    assert index.bases("two") == contigs[1][1]
    assert index.bases(0, 3040, 3060) == contigs[0][1][3040:3060]
    assert index.threads == 2
    assert index.backend in ("cpu", "cuda:0")
    with pytest.raises(KeyError):
        index.bases("three")
    with pytest.raises(IndexError):
        index.bases(2)
    with pytest.raises(ValueError):
        index.bases("two", 0, 10_000)


def test_find_and_locate_agree_with_str_find(world):
    contigs, patterns, index = world
    expected = expected_locations(contigs, patterns)
    found = index.locate(patterns)
    assert found.tolist() == expected
    assert len(expected) > 1000
    counts = index.find(patterns)
    assert counts["total"].tolist() == np.bincount([row[0] for row in expected], minlength=len(patterns)).tolist()
    for name, strand in (("forward", 1), ("reverse", -1)):
        one = [row[0] for row in expected if row[4] == strand]
        assert counts[name].tolist() == np.bincount(one, minlength=len(patterns)).tolist()
        assert index.locate(patterns, strand=name).tolist() == expected_locations(contigs, patterns, (strand,))
        assert index.find(patterns, strand=name)["total"].tolist() == counts[name].tolist()


def test_patterns_come_in_several_forms(world):
    _, patterns, index = world
    counts = index.find(patterns).tolist()
    assert index.find([pattern.encode() for pattern in patterns]).tolist() == counts
    assert index.find(tuple(patterns)).tolist() == counts
    assert index.find(np.array(patterns)).tolist() == counts
    assert index.find(np.array([p.encode() for p in patterns])).tolist() == counts
    letters = np.frombuffer("".join(patterns).encode(), np.uint8)
    offsets = np.cumsum([0] + [len(pattern) for pattern in patterns])
    assert index.find((letters, offsets)).tolist() == counts
    codes = np.searchsorted(np.frombuffer(b"ACGNT", np.uint8), letters)
    codes = np.array([0, 1, 2, 4, 3], np.uint8)[codes]
    assert index.find((codes, offsets.astype(np.uint64))).tolist() == counts
    eights = [pattern for pattern in patterns if len(pattern) == 8]
    matrix = np.array([list(pattern.encode()) for pattern in eights], np.uint8)
    assert index.find(matrix).tolist() == index.find(eights).tolist()
    assert index.find(matrix[:, ::2]).tolist() == index.find([pattern[::2] for pattern in eights]).tolist()
    assert index.locate((codes, offsets)).tolist() == index.locate(patterns).tolist()


def test_nothing_in_nothing_out(world):
    index = world[2]
    assert len(index.find([])) == 0
    assert len(index.locate([])) == 0
    assert index.locate([]).dtype.names == ("pattern", "contig", "begin", "end", "strand")
    assert len(index.find(np.zeros((0, 5), np.uint8))) == 0
    assert index.find(np.zeros((3, 0), np.uint8))["total"].tolist() == [0, 0, 0]


def test_agrees_with_the_program(program, demo_index, generator, tmp_path):
    index, path = demo_index
    with gzip.open(DEMO / "chr20_9-11Mb.fa.gz", "rt") as file:
        text = "".join(line.strip() for line in file if line[0] != ">").upper()
    patterns = []
    for length in (6, 9, 12, 20, 50):
        patterns += [text[at : at + length] for at in (generator.randrange(len(text) - 60) for _ in range(100))]
    patterns += [random_bases(generator, 9) for _ in range(100)] + ["", "ACNT"]
    file = tmp_path / "patterns.fa"
    file.write_text("".join(f">{i}\n{pattern}\n" for i, pattern in enumerate(patterns)))

    rows = [line.split("\t") for line in program("query", path, file, "-q").splitlines()[1:]]
    counts = [(int(row[2]), int(row[3]), int(row[4])) for row in rows]
    assert index.find(patterns).tolist() == counts
    for most in (5, 10**9):
        lines = program("query", path, file, "-q", "--locate", "--max-hits", most).splitlines()[1:]
        rows = [line.split("\t") for line in lines]
        found = index.locate(patterns, max_hits=most)
        assert [(int(row[0]), int(row[2]), int(row[3]), 1 if row[4] == "+" else -1) for row in rows] == [
            (row["pattern"], row["begin"], row["end"], row["strand"]) for row in found
        ]
        assert {row[1] for row in rows} == {index.names[number] for number in set(found["contig"].tolist())}


def test_more_patterns_than_a_part_has(world):
    contigs, _, index = world
    patterns = [contigs[0][1][i % 3000 : i % 3000 + 20] for i in range(70_000)]
    found = index.locate(patterns)
    assert found["pattern"].max() == 69_999
    assert np.all(np.bincount(found["pattern"], minlength=70_000) == index.find(patterns)["total"])
    assert found["begin"][found["pattern"] == 69_999].tolist() == index.locate(patterns[-1:])["begin"].tolist()


def test_files_are_the_programs(program, tmp_path, world):
    contigs, patterns, _ = world
    fasta = tmp_path / "two.fa"
    fasta.write_text("".join(f">{name}\n{bases}\n" for name, bases in contigs))
    program("index", "-q", "--backend", "cpu", fasta)
    index = warpseed.Index.build(fasta, tmp_path / "module.wsi", backend="cpu")
    assert (tmp_path / "module.wsi").read_bytes() == (tmp_path / "two.fa.wsi").read_bytes()
    warpseed.Index.build([fasta], backend="cpu").save(tmp_path / "saved.wsi")
    assert (tmp_path / "saved.wsi").read_bytes() == (tmp_path / "two.fa.wsi").read_bytes()
    opened = warpseed.Index.open(str(tmp_path / "two.fa.wsi"))
    assert opened.find(patterns).tolist() == index.find(patterns).tolist()


def test_threads_may_share_an_index(world):
    _, patterns, index = world
    expected = index.locate(patterns).tolist()
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: index.locate(patterns).tolist(), range(20)):
            assert found == expected


def test_errors_say_what_is_wrong(world, tmp_path):
    index = world[2]
    with pytest.raises(warpseed.InputError, match="pattern 1: position 2: letter '!'"):
        index.find(["ACGT", "AC!"])
    assert issubclass(warpseed.InputError, ValueError)
    assert issubclass(warpseed.IoError, OSError)
    assert issubclass(warpseed.BackendError, RuntimeError)
    (tmp_path / "bad.fa").write_text(">a\nACGT\nAC*T\n")
    with pytest.raises(warpseed.InputError, match=r"bad.fa:3"):
        warpseed.Index.build(tmp_path / "bad.fa")
    (tmp_path / "no.wsi").write_text("nothing")
    with pytest.raises(warpseed.InputError):
        warpseed.Index.open(tmp_path / "no.wsi")
    with pytest.raises(warpseed.IoError):
        index.save(tmp_path / "no" / "such" / "folder.wsi")
    with pytest.raises(warpseed.InputError, match="gpu"):
        warpseed.Index.open(tmp_path / "no.wsi", backend="gpu")
    with pytest.raises(TypeError, match="list"):
        index.find("ACGT")
    with pytest.raises(TypeError, match="str or bytes, not int"):
        index.find([5])
    with pytest.raises(TypeError, match=r"uint8 \[patterns, length\]"):
        index.find(np.zeros(4, np.uint8))
    with pytest.raises(ValueError, match="offsets"):
        index.find((np.zeros(4, np.uint8), [0, 5]))
    with pytest.raises(ValueError, match="offsets"):
        index.find((np.zeros(4, np.uint8), [3, 2]))
    with pytest.raises(ValueError, match="strand"):
        index.find(["A"], strand="left")


@pytest.mark.skipif(not warpseed.why_no_gpu(), reason="a GPU is usable")
def test_a_missing_gpu_is_a_backend_error(world):
    with pytest.raises(warpseed.BackendError, match="cuda"):
        warpseed.Index.build_from_sequences(world[0], backend="cuda")
