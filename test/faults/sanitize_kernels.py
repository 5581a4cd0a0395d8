#!/usr/bin/env python3
"""Runs kernels under the tools of compute-sanitizer. Exits with 77 where there is no device or no tool.

usage: sanitize_kernels.py [--jobs N] [--case NAME] [--logs FOLDER] [--seconds N] [TOOL...]

Tools: memcheck, racecheck, initcheck, synccheck; all if none is named. Run are the cases that use a device, and of the unit
tests short ones that launch kernels which no case does; of a test racecheck looks at these kernels alone, as it is slow.
WARPSEED is the program and WARPSEED_TESTS that of the tests, both with a shared CUDA runtime; WARPSEED_CUDA_FAULTS is the
library that notes which kernels are launched. It also makes calls one after the other for initcheck, which otherwise takes
values that one of several threads wrote for unwritten. Prints a line a run, then the kernels that were not launched. Exits
with 1 if a tool reports anything, or a run fails or makes other files than without the tool.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from device_cases import devices, make_device_cases

LONGEST_TEST = 15  # seconds without a tool, beside others
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]


def find_tool(name):
    return shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")


next_device = itertools.cycle(devices())  # runs are spread over them


def run(command, folder, *before, **environment):
    folder.mkdir()
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": next(next_device), **environment}
    done = subprocess.run([*before, *command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return done.returncode, done.stdout.decode(errors="replace"), files


Plain = collections.namedtuple("Plain", "command code text files kernels seconds")


def run_plainly(numbered):
    """Without a tool: what a command makes, and the kernels that it launches."""
    folder, command = numbered
    noted, begin = folder.with_suffix(".kernels"), time.monotonic()
    outcome = run(command, folder, LD_PRELOAD=os.environ["WARPSEED_CUDA_FAULTS"], WS_CUDA_KERNELS=str(noted))
    kernels = set(noted.read_text().split("\n")) - {""} if noted.exists() else set()
    return Plain(command, *outcome, kernels, time.monotonic() - begin)


def tests():
    """Name and command of each unit test that uses a device."""
    program = os.environ["WARPSEED_TESTS"]
    for flags in (["--list-test-names-only"], ["--list-tests", "--verbosity", "quiet"]):  # Catch2 2, 3
        listed = subprocess.run([program, *flags, "[gpu],[backend]"], capture_output=True, text=True, check=False).stdout
        names = [line.strip() for line in listed.splitlines() if line.strip()]
        if len(names) > 1:
            return {name: [program, re.sub(r'([][,\\"*])', r"\\\1", name)] for name in names}
    sys.exit("FAILED: no unit test uses a device")


def choose_tests(plain, launched):
    """Short tests that launch what was not launched before, none that others make needless; each with kernels to look at."""
    short = sorted((name for name in plain if plain[name].seconds < LONGEST_TEST), key=lambda name: plain[name].seconds)
    launches = collections.Counter(kernel for name in short for kernel in plain[name].kernels - launched)
    for name in short[::-1]:
        kernels = plain[name].kernels - launched
        if all(launches[kernel] > 1 for kernel in kernels):
            short.remove(name)
            launches.subtract(kernels)
    for name in short:
        yield name, plain[name].kernels - launched
        launched |= plain[name].kernels


def options_of(tool, kernels):
    """Options for a run of which `kernels` are wanted; all if none is named."""
    if tool != "racecheck":
        return []
    return ["--racecheck-report", "all", *itertools.chain(*(("--kernel-name", f"kernel_name={name}") for name in sorted(kernels)))]


def environment_of(tool):
    return {"LD_PRELOAD": os.environ["WARPSEED_CUDA_FAULTS"], "WS_CUDA_SERIAL": "1"} if tool == "initcheck" else {}


def kernels_of_program():
    """Names of the kernels in it; none where they cannot be listed."""
    cuobjdump = find_tool("cuobjdump")
    if not cuobjdump:
        return set()
    listed = subprocess.run([cuobjdump, "-res-usage", os.environ["WARPSEED"]], capture_output=True, text=True, check=False)
    return set(re.findall(r"^ *Function ([^:]+):", listed.stdout, re.MULTILINE))


def short_name(mangled):
    shown = subprocess.run(["c++filt", mangled], capture_output=True, text=True, check=False).stdout.strip() or mangled
    return re.sub(r"\(anonymous namespace\)::|\(.*", "", shown)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tools", nargs="*")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--case", default="")
    parser.add_argument("--logs", default="")
    parser.add_argument("--seconds", type=float, default=1e9, help="no run is begun later")
    options = parser.parse_args()
    sanitizer = find_tool("compute-sanitizer")
    backends = subprocess.run([os.environ["WARPSEED"], "backends"], capture_output=True, text=True, check=True).stdout
    if not sanitizer or "\ncuda:" not in "\n" + backends:
        print("skipped: no CUDA device answers on this machine, or it has no compute-sanitizer")
        sys.exit(77)
    begin, failed, left_out = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = Path(work)
        cases = {name: [os.environ["WARPSEED"], *arguments] for name, arguments in make_device_cases(work).items()}
        cases = {name: command for name, command in {**cases, **tests()}.items() if options.case in ("", name)}
        folders = [work / f"plain_{number}" for number in range(len(cases))]
        plain = dict(zip(cases, pool.map(run_plainly, zip(folders, cases.values()))))
        for name, outcome in plain.items():
            if outcome.code != 0:
                sys.exit(f"FAILED: {name}: exit code {outcome.code}: {outcome.text[-1000:]}")
        chosen = {name: set() for name in cases if cases[name][0] == os.environ["WARPSEED"]}
        launched = set().union(*(plain[name].kernels for name in chosen))
        chosen.update(list(choose_tests({name: plain[name] for name in cases if name not in chosen}, launched)))
        print(f"{len(plain)} runs without a tool, {time.monotonic() - begin:.0f} s; with one: {len(chosen)}", flush=True)

        def check(numbered):
            number, (tool, name) = numbered
            if time.monotonic() - begin > options.seconds:
                return tool, name, None, "", 0
            since = time.monotonic()
            code, text, files = run(cases[name], work / f"run_{number}", sanitizer, "--tool", tool, "--error-exitcode", "99",
                                    "--print-limit", "1000", *options_of(tool, chosen[name]), **environment_of(tool))
            summary = re.findall(r"ERROR SUMMARY.*|RACECHECK SUMMARY.*", text)
            problem = "" if code == 0 else f"exit code {code}"
            if not problem and not re.search(r"SUMMARY: 0 (errors|hazards)", text):
                problem = "no clean summary"
            if not problem and files != plain[name].files:
                problem = "other files than without the tool"
            if options.logs and problem:
                Path(options.logs, f"{tool}.{re.sub('[^a-zA-Z0-9]+', '_', name)}").write_text(text[:100000])
            return tool, name, problem, summary[-1] if summary else "no summary", time.monotonic() - since

        runs = sorted(itertools.product(options.tools or TOOLS, chosen),
                      key=lambda run: (run[0] != "racecheck", -plain[run[1]].seconds))  # the longest first
        for done in concurrent.futures.as_completed([pool.submit(check, numbered) for numbered in enumerate(runs)]):
            tool, name, problem, summary, seconds = done.result()
            if problem is None:
                left_out += 1
                continue
            failed += problem != ""
            print(f"{tool:9} {name:24} {problem or 'right'}; {summary}; {seconds:.0f} s", flush=True)
    there = kernels_of_program()
    if there:
        print(f"{len(there & launched)} of {len(there)} kernels of the program were launched; not:")
        for name in sorted({short_name(kernel) for kernel in there - launched}):
            print(f"  {name}")
    print(f"{len(runs) - left_out} runs, {left_out} left out, {failed} failed, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
