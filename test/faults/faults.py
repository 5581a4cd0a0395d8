#!/usr/bin/env python3
"""Lets everything that a run asks of the system fail once, and judges how the program ends.

usage: faults.py [--full] [--table FILE] [--case NAME] [--call NAME] GROUP...

Groups: calls, memory, disk, killed, surroundings. WARPSEED is the program, WARPSEED_FAULTS the library to preload; ctest sets
both. Without --full a fixed sample. share/doc/faults.md describes what is promised.
"""

import argparse
import collections
import concurrent.futures
import errno
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from cases import make_cases
from injection import Injector

JOBS = max(1, min(4, len(os.sched_getaffinity(0))))
OFTEN = ["EIO"]
ERRORS = {
    "close": ["EIO", "EINTR"], "dup": ["EMFILE"], "fallocate": ["ENOSPC", "EINTR", "EOPNOTSUPP"], "fclose": ["ENOSPC"],
    "fdatasync": ["EIO", "EINTR"], "fdopendir": ["EMFILE", "ENOMEM"], "flock": ["ENOLCK"], "fopen": ["EMFILE", "EIO"],
    "fsync": ["EIO", "EINTR", "ENOSPC"], "fwrite": ["ENOSPC"], "getcwd": ["ENOENT"], "madvise": ["ENOMEM"],
    "mkostemp": ["EMFILE", "ENOSPC"], "mmap": ["ENOMEM"], "munmap": ["ENOMEM"], "open": ["EMFILE", "EIO", "EACCES"],
    "openat": ["EMFILE"], "opendir": ["EMFILE"], "pipe2": ["EMFILE"], "posix_spawn": ["EAGAIN", "ENOMEM"],
    "pread": ["EIO", "EINTR", "short"], "pthread_create": ["EAGAIN"], "pwrite": ["ENOSPC", "EINTR", "short"],
    "read": ["EIO", "EINTR", "short"], "rename": ["EIO", "EACCES"], "stat": ["EIO", "EACCES"], "waitpid": ["EINTR", "ECHILD"],
    "write": ["ENOSPC", "EIO", "EINTR", "short"], "writev": ["ENOSPC", "short"],
}
RETRIED = {"EINTR", "short"}
SYSTEM_FOLDERS = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/")
# The kernel has no way to refuse these to a program that asks as this one does; what fails is not judged but counted.
MEMORY = re.compile("memory|cannot start another thread")


def number_of(error):
    return 0 if error == "short" else getattr(errno, error)


def sample(count, most):
    """Numbers from 1 to count: all, or `most` of them, the first and the last among them."""
    if count <= most:
        return list(range(1, count + 1))
    return sorted({1 + round(i * (count - 1) / (most - 1)) for i in range(most)})


class Judge:
    """Compares the end of a run with that of an undisturbed one."""

    def __init__(self, wanted):
        self.wanted = wanted

    def problems(self, outcome, errors=(), retried=False):
        if outcome.code is None:
            return ["hangs"]
        if outcome.code < 0:
            return [f"ends by signal {-outcome.code}"]
        found = list(self.of_files(outcome))
        if outcome.code == 0:
            return found + (["exit code 0, but an output is missing"] if outcome.files.keys() != self.wanted.files.keys() else [])
        if outcome.code != 1:
            found.append(f"exit code {outcome.code}")
        if retried:
            found.append("was to be retried")
        return found + list(self.of_message(outcome, errors))

    def of_files(self, outcome):
        for name, content in outcome.files.items():
            if name not in self.wanted.files:
                yield f"leaves {re.sub('[0-9]+$', 'N', name)}"
            elif content != self.wanted.files[name]:
                yield f"{'wrong success' if outcome.code == 0 else 'half-written'}: {name} differs"

    @staticmethod
    def of_message(outcome, errors):
        lines = outcome.message.splitlines()
        if len(lines) != 1 or not lines[0].startswith("warpseed"):
            yield f"not one line of message but {len(lines)}"
        reasons = [os.strerror(number_of(error)) for error in errors]
        memory = bool({"ENOMEM", "EAGAIN"} & set(errors)) and MEMORY.search(outcome.message)
        if errors and not memory and not any(reason in outcome.message for reason in reasons):
            yield "the message lacks the reason"
        if outcome.object and not outcome.object.startswith(SYSTEM_FOLDERS) and not memory:
            name = Path(re.sub(r"(\.unfinished\..*| \(deleted\))$", "", outcome.object)).name
            if name not in outcome.message and not (name.startswith("warpseed.") and "temporary file" in outcome.message):
                yield "the message lacks the file"


class Tally:
    """How the runs ended, by call."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.findings = collections.defaultdict(list)

    def add(self, row, outcome, problems, how):
        ended = "not met" if outcome.failed == 0 else "finding" if problems else "same bytes" if outcome.code == 0 else "error"
        self.rows[row][ended] += 1
        for problem in problems if outcome.failed else []:
            self.findings[(row, problem)].append((how, outcome))

    def report(self):
        for (row, problem), runs in sorted(self.findings.items()):
            print(f"FAILED: {row}: {problem} ({len(runs)} runs)")
            for how, outcome in runs[:4]:
                print(f"    {how}  [{outcome.object}]\n      said: {outcome.message.strip()[:300]}")
        total = sum((ended for ended in self.rows.values()), collections.Counter())
        print(", ".join(f"{count} {ended}" for ended, count in sorted(total.items())))
        return 1 if self.findings else 0

    def table(self):
        columns = ["same bytes", "error", "finding", "not met"]
        lines = ["| request | faults | same bytes | error, exit code 1 | finding | not met |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
        for row, ended in sorted(self.rows.items()):
            lines.append(f"| {row} | {sum(ended.values())} | " + " | ".join(str(ended[column]) for column in columns) + " |")
        return "\n".join(lines) + "\n"


class Session:
    def __init__(self, options, injector, cases):
        self.options, self.injector, self.tally = options, injector, Tally()
        self.cases = [case for case in cases if options.case in ("", case.name)]
        self.wanted = {case.name: self.undisturbed(case) for case in self.cases}
        self.pool = concurrent.futures.ThreadPoolExecutor(JOBS)

    def undisturbed(self, case):
        outcome = self.injector.run(case)
        if outcome.code != 0:
            sys.exit(f"FAILED: {case.name} without a fault: exit code {outcome.code}: {outcome.message}")
        again = self.injector.run(case)
        if again.files != outcome.files:
            sys.exit(f"FAILED: {case.name}: two runs differ")
        return outcome

    def submit(self, row, case, how, errors=(), retried=False, **environment):
        def work():
            outcome = self.injector.run(case, **environment)
            return row, outcome, Judge(self.wanted[case.name]).problems(outcome, errors, retried), f"{case.name}: {how}"
        return self.pool.submit(work)

    def gather(self, runs):
        for run in concurrent.futures.as_completed(list(runs)):
            self.tally.add(*run.result())


def test_calls(session):
    most = 1 << 30 if session.options.full else 2

    def runs():
        for case in session.cases:
            for call, count in session.wanted[case.name].counts.items():
                if count == 0 or call == "allocation" or session.options.call not in ("", call):
                    continue
                for error in ERRORS.get(call, OFTEN):
                    for number in sample(count, most):
                        fault = f"{call}:{number}:{number}:{number_of(error)}"
                        retried = error in RETRIED and call not in ("close", "fclose")
                        yield session.submit(call, case, f"WS_FAULT={fault} ({error})", (error,), retried, WS_FAULT=fault)

    session.gather(runs())


def test_memory(session):
    most = 2000 if session.options.full else 12

    def runs():
        for case in session.cases:
            for number in sample(session.wanted[case.name].counts["allocation"], most):
                for last, row in ((number, "allocation, one"), (1 << 40, "allocation, all from one on")):
                    fault = f"allocation:{number}:{last}:{errno.ENOMEM}"
                    yield session.submit(row, case, f"WS_FAULT={fault}", ("ENOMEM",), WS_FAULT=fault)

    session.gather(runs())


GROUPS = {"calls": test_calls, "memory": test_memory}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--table", default="")
    parser.add_argument("--case", default="")
    parser.add_argument("--call", default="")
    parser.add_argument("groups", nargs="+", choices=GROUPS)
    options = parser.parse_args()
    if not shutil.which("samtools"):
        print("skipped: samtools is not installed (share/setup.sh installs it)")
        sys.exit(77)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        cases = make_cases(os.environ["WARPSEED"], Path(work))
        inputs = {path: path.read_bytes() for path in Path(work).iterdir() if path.is_file()}
        session = Session(options, Injector(os.environ["WARPSEED"], os.environ["WARPSEED_FAULTS"], work), cases)
        for group in options.groups:
            GROUPS[group](session)
        changed = [path.name for path in inputs if path.read_bytes() != inputs[path]]
    if changed:
        sys.exit(f"FAILED: inputs have changed: {changed}")
    if options.table:
        Path(options.table).write_text(session.tally.table())
    code = session.tally.report()
    print(f"{time.monotonic() - begun:.0f} s")
    sys.exit(code)


if __name__ == "__main__":
    main()
