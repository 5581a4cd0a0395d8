#!/usr/bin/env python3
"""Lets everything that a run asks of the system fail once, and judges how the program ends.

usage: faults.py [--full | --most N] [--table FILE] [--case NAME] [--call NAME] [--processors N] GROUP...

Groups: calls, memory, disk, killed, surroundings. WARPSEED is the program, WARPSEED_FAULTS the library to preload;
ctest sets both. Without --full a fixed sample; with --most N at most N requests of each call, error and case.
share/doc/faults.md describes what is promised.
"""

import argparse
import collections
import concurrent.futures
import errno
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import make_cases
from injection import Injector

JOBS = len(os.sched_getaffinity(0))
USUAL = ["EIO"]
ERRORS = {
    "close": ["EIO", "EINTR"], "dup": ["EMFILE"], "fallocate": ["ENOSPC", "EINTR", "EOPNOTSUPP"], "fclose": ["ENOSPC"],
    "fdatasync": ["EIO", "EINTR"], "fdopendir": ["EMFILE", "ENOMEM"], "flock": ["ENOLCK"], "fopen": ["EMFILE", "EIO"],
    "fsync": ["EIO", "EINTR", "ENOSPC"], "fwrite": ["ENOSPC"], "getcwd": ["ENOENT"], "madvise": ["ENOMEM"],
    "mkostemp": ["EMFILE", "ENOSPC"], "mmap": ["ENOMEM"], "munmap": ["ENOMEM"],
    "open": ["EMFILE", "EIO", "EACCES"], "open O_TMPFILE": ["EOPNOTSUPP", "ENOSPC"], "openat": ["EMFILE"], "opendir": ["EMFILE"], "pipe2": ["EMFILE"], "posix_spawn": ["EAGAIN", "ENOMEM"],
    "pread": ["EIO", "EINTR", "short"], "pthread_create": ["EAGAIN"], "pwrite": ["ENOSPC", "EINTR", "short"],
    "read": ["EIO", "EINTR", "short"], "rename": ["EIO", "EACCES"], "stat": ["EIO", "EACCES"], "waitpid": ["EINTR"],
    "write": ["ENOSPC", "EIO", "EINTR", "short"], "writev": ["ENOSPC", "short"],
}
CHANGING = {"close", "fallocate", "fsync", "open", "posix_spawn", "pwrite", "rename", "unlink", "utimensat", "write"}
RETRIED = {"EINTR", "short"}
NOT_NAMED = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "pipe:")  # files that are no user's
IN_HTSLIB, IN_TBB = (re.compile(rf"([^ ]+ in libc\.so\.6 < )*[^ ]+ in {name}\.so") for name in ("libhts", "libtbb"))
MEMORY = re.compile("memory|cannot start another thread")


def number_of(error):
    return 0 if error == "short" else getattr(errno, error)


def sample(count, most, seed):
    """Numbers from 1 to count: all, or `most` of them, the same ones for a seed."""
    numbers = range(1, count + 1)
    return numbers if count <= most else sorted(random.Random(seed).sample(numbers, most))


def is_same(name, content, wanted):
    """Reports of `align` have the time that the run took: they are to be whole."""
    if name == "report.json":
        try:
            return json.loads(content).keys() == json.loads(wanted).keys()
        except ValueError:
            return False
    if name == "report.html":
        return content.endswith(b"</html>\n") and content.startswith(wanted[:200])
    return content == wanted


class Judge:
    """Compares the end of a run with that of an undisturbed one."""

    def __init__(self, wanted):
        self.wanted = wanted

    def problems(self, outcome, errors=(), retried=False):
        if outcome.code is None:
            return ["hangs"]
        if outcome.code < 0 and IN_HTSLIB.match(outcome.crash) and ("ENOMEM" in errors or outcome.object.endswith(".fai")):
            return []  # it does not check that it got memory, and frees a stream twice where this cannot be read
        if outcome.code < 0 and IN_TBB.match(outcome.crash) and "ENOMEM" in errors:
            return []  # nor does oneTBB where it starts
        if outcome.code < 0:
            return [f"ends by signal {-outcome.code} in {outcome.crash.split(' < ')[0]}"]
        found = list(self.of_files(outcome))
        if outcome.code == 0:
            missing = self.wanted.files.keys() - outcome.files.keys()
            return found + [f"wrong success: {name} is missing" for name in missing]
        if outcome.object.startswith("pipe:") and "EIO" in errors:
            return found  # no pipe fails so: what was read seems to be cut short
        if outcome.code != 1:
            found.append(f"exit code {outcome.code}")
        if retried:
            found.append("was to be retried")
        return found + list(self.of_message(outcome, errors))

    def of_files(self, outcome):
        for name, content in outcome.files.items():
            if name not in self.wanted.files and Path(name).name in outcome.message and outcome.object.endswith(name):
                continue  # it could not be removed, and the message has its name
            if name not in self.wanted.files:
                yield f"leaves {re.sub('[0-9]+$', 'N', name)}"
            elif not is_same(name, content, self.wanted.files[name]):
                yield f"{'wrong success' if outcome.code == 0 else 'half-written'}: {name} differs"

    def of_message(self, outcome, errors):
        lines = outcome.message.splitlines()
        if len(lines) > 1 and outcome.message.count("warpseed") == 1:
            lines = lines[-1:]  # htslib, which uses perror() at times
        if len(lines) != 1 or not lines[0].startswith("warpseed"):
            yield f"not one line of message but {len(lines)}"
        reasons = [os.strerror(number_of(error)) for error in errors]
        if "EINTR" in errors:
            reasons.append(os.strerror(errno.EBADF))  # htslib closes again
        memory = bool({"ENOMEM", "EAGAIN"} & set(errors)) and MEMORY.search(outcome.message)
        if " failed; see that the disk has room" in outcome.message:
            return  # a program that makes pictures, which does not say why
        if errors and not memory and not any(reason in outcome.message for reason in reasons):
            yield "the message lacks the reason"
        if outcome.object and not outcome.object.startswith(NOT_NAMED) and not memory:
            name = Path(re.sub(r"(\.unfinished\..*| \(deleted\))$", "", outcome.object)).name
            temporary = name.startswith(("warpseed.", "#")) and "temporary file" in outcome.message
            # On a full disk the first request that failed may be a hint, and what ends the run another file.
            other = "ENOSPC" in errors and any(output in outcome.message for output in self.wanted.files)
            if name not in outcome.message and not temporary and not other and "the folder of" not in outcome.message:
                yield "the message lacks the file"


ENDS = {0: "same bytes", 1: "error"}


class Tally:
    """How the runs ended, by call."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.findings = collections.defaultdict(list)

    def add(self, row, outcome, problems, how):
        ended = "finding" if problems else "not met" if outcome.failed == 0 else ENDS.get(outcome.code, "killed")
        self.rows[row][ended] += 1
        for problem in problems:
            self.findings[(row, problem)].append((how, outcome))

    def report(self):
        for (row, problem), runs in sorted(self.findings.items()):
            print(f"FAILED: {row}: {problem} ({len(runs)} runs)")
            for how, outcome in runs[:4]:
                print(f"    {how}  [{outcome.object}]\n      said: {outcome.message.strip()[:300]}{outcome.crash}")
        total = sum((ended for ended in self.rows.values()), collections.Counter())
        print(", ".join(f"{count} {ended}" for ended, count in sorted(total.items())))
        return 1 if self.findings else 0

    def table(self):
        columns = ["same bytes", "error", "killed", "not met", "finding"]
        lines = ["| request | faults | same bytes | error, exit code 1 | ended by a signal | not met | finding |",
                 "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
        for row, ended in sorted(self.rows.items()):
            cells = [row, sum(ended.values()), *(ended[column] for column in columns)]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
        return "\n".join(lines) + "\n"


class Session:
    def __init__(self, options, injector, cases):
        self.options, self.injector, self.tally = options, injector, Tally()
        self.cases = [case for case in cases if options.case in ("", case.name)]
        self.seconds = {}
        self.pool = concurrent.futures.ThreadPoolExecutor(JOBS)
        self.wanted = dict(zip([case.name for case in self.cases], self.pool.map(self.undisturbed, self.cases)))

    def most(self, usual):
        """How many requests of a call fail, one in each run."""
        return 1 << 30 if self.options.full else self.options.most or usual

    def undisturbed(self, case):
        outcome = self.injector.run(case)
        if outcome.code != 0:
            sys.exit(f"FAILED: {case.name} without a fault: exit code {outcome.code}: {outcome.message}")
        begun = time.monotonic()
        again = self.injector.run(case)
        self.seconds[case.name] = time.monotonic() - begun
        if again.files.keys() != outcome.files.keys() or not all(is_same(name, again.files[name], outcome.files[name]) for name in again.files):
            sys.exit(f"FAILED: {case.name}: two runs differ")
        return outcome

    def submit(self, row, case, how, errors=(), retried=False, more=lambda outcome: [], **run):
        """more: further problems of an outcome."""
        def work():
            outcome = self.injector.run(case, **run)
            problems = Judge(self.wanted[case.name]).problems(outcome, errors, retried)
            return row, outcome, problems + list(more(outcome)), f"{case.name}: {how}"
        return self.pool.submit(work)

    def submit_killed(self, case, how, **run):
        """A run that is killed, and another one in the same folder that is not."""
        def work():
            killed, after = self.injector.run(case, again=True, **run)
            judge = Judge(self.wanted[case.name])
            problems = [problem for problem in judge.of_files(killed) if not problem.startswith("leaves")]
            problems += [f"afterwards: {problem}" for problem in judge.problems(after)]
            killed.failed = killed.failed or int(killed.code != 0)
            return "SIGKILL", killed, problems, f"{case.name}: {how}"
        return self.pool.submit(work)

    def gather(self, runs):
        for run in concurrent.futures.as_completed(list(runs)):
            self.tally.add(*run.result())


def test_calls(session):
    most = session.most(1)

    def runs(alone):
        for case in session.cases:
            for call, count in session.wanted[case.name].counts.items():
                if count == 0 or call == "allocation" or session.options.call not in ("", call):
                    continue
                if (call == "access") != alone:
                    continue
                for error in ERRORS.get(call, USUAL):
                    if error == "EINTR" and call == "close" and "CRAM" in case.name:
                        continue  # htslib then closes again, and finds the descriptor closed
                    for number in sample(count, most, f"{case.name} {call} {error}"):
                        fault = f"{call}:{number}:{number}:{number_of(error)}"
                        retried = error in RETRIED and call not in ("close", "fclose")
                        how = f"WS_FAULT={fault} ({error})"
                        yield session.submit(call, case, how, (error,), retried, WS_FAULT=fault)

    session.gather(runs(alone=False))
    for run in runs(alone=True):  # htslib then writes the index of a reference again, of which others would read a part
        session.gather([run])


def test_memory(session):
    most = min(session.most(40), 2000)

    def runs():
        for case in session.cases:
            for number in sample(session.wanted[case.name].counts["allocation"], most, case.name):
                for last, row in ((number, "allocation, one"), (1 << 40, "allocation, all from one on")):
                    fault = f"allocation:{number}:{last}:{errno.ENOMEM}"
                    yield session.submit(row, case, f"WS_FAULT={fault}", ("ENOMEM",), WS_FAULT=fault)
            for _ in range(max(1, min(most // 8, 20))):  # the threads of two runs do not begin alike
                yield session.submit("threads that begin late", case, "WS_FAULT_LATE=1", retried=True, more=always_met(),
                                     WS_FAULT_LATE="1")

    session.gather(runs())


def test_disk(session):
    """A disk that is full after some bytes."""
    most = session.most(3)

    def runs():
        for case in session.cases:
            size = sum(map(len, session.wanted[case.name].files.values()))
            for number in sample(size // 1024 + 1, most, case.name):
                room = str((number - 1) * 1024)
                yield session.submit("full disk", case, f"WS_FAULT_DISK={room}", ("ENOSPC",), WS_FAULT_DISK=room)

    session.gather(runs())


def test_killed(session):
    """By a request, and at moments that a seed chooses; what is left does not disturb the next run."""
    most, moments = session.most(1), min(session.most(1), 40)
    chance = random.Random(20240607)

    def runs():
        for case in session.cases:
            for call, count in session.wanted[case.name].counts.items():
                for number in sample(count, most, f"{case.name} {call}") if call in CHANGING else []:
                    fault = f"{call}:{number}:{number}:kill"
                    yield session.submit_killed(case, f"WS_FAULT={fault}", WS_FAULT=fault)
            for _ in range(moments):
                seconds = chance.uniform(0.005, session.seconds[case.name])
                yield session.submit_killed(case, f"after {seconds:.4f} s", kill_after=seconds)

    session.gather(runs())


def wrong_modes(mask):
    def problems(outcome):
        for name, mode in outcome.modes.items():
            if outcome.code == 0 and name.startswith("x") and mode != 0o666 & ~mask:
                yield f"mode {mode:o} of {name} with umask {mask:03o}"
    return problems


def locales(folder):
    """Locales that are there, or can be made: with a decimal comma, and with an I of its own."""
    for name, source in (("de_DE.UTF-8", "de_DE"), ("tr_TR.UTF-8", "tr_TR")):
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "-i", source, "-f", "UTF-8", str(folder / name)], stderr=subprocess.DEVNULL).returncode == 0
        if made:
            yield name
        else:
            print(f"left out: localedef does not make {name} here")


def few_files(limit):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


def masked(mask):
    return lambda: os.umask(mask)


def ignore_children():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def always_met(*checks):
    """For what holds all through a run: no request is counted."""
    def problems(outcome):
        outcome.failed = 1
        return [problem for check in checks for problem in check(outcome)]
    return problems


def test_surroundings(session):
    full = session.most(0) > 0
    folder = session.injector.work / "locales"
    folder.mkdir()
    names = [*locales(folder), "C", "nowhere"]

    def runs():
        for case in session.cases:
            for limit in range(4, 13) if full else (5, 8):
                yield session.submit("few open files", case, f"RLIMIT_NOFILE {limit}", ("EMFILE",),
                                     before=few_files(limit), more=always_met())
            for mask in (0o000, 0o022, 0o027, 0o077) if full else (0o027,):
                yield session.submit("umask", case, f"umask {mask:03o}", before=masked(mask),
                                     more=always_met(wrong_modes(mask)))
            for name in names:
                yield session.submit("locale", case, f"LC_ALL={name}", retried=True, more=always_met(),
                                     LC_ALL=name, LANG=name, LOCPATH=str(folder))
            for number in map(str, (1, 2, 3, 5, 8, 13) if full else (2,)):
                yield session.submit("clock", case, f"WS_FAULT_CLOCK={number}", retried=True, WS_FAULT_CLOCK=number)
            if full or case.name == "overlap":  # that has a child process
                yield session.submit("SIGCHLD ignored", case, "SIGCHLD ignored", retried=True, more=always_met(),
                                     before=ignore_children)

    session.gather(runs())


GROUPS = {"calls": test_calls, "memory": test_memory, "disk": test_disk, "killed": test_killed,
          "surroundings": test_surroundings}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--table", default="")
    parser.add_argument("--case", default="")
    parser.add_argument("--call", default="")
    parser.add_argument("--processors", type=int, default=0, help="that the program finds")
    parser.add_argument("groups", nargs="+", choices=GROUPS)
    options = parser.parse_args()
    if not shutil.which("samtools"):
        print("skipped: samtools is not installed (share/setup.sh installs it)")
        sys.exit(77)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        cases = make_cases(os.environ["WARPSEED"], Path(work))
        inputs = {path: path.read_bytes() for path in Path(work).iterdir() if path.is_file()}
        session = Session(options, Injector(os.environ["WARPSEED"], os.environ["WARPSEED_FAULTS"], work, options.processors), cases)
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
