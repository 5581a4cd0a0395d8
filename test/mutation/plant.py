"""Plants faults in a copy of the sources, each of which a process can switch on (planted.hpp).

plant.py SOURCE BUILD TREE COUNT SEED: copies the repository SOURCE to the folder TREE, chooses COUNT of the places in core
modules where a fault can be planted, and writes TREE/faults.tsv: number, file, line, kind, what stood there, what the fault
makes of it. BUILD: a configured build of SOURCE, for its compile_commands.json. Needs libclang for Python.
"""

import bisect
import hashlib
import json
import os
import random
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind, TypeKind

MODULES = "core text suffix sort index approximate reads records collapse align overlap".split()

# What a fault makes of an operator.
SWAPPED = {
    "<": ("boundary", "<="), "<=": ("boundary", "<"), ">": ("boundary", ">="), ">=": ("boundary", ">"),
    "==": ("equality", "!="), "!=": ("equality", "=="),
    "+": ("sign", "-"), "-": ("sign", "+"), "+=": ("sign", "-="), "-=": ("sign", "+="),
    "&&": ("logic", "||"), "||": ("logic", "&&"),
}  # fmt: skip
SIGNS = ("+", "-", "+=", "-=")
NUMBERS = {TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.USHORT,
           TypeKind.SHORT, TypeKind.UCHAR, TypeKind.SCHAR, TypeKind.CHAR_S, TypeKind.DOUBLE, TypeKind.FLOAT}  # fmt: skip
CONSTANT = {CursorKind.STATIC_ASSERT, CursorKind.ENUM_DECL, CursorKind.FIELD_DECL, CursorKind.TYPE_ALIAS_DECL,
            CursorKind.TEMPLATE_NON_TYPE_PARAMETER, CursorKind.TEMPLATE_TYPE_PARAMETER}  # fmt: skip


class Source:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.data = self.text.encode()
        self.lines = [0] + [i + 1 for i, byte in enumerate(self.data) if byte == 10]

    def line(self, offset):
        return bisect.bisect_right(self.lines, offset)

    def part(self, begin, end):
        return self.data[begin:end].decode()


class Finder:
    """Collects the places of all sources, each once: (file, begin, end) -> (kind, replacement)."""

    def __init__(self, root):
        self.root = root
        self.sources = {}
        self.places = {}

    def source(self, path):
        if path not in self.sources:
            self.sources[path] = Source(path)
        return self.sources[path]

    def is_core(self, path):
        parts = os.path.relpath(path, self.root).split(os.sep)
        return len(parts) > 2 and parts[0] == "src" and parts[1] in MODULES

    def visit_file(self, cursor):
        for child in cursor.get_children():
            file = child.location.file
            if file and self.is_core(os.path.realpath(file.name)):
                self.visit(child, os.path.realpath(file.name))

    def is_constant(self, cursor, source):
        if cursor.kind in CONSTANT:
            return True
        if cursor.kind == CursorKind.VAR_DECL:
            begin, end = cursor.extent.start.offset, cursor.location.offset
            return "constexpr" in source.part(begin, end)
        return False

    def visit(self, cursor, path):
        source = self.source(path)
        if self.is_constant(cursor, source):
            return
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.CASE_STMT:
            children = children[1:]
        if cursor.kind == CursorKind.IF_STMT and source.part(
                cursor.extent.start.offset, cursor.extent.start.offset + 14).startswith("if constexpr"):
            children = children[1:]
        if cursor.kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.add_operator(path, source, cursor, children)
        for child in children:
            self.visit(child, path)

    def add_operator(self, path, source, cursor, sides):
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        left_end, right_begin = sides[0].extent.end.offset, sides[1].extent.start.offset
        if not begin == sides[0].extent.start.offset < left_end < right_begin < end == sides[1].extent.end.offset:
            return  # a macro has a hand in it
        operator = source.part(left_end, right_begin).strip()
        if operator not in SWAPPED:
            return
        left, right = source.part(begin, left_end), source.part(right_begin, end)
        if "[&]" in left + right or "[=]" in left + right or "\n#" in left + right:
            return
        if operator in SIGNS and sides[1].type.get_canonical().kind not in NUMBERS:
            return  # pointers and iterators have no sum
        kind, other = SWAPPED[operator]
        places = [(kind, f"({left}) {other} {right}")]
        if operator in "+-" and right in ("1", "1U", "1u"):
            places.append(("off by one", left))
        self.places[(path, begin, end)] = (source.part(begin, end), places)


def find_places(root, build):
    finder = Finder(root)
    index = cindex.Index.create()
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    seen = set()
    for entry in commands:
        path = os.path.realpath(entry["file"])
        if path in seen or not finder.is_core(path) or not path.endswith(".cpp"):
            continue
        seen.add(path)
        words = entry["command"].split()[1:]
        flags = [w for w in words if w.startswith(("-I", "-D", "-std", "-march", "-isystem"))]
        flags = ["-std=c++20" if f.startswith("-std") else f for f in flags]
        unit = index.parse(path, args=flags)
        finder.visit_file(unit.cursor)
    return finder


def read_no_faults():
    """(file, kind, text) of changes that were found to change nothing that a user can see; no_faults.tsv says why."""
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "no_faults.tsv"), encoding="utf-8") as file:
        return {tuple(line.split("\t")[:3]) for line in file}


def choose(finder, root, count, seed):
    """Of all places a sample that the seed fixes; none within another."""
    order, no_faults = [], read_no_faults()
    for (path, begin, end), (text, places) in finder.places.items():
        for kind, replacement in places:
            if (os.path.relpath(path, root), kind, " ".join(text.split())) in no_faults:
                continue
            # The order hangs on what a place says, not on where it is: an edit elsewhere leaves the sample as it is.
            line = finder.source(path).text.encode()[:begin].rsplit(b"\n", 1)[-1]
            key = f"{seed} {os.path.relpath(path, root)} {line} {text} {kind}"
            order.append((hashlib.sha256(key.encode()).hexdigest(), path, begin, end, kind, text, replacement))
    order.sort()
    chosen = []
    for fault in order:
        _, path, begin, end = fault[:4]
        if all(other[1] != path or end <= other[2] or other[3] <= begin for other in chosen):
            chosen.append(fault)
        if len(chosen) == count:
            break
    return sorted(chosen, key=lambda fault: fault[1:3])


def copy_tree(root, tree, planted):
    """All but the planted sources."""
    files = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           check=True, capture_output=True).stdout.split(b"\0")
    for name in filter(None, files):
        name = name.decode()
        source, copy = os.path.join(root, name), os.path.join(tree, name)
        if not os.path.lexists(source) or os.path.realpath(source) in planted:
            continue
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        if os.path.islink(source):
            if not os.path.lexists(copy):
                os.symlink(os.readlink(source), copy)
            continue
        write_if_changed(copy, open(source, "rb").read(), os.stat(source).st_mode)


def write_if_changed(path, data, mode=0o644):
    """Keeps the times of what is the same, so that a second build is short."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, mode)


def plant(finder, root, tree, chosen):
    rows, by_file = [], {}
    for number, (_, path, begin, end, kind, text, replacement) in enumerate(chosen, 1):
        by_file.setdefault(path, []).append((begin, end, number, replacement))
        flat = [" ".join(part.split()) for part in (text, replacement)]
        rows.append([str(number), os.path.relpath(path, root), str(finder.source(path).line(begin)), kind, *flat])
    for path, faults in by_file.items():
        data = finder.source(path).data
        for begin, end, number, replacement in sorted(faults, reverse=True):
            text = data[begin:end]
            planted = f"(::warpseed_planted::is_planted({number}) ? ({replacement}) : (".encode() + text + b"))"
            data = data[:begin] + planted + data[end:]
        write_if_changed(os.path.join(tree, os.path.relpath(path, root)), data)
    with open(os.path.join(tree, "faults.tsv"), "w", encoding="utf-8") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)


def main():
    root, build, tree = map(os.path.realpath, sys.argv[1:4])
    count, seed = int(sys.argv[4]), sys.argv[5]
    finder = find_places(root, build)
    chosen = choose(finder, root, count, seed)
    copy_tree(root, tree, {fault[1] for fault in chosen})
    plant(finder, root, tree, chosen)
    print(f"planted {len(chosen)} faults, of {sum(len(p) for _, p in finder.places.values())} that are possible, in "
          f"{len({fault[1] for fault in chosen})} files of {tree}")


if __name__ == "__main__":
    main()
