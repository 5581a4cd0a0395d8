"""Runs commands with flags and values that are drawn at random: random_command_lines.py COUNT SEED

In the working folder: ref.wsi, ref.fa, r_1.fq, r_2.fq, r.bam, genes.bed. Whatever the command line is, the program ends with
0, 1 or 2; where it fails, its last line names the program; inputs stay as they are, and nothing unfinished is left. Prints
what breaks that, with the command line, and exits with 1.
"""

import collections
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

COMMANDS = "index align mem merge query overlap collapse inspect backends help version".split()
INPUTS = "ref.wsi ref.fa r_1.fq r_2.fq r.bam genes.bed".split()
ODD = ["", " ", "-", "--", "-1", "0", "1", "2", "7", "255", "65536", "2147483648", "18446744073709551615", "18446744073709551616",
       "1e3", "1e400", "0.5", "-0.0", "nan", "inf", "0x10", "1,2", "1,,2", "1K", "1M", "9E", "1/2", "2/2", "0/0", "3/2",
       "cpu", "auto", "cuda", "cuda:0", "cuda:0,0", "sam", "bam", "cram", "paf", "@RG\tID:a", "@RG\\tID:b\\tSM:c", "@CO\tx", "@SQ",
       "missing.fa", "no/such/folder/x.sam", "out", "/dev/null", "/dev/full", "NNNN", "ACGTNNNN", "name,with,commas", "=", "a=b",
       "\x01", "\x7f", "\u00e9", "\U0001f9ec", "x" * 300, "y" * 5000, "%s%n", "$(true)", "*"]  # fmt: skip
OUTPUTS = ["out/x.sam", "out/x.bam", "out/x.cram", "out/x.paf", "out/x.wsi", "out/x.tsv", "out/x.json", "out/x.html", "out/x.png",
           "out/x.svg", "-"]  # fmt: skip


def flags_of(program, command):
    shown = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"(?<![\w-])--?[A-Za-z0-9][\w-]*", shown)
    modes = re.findall(r"[{,]([a-z]+)(?=[,}-])", shown)
    return sorted(set(names)), sorted(set(modes))


def draw(chance, flags):
    command = chance.choice(COMMANDS)
    names, modes = flags[command]
    words = [command]
    # A beginning that could be right, so that many command lines come as far as to the run.
    if command in ("align", "mem", "query") and chance.random() < 0.8:
        words += ["ref.wsi", *chance.choice([["r_1.fq", "r_2.fq"], ["r_1.fq"], ["r.bam"]])]
    elif command in ("index", "inspect", "collapse", "merge", "overlap") and chance.random() < 0.8:
        words += [chance.choice(modes)] if command == "overlap" and modes else []
        words += chance.choices(INPUTS, k=chance.randrange(1, 3))
    for _ in range(chance.choice([0, 1, 1, 2, 3, 5])):
        kind = chance.random()
        value = chance.choice(chance.choice([ODD, ODD, INPUTS, OUTPUTS, modes or ODD]))
        if kind < 0.75 and names:
            name = chance.choice(names)
            words += [name] if chance.random() < 0.3 else [f"{name}={value}"] if chance.random() < 0.3 else [name, value]
        else:
            words.insert(chance.randrange(len(words) + 1), value)
    if chance.random() < 0.7:
        words += ["-o", chance.choice(OUTPUTS)]
    return [word.replace("\0", "") for word in words]


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def main():
    program, chance = os.environ["WARPSEED"], random.Random(int(sys.argv[2]))
    given = {name: pathlib.Path(name).read_bytes() for name in INPUTS}
    source = pathlib.Path.cwd()
    flags = {command: ([], []) if command in ("help", "version") else flags_of(program, command) for command in COMMANDS}
    ended, failures = collections.Counter(), 0
    for _ in range(int(sys.argv[1])):
        words = draw(chance, flags)
        with tempfile.TemporaryDirectory(dir=source) as folder:
            for name in INPUTS:
                shutil.copy(name, folder)
            os.mkdir(f"{folder}/out")
            try:
                run = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, timeout=60, preexec_fn=limit, check=False)
                code, message = run.returncode, run.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                code, message = "no end", ""
            ended[code] += 1
            problems = [] if code in (0, 1, 2) else [f"ended with {code}"]
            lines = message.splitlines()
            if code in (1, 2) and not (lines and lines[-1].startswith("warpseed")):
                problems.append("the last line does not name the program")
            # A file that a flag names may be an output.
            named = {word.split("=", 1)[-1] for word in words if word.startswith("-")}
            named |= {word for flag, word in zip(words, words[1:]) if flag.startswith("-")}
            problems += [f"{name} has changed" for name, was in given.items() if name not in named and not (
                os.path.exists(f"{folder}/{name}") and pathlib.Path(folder, name).read_bytes() == was)]
            problems += [f"left {path.name}" for path in pathlib.Path(folder).rglob("*.unfinished*")]
            if problems:
                failures += 1
                print(f"{', '.join(problems)}: {words}\n  {message[-300:]}")
    print(", ".join(f"{count} ended with {code}" for code, count in sorted(ended.items(), key=str)))
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
