#!/usr/bin/env python3
"""Checks share/workflow without Nextflow: check_nextflow.py SHARE/WORKFLOW DEMO, in an empty folder or one that may be filled.

Modules: meta.yml parses, and names the inputs and outputs of main.nf in their order; environment.yml parses and names the
program's version; braces and quotes are balanced. The script and the stub of main.nf run in a shell, with values in the
place of Groovy's variables, and make the files that the outputs ask for.
The pipeline: what it includes exists and is called with as many channels as it takes; processes, outputs and parameters
that are named are there. The script of its process runs in one part and in several, which the module merges to the same
records.
"""

import glob
import gzip
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
    """What the few expressions of main.nf give: NAME, A.B, X ?: Y, C ? X : Y, 'text', "text", TEXT.contains('x'), A && B,
    A == B, A > 1."""
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
    if (parts := re.fullmatch(r"(.*?)\s*>\s*(\d+)", expression)) is not None:
        return groovy_value(parts[1], values) > int(parts[2])
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
    os.makedirs(folder, exist_ok=True)
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
    if "versions" not in outputs:
        return
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


def arguments_of(text, call):
    """The arguments of each call of a process: NAME(A, B)."""
    for found in re.finditer(rf"\b{call}\(", text):
        depth, begin, arguments = 1, found.end(), []
        for at in range(begin, len(text)):
            depth += (text[at] in "([{") - (text[at] in ")]}")
            if depth == 0 or (depth == 1 and text[at] == ","):
                arguments.append(text[begin:at].strip())
                begin = at + 1
            if depth == 0:
                break
        yield arguments


def check_pipeline(folder, estimates):
    """Compares main.nf, nextflow.config and the modules. Returns the text of main.nf and the outputs of its process."""
    text, settings = (open(f"{folder}/{name}").read() for name in ("main.nf", "nextflow.config"))
    balanced(text, f"{folder}/main.nf")
    balanced(settings, f"{folder}/nextflow.config")
    process = re.search(r"^process (\w+) \{\n(.*?)^\}", text, re.M | re.S)
    processes = {process[1]: process[2] + "    when:"}
    for name, path in re.findall(r"^include \{ (\w+) \} from '([^']+)'$", text, re.M):
        processes[name] = open(f"{folder}/{path}.nf").read()
        if f"process {name} {{" not in processes[name]:
            fail(f"{folder}: {path} has no process {name}")
    outputs = {}
    for name, body in processes.items():
        outputs[name] = channels_of_output(block(body, "output", "when|script"))
        calls = list(arguments_of(text, name))
        if [len(call) for call in calls] != [len(channels_of_input(block(body, "input", "output")))]:
            fail(f"{folder}: calls of {name}: {calls}")
    for name, channel in re.findall(r"(\w+)\.out\.(\w+)", text):
        if channel not in outputs[name]:
            fail(f"{folder}: {name} has no output {channel}")
    for name in "|".join(re.findall(r"withName: '([^']+)'", settings)).split("|"):
        if name not in processes:
            fail(f"{folder}: nextflow.config names a process {name}")
    parameters = re.findall(r"^    (\w+) *=", re.search(r"^params \{\n(.*?)^\}", settings, re.M | re.S)[1], re.M)
    used = re.findall(r"\bparams\.(\w+)", "".join([text, settings, *processes.values()]))
    if set(used) != set(parameters):
        fail(f"{folder}: parameters {sorted(set(used))} are used, nextflow.config has {sorted(parameters)}")
    for name in re.findall(r"needs\['([^']+)'\]", settings):
        if name not in estimates:
            fail(f"{folder}: --estimate has no {name}")
    return text, outputs[process[1]]


def records_of(path):
    """The records of a BAM file and its header without command lines."""
    view = subprocess.run(["samtools", "view", "--no-PG", "-h", path], capture_output=True, text=True, check=True)
    return [line for line in view.stdout.splitlines() if not line.startswith("@PG")]


def run_pipeline(pipeline, merge, index, demo):
    """Two lanes in one part, and in three that are merged."""
    text, outputs = pipeline
    mates = [" ".join(f"lane{lane}_{mate}.fq" for lane in (1, 2)) for mate in (1, 2)]
    lines = [gzip.open(f"{demo}/NA12878_chr20_10.0-10.1Mb_R{mate}.fastq.gz", "rt").readlines() for mate in (1, 2)]
    groups = " ".join(f"-R '@RG\\tID:test.{lane}\\tSM:test\\tLB:l'" for lane in (1, 2))
    values = {"index": index, "reads1": mates[0], "reads2": mates[1], "meta.id": "test", "meta.groups": groups}
    values.update({"params.extra": "", "task.cpus": 2})

    def align(folder, parts, part):
        os.makedirs(folder)
        for mate in (1, 2):
            for lane, content in ((1, lines[mate - 1][:20000]), (2, lines[mate - 1][20000:40000])):
                open(f"{folder}/lane{lane}_{mate}.fq", "w").writelines(content)
        run_part(text, "script", {**values, "params.parts": parts, "meta.part": part}, folder)
        check_outputs(outputs, ["bam", "bai", "json", "html" if parts == 1 else "statistics"], folder)

    align("nf_whole", 1, 1)
    for part in (1, 2, 3):
        align(f"nf_part{part}", 3, part)
    shards = " ".join(os.path.abspath(f"nf_part{part}/test.{part}.bam") for part in (3, 1, 2))
    values = {"task.cpus": 2, "task.process": "PROCESS", "task.ext.prefix": None, "meta.id": "test", "shards": shards}
    for name, args, statistics, wanted in [
        ("bam", None, f"{shards}.statistics", ["bam", "bai", "json", "html"]),
        ("cram", "--output-format cram", "", ["cram", "crai"]),
    ]:
        more = {"task.ext.args": args, "fasta": None, "statistics": statistics}
        for part in ("script", "stub"):
            run_part(merge[0], part, {**values, **more}, f"nf_merge_{name}_{part}")
            check_outputs(merge[1], [*wanted, "versions"], f"nf_merge_{name}_{part}")
    if records_of("nf_whole/test.bam") != records_of("nf_merge_bam_script/test.bam"):
        fail("the pipeline in three parts has other records than in one")


def main():
    workflow, demo = sys.argv[1:]
    modules = f"{workflow}/nf-core/warpseed"
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

    estimate = ["warpseed", "align", "--estimate", "--quiet", index, *reads.split()]
    table = subprocess.run(estimate, capture_output=True, text=True, check=True).stdout
    pipeline = check_pipeline(f"{workflow}/nextflow", re.findall(r"^([a-z-]+)\t", table, re.M))
    run_pipeline(pipeline, check_module(f"{modules}/merge", program), index, demo)


main()
