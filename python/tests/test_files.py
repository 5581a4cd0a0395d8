"""The example, the page and the stubs are true of the module."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warpseed
from conftest import SOURCE

PAGE = SOURCE / "share" / "doc" / "python.md"
TOUR = SOURCE / "python" / "examples" / "tour.py"


@pytest.fixture(scope="module")
def tour():
    return subprocess.run([sys.executable, str(TOUR)], check=True, capture_output=True, text=True).stdout


def test_tour(tour):
    lines = tour.splitlines()
    assert lines[0] == "['20_9000001_11000000'] [2000000]"
    assert any(line.startswith("20_9000001_11000000 1234000 1234100 1 50M1D49M 2 60 :50-") for line in lines)
    pairs, length = re.search(r"^(\d+) proper pairs, median fragment length (\d+)$", tour, re.M).groups()
    assert int(pairs) > 20_000 and 300 < int(length) < 500
    assert "'to be'" in lines
    assert lines[-1] == "[10 20 30  5  7  9] [1 2 0 4 3 5]"


def test_page_is_cut_from_the_tour(tour):
    page = PAGE.read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    source = TOUR.read_text()
    assert len(blocks) >= 3
    for block in blocks:
        assert block in source
    outputs = re.findall(r"^```text\n(.*?)^```", page, re.M | re.S)
    assert outputs
    for output in outputs:
        assert output in tour


def test_page_names_what_there_is():
    def first_column(heading):
        part = PAGE.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (`.*?) \|", part, re.M)
        return [name for row in rows for name in re.findall(r"`([\w.]+)`", row)]

    functions = first_column("What there is")
    assert len(functions) > 10
    for name in functions:
        owner, _, function = name.rpartition(".")
        owners = [getattr(warpseed, owner)] if owner else [warpseed, warpseed.Index, warpseed.AlignmentBatch]
        assert any(hasattr(one, function) for one in owners), name
    fields = first_column("mappy's names")
    assert len(fields) > 25
    for name in fields:
        assert hasattr(warpseed.Alignment, name), name


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_stubs_name_what_there_is():
    tree = ast.parse((Path(warpseed.__file__).parent / "_warpseed.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    typing_only = {"Scoring", "LongScoring", "_OnDevice"}
    assert set(stubs) - typing_only == public(warpseed.__all__)
    for name in ("Index", "Alignment", "AlignmentBatch", "Aligner"):
        members = public(node.name for node in stubs[name].body if isinstance(node, ast.FunctionDef))
        assert members == public(vars(getattr(warpseed, name))), name


def test_stubs_have_the_options(demo_index):
    tree = ast.parse((Path(warpseed.__file__).parent / "_warpseed.pyi").read_text())
    aligner = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Aligner")
    init = aligner.body[0].args
    defaults = {arg.arg: value for arg, value in zip(init.kwonlyargs, init.kw_defaults)}
    given = {name: ast.literal_eval(value) for name, value in defaults.items() if value.value is not ...}
    assert len(given) > 25
    read = demo_index[0].bases(0, 1_000_000, 1_000_200)
    plain, named = warpseed.Aligner(demo_index[0]), warpseed.Aligner(demo_index[0], **given)
    assert [str(a) for a in named.map("r", read)] == [str(a) for a in plain.map("r", read)]
    header = (SOURCE / "src/include/warpseed/align_options.hpp").read_text()
    for name, value in given.items():
        default = re.search(rf"\b{name} = ([\w.:]+)", header)
        if default and name != "cs":
            assert float({"true": 1, "false": 0}.get(default[1], default[1].rstrip("F"))) == float(value), name


def test_everything_has_a_docstring():
    for name in warpseed.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(warpseed, name)), name
    for kind in (warpseed.Index, warpseed.Alignment, warpseed.AlignmentBatch, warpseed.Aligner):
        assert kind.__module__ == "warpseed"


def test_version_is_the_programs(program):
    assert program("--version").split()[1] == warpseed.__version__
