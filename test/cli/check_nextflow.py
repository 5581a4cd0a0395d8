#!/usr/bin/env python3
"""Checks modules of Nextflow without Nextflow: check_nextflow.py FOLDER DEMO, in an empty folder or one that may be filled.

meta.yml parses, and names the inputs and outputs of main.nf in their order; environment.yml parses and names the program's
version; braces and quotes are balanced. The script and the stub of main.nf run in a shell, with values in the place of
Groovy's variables, and make the files that the outputs ask for.
"""

import glob
import os
import re
import subprocess
import sys

import yaml


def fail(text):
    sys.exit(f"FAILED: {text}")


def block(text, name, end):
    """The lines of a part of a process, "input:" for instance, up to the next part."""
    found = re.search(rf"^    {name}:\n(.*?)^    (?:{end}):", text, re.M | re.S)
    return found.group(1) if found else fail(f"no part {name}")


def channels_of_input(text):
    """A list of names for each line: tuple val(meta), path(reads)."""
    return [re.findall(r"(?:val|path)\s*\(?\s*(\w+)\)?", line) for line in text.splitlines() if line.strip()]


def channels_of_output(text):
    """By the name of emit: the patterns and values."""
    found = {}
    for line in filter(str.strip, text.splitlines()):
        name = re.search(r"emit:\s*(\w+)", line).group(1)
        found[name] = re.findall(r'val\((\w+)\)|path\(?\s*"([^"]+)"', line)
        found[name] = [value or pattern for value, pattern in found[name]]
    return found


def balanced(text, path):
    code = re.sub(r'"""|\'[^\'\n]*\'|"[^"\n]*"', "", text)
    for left, right in ("{}", "()", "[]"):
        if code.count(left) != code.count(right):
            fail(f"{path}: {code.count(left)} times {left}, {code.count(right)} times {right}")
    if text.count('"""') % 2:
        fail(f"{path}: an odd number of triple quotes")


def groovy_value(expression, values):
    """What the few expressions of main.nf give: NAME, A.B, X ?: Y, C ? X : Y, 'text', "text", TEXT.contains('x'), A && B."""
    expression = expression.strip()
    if re.fullmatch(r"'[^']*'", expression):
        return expression[1:-1]
    if re.fullmatch(r'"[^"]*(?:\$\{[^}]*\}[^"]*)*"', expression):
        return filled(expression[1:-1], values)
    if (parts := re.fullmatch(r"(.*?)\s*\?:\s*(.*)", expression)) is not None:
        return groovy_value(parts[1], values) or groovy_value(parts[2], values)
    if (parts := re.fullmatch(r"(.*?)\s+\?\s+(.*)\s+:\s+(.*)", expression)) is not None:
        return groovy_value(parts[2] if groovy_value(parts[1], values) else parts[3], values)
    if (parts := re.fullmatch(r"(.*?)\s*&&\s*(.*)", expression)) is not None:
        return groovy_value(parts[1], values) and groovy_value(parts[2], values)
    if (parts := re.fullmatch(r"(.*?)\s*==\s*(.*)", expression)) is not None:
        return groovy_value(parts[1], values) == groovy_value(parts[2], values)
    if (parts := re.fullmatch(r"(\w+)\.contains\('([^']*)'\)", expression)) is not None:
        return parts[2] in values[parts[1]]
    if expression not in values:
        fail(f"no value for {expression}")
    return values[expression]


def filled(text, values):
    """A string of Groovy with ${...} replaced and escapes resolved."""
    text = re.sub(r"(?<!\\)\$\{([^}]*)\}", lambda found: str(groovy_value(found[1], values)), text)
    return text.replace("\\$", "$").replace("\\\\", "\\")


def run_part(text, part, values, folder):
    """Runs the lines of `script` or `stub` in `folder`."""
    body = re.search(rf'^    {part}:\n(.*?)^    """\n(.*?)^    """', text, re.M | re.S)
    values = dict(values)
    for name, expression in re.findall(r"^    def (\w+)\s*=\s*(.*)$", body[1], re.M):
        values[name] = groovy_value(expression, values)
    script = re.sub(r"^    ", "", filled(body[2], values), flags=re.M)
    os.makedirs(folder)
    run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, capture_output=True, text=True)
    if run.returncode:
        fail(f"{part}: {run.stderr}\n{script}")


def check_outputs(outputs, wanted, folder):
    """Each channel of `wanted` has a file, and no other one has."""
    for name, patterns in outputs.items():
        pattern = patterns[-1]
        choices = re.sub(r"\{([^}]*)\}", "{}", pattern)
        endings = (re.search(r"\{([^}]*)\}", pattern) or [None, ""])[1].split(",")
        files = [file for ending in endings for file in glob.glob(os.path.join(folder, choices.format(ending)))]
        if bool(files) != (name in wanted):
            fail(f"{folder}: output {name}: {files}")
    versions = yaml.safe_load(open(os.path.join(folder, "versions.yml")))
    if not re.fullmatch(r"\d+\.\d+\.\d+", versions["PROCESS"]["warpseed"]):
        fail(f"versions.yml: {versions}")


def check_module(folder, program):
    """Compares main.nf, meta.yml and environment.yml. Returns the text of main.nf and its outputs."""
    text = open(f"{folder}/main.nf").read()
    for path in [f"{folder}/main.nf", f"{folder}/tests/main.nf.test", f"{folder}/tests/nextflow.config"]:
        balanced(open(path).read(), path)
    meta = yaml.safe_load(open(f"{folder}/meta.yml"))
    inputs = channels_of_input(block(text, "input", "output"))
    said = [[key for item in channel for key in item] for channel in meta["input"]]
    if inputs != said:
        fail(f"{folder}: inputs {inputs} in main.nf, {said} in meta.yml")
    outputs = channels_of_output(block(text, "output", "when"))
    said = {name: [key for item in items for key in item] for channel in meta["output"] for name, items in channel.items()}
    if outputs != said:
        fail(f"{folder}: outputs {outputs} in main.nf, {said} in meta.yml")
    environment = yaml.safe_load(open(f"{folder}/environment.yml"))
    if environment["dependencies"] != [program.replace(" ", "=")]:
        fail(f"{folder}: environment.yml has {environment['dependencies']}, the program is {program}")
    name = re.search(r"^process (\w+) \{", text, re.M)[1]
    test = open(f"{folder}/tests/main.nf.test").read()
    if name.lower() != meta["name"] or f'process "{name}"' not in test:
        fail(f"{folder}: process {name}, meta.yml {meta['name']}")
    for channel in set(re.findall(r"process\.out\.(\w+)", test)) - set(outputs):
        fail(f"{folder}: the test has a channel {channel}")
    return text, outputs


def main():
    modules, demo = sys.argv[1:]
    program = subprocess.run(["warpseed", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    fasta = f"{demo}/chr20_9-11Mb.fa.gz"
    reads = " ".join(f"{demo}/NA12878_chr20_10.0-10.1Mb_R{mate}.fastq.gz" for mate in (1, 2))
    always = {"task.cpus": 2, "task.process": "PROCESS", "task.ext.prefix": None, "meta.id": "test"}

    text, outputs = check_module(f"{modules}/index", program)
    values = {**always, "task.ext.args": None, "fasta": fasta, "task.ext.prefix": "ref"}
    for part in ("script", "stub"):
        run_part(text, part, values, f"nf_index_{part}")
        check_outputs(outputs, ["index", "versions"], f"nf_index_{part}")

    text, outputs = check_module(f"{modules}/align", program)
    index = os.path.abspath("nf_index_script/ref.wsi")
    for name, args, sort, wanted in [
        ("plain", None, False, ["bam"]),
        ("sorted", "--mark-duplicates", True, ["bam", "bai"]),
        ("cram", "--output-format cram", True, ["cram", "crai"]),
    ]:
        values = {**always, "task.ext.args": args, "reads": reads, "index": index, "fasta": None, "sort_bam": sort}
        for part in ("script", "stub"):
            run_part(text, part, values, f"nf_{name}_{part}")
            check_outputs(outputs, [*wanted, "json", "versions"], f"nf_{name}_{part}")


main()
