#!/usr/bin/env python3
"""Lets calls of the CUDA runtime fail once, and judges how the program ends. Exits with 77 where no device answers.

usage: cuda_faults.py [--most N] [--table FILE] [--case NAME] [--jobs N] [--seconds N]

WARPSEED is a program with a shared CUDA runtime, WARPSEED_CUDA_FAULTS the library to preload; ctest sets both. At most N
calls of each function and case fail, each once with each error; a run asks no more after --seconds. Each case also runs
with device memory that is full of some byte when it is taken. See share/doc/faults.md.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from device_cases import devices, make_device_cases

INVALID, NO_MEMORY, NO_DEVICE, LAUNCH_FAILED, UNKNOWN = 1, 2, 100, 719, 999  # of cudaError_t
NAMES = {INVALID: "cudaErrorInvalidValue", NO_MEMORY: "cudaErrorMemoryAllocation", NO_DEVICE: "cudaErrorNoDevice",
         LAUNCH_FAILED: "cudaErrorLaunchFailure", UNKNOWN: "cudaErrorUnknown"}
ERRORS = {"cudaMallocFromPoolAsync": [NO_MEMORY, UNKNOWN], "cudaHostRegister": [NO_MEMORY, INVALID],
          "cudaGetDeviceCount": [NO_DEVICE], "cudaStreamSynchronize": [LAUNCH_FAILED], "cudaEventSynchronize": [LAUNCH_FAILED]}
BYTES = [0x00, 0x5A, 0xFF]  # what device memory is full of
TIME_LIMIT = 60  # seconds


Outcome = collections.namedtuple("Outcome", "code message counts files")


class Runner:
    def __init__(self, work):
        self.work = work
        self.devices = itertools.cycle(devices())  # runs are spread over them

    def run(self, arguments, fault=""):
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            folder, counts = Path(name, "run"), Path(name, "counts")
            folder.mkdir()
            environment = {**os.environ, "LD_PRELOAD": os.environ["WARPSEED_CUDA_FAULTS"], "WS_CUDA_FAULT_COUNTS": str(counts),
                           "WS_CUDA_FAULT": fault, "CUDA_VISIBLE_DEVICES": next(self.devices)}
            process = subprocess.Popen([os.environ["WARPSEED"], *arguments], cwd=folder, env=environment, stderr=subprocess.PIPE,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
            try:
                message, code = process.communicate(timeout=TIME_LIMIT)[1], process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                message, code = process.communicate()[1], None
            called = {}
            if counts.exists():
                called = {line.split()[0]: int(line.split()[1]) for line in counts.read_text().splitlines()}
            files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
            return Outcome(code, message.decode(errors="replace"), called, files)


def problems(outcome, wanted, error):
    """What is wrong about the end of a run in which a call returned `error`; None: no call failed."""
    if outcome.code is None:
        return ["hangs"]
    if outcome.code < 0:
        return [f"ends by signal {-outcome.code}"]
    if outcome.code == 0:
        return [] if outcome.files == wanted.files else ["wrong success: other bytes"]
    if error is None:
        return [f"exit code {outcome.code} without a fault"]
    found = [f"leaves {name}" for name in outcome.files]
    if outcome.code != 1:
        found.append(f"exit code {outcome.code}")
    lines = outcome.message.splitlines()
    if len(lines) != 1 or not lines[0].startswith("warpseed"):
        found.append(f"not one line of message but {len(lines)}")
    # CUB, which sorts and sums, and the search for devices give another reason than the call that failed.
    if NAMES[error] not in outcome.message and not re.search("cudaError|CUDA|device memory", outcome.message):
        found.append("the message lacks the reason")
    return found


def faults_of(counts, most, seed):
    """(row of the table, fault, error)"""
    for call, count in sorted(counts.items()):
        if call in ("any", "failed"):
            continue
        numbers = range(1, count + 1)
        for error in ERRORS.get(call, [UNKNOWN]):
            chance = random.Random(f"{seed} {call} {error}")
            for number in numbers if count <= most else sorted(chance.sample(numbers, most)):
                yield call, f"{call}:{number}:{number}:{error}", error
    for error in (LAUNCH_FAILED, UNKNOWN):  # the device is lost: nothing works from there on
        for number in sorted(random.Random(f"{seed} {error}").sample(range(1, counts["any"] + 1), min(4 * most, counts["any"]))):
            yield "all from one on", f"any:{number}:{1 << 40}:{error}", error
    for byte in BYTES:
        yield "memory full of a byte", f"fill:1:{1 << 40}:{byte}", None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=2)
    parser.add_argument("--table", default="")
    parser.add_argument("--case", default="")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1e9)
    options = parser.parse_args()
    listed = subprocess.run([os.environ["WARPSEED"], "backends"], capture_output=True, text=True, check=True)
    if "\ncuda:" not in "\n" + listed.stdout:
        print("skipped: no CUDA device answers on this machine")
        sys.exit(77)
    begin = time.monotonic()
    rows, findings, left_out = collections.defaultdict(collections.Counter), collections.defaultdict(list), 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runner = Runner(work)
        runs = []
        for name, arguments in make_device_cases(Path(work)).items():
            if options.case not in ("", name):
                continue
            wanted = runner.run(arguments)
            if wanted.code != 0:
                sys.exit(f"FAILED: {name} without a fault: exit code {wanted.code}: {wanted.message}")
            runs += [(name, arguments, wanted, *fault) for fault in faults_of(wanted.counts, options.most, name)]
        random.Random(1).shuffle(runs)

        def judge(run):
            name, arguments, wanted, row, fault, error = run
            if time.monotonic() - begin > options.seconds:
                return None
            outcome = runner.run(arguments, fault)
            return run, outcome, problems(outcome, wanted, error)

        for result in pool.map(judge, runs):
            if result is None:
                left_out += 1
                continue
            (name, _, _, row, fault, _), outcome, wrong = result
            met = outcome.counts.get("failed", 1) > 0
            rows[row]["finding" if wrong else "not met" if not met else "same bytes" if outcome.code == 0 else "error"] += 1
            for problem in wrong:
                findings[(row, problem)].append((name, fault, outcome))
    columns = ["same bytes", "error", "not met", "finding"]
    table = "| call | faults | same bytes | error, exit code 1 | not met | finding |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"
    for row, ended in sorted(rows.items()):
        table += f"| {row} | {sum(ended.values())} | " + " | ".join(str(ended[column]) for column in columns) + " |\n"
    if options.table:
        Path(options.table).write_text(table)
    for (row, problem), ended in sorted(findings.items()):
        print(f"FAILED: {row}: {problem} ({len(ended)} runs)")
        for name, fault, outcome in ended[:3]:
            print(f"    {name}: WS_CUDA_FAULT={fault}\n      said: {outcome.message.strip()[:300]}")
    total = sum(sum(ended.values()) for ended in rows.values())
    print(f"{total} faults, {left_out} left out, {sum(map(len, findings.values()))} findings, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
