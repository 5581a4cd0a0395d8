"""Switches planted faults on, one after the other, and reports which of them the tests notice.

judge.py TREE BUILD RESULTS [--jobs N] [--only N,N...]: TREE as plant.py wrote it, BUILD its build folder. First every test
runs without a fault, which shows the faults that it comes past and how long it takes; then each fault meets the tests that
come past it, the short ones first, until one fails or takes far too long. RESULTS: a table, a line a fault. What is in it
already is not asked again.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
import time

Test = collections.namedtuple("Test", "name command environment folder")


def unit_tests(build):
    program = os.path.join(build, "bin", "warpseed_tests")
    for flags in (["--list-test-names-only"], ["--list-tests", "--verbosity", "quiet"]):  # Catch2 2, 3
        listed = subprocess.run([program, *flags, "~[.]~[gpu]"], capture_output=True, text=True, check=False)
        names = [line.strip() for line in listed.stdout.splitlines() if line.strip()]
        if len(names) > 1:
            break
    spec = lambda name: re.sub(r"([\\,\[\]\"*])", r"\\\1", name)
    return [Test(name, [program, "--abort", spec(name)], {}, build) for name in names]


def script_tests(build):
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", "cli|fuzz|faults",
                            "-E", "cli[.](configure|install|release|demo|docs)"],
                           capture_output=True, text=True, check=True)
    tests = []
    for entry in json.loads(shown.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        if not properties.get("DISABLED"):
            environment = dict(setting.split("=", 1) for setting in properties.get("ENVIRONMENT", []))
            tests.append(Test(entry["name"], entry["command"], environment, properties["WORKING_DIRECTORY"]))
    return tests


def run(test, limit, **environment):
    """Exit status and seconds; the status of what ran into the limit is "time"."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(test.command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, cwd=test.folder,
                                   env={**os.environ, **test.environment, **environment}, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            status = "time"
    return status, time.monotonic() - begin


def trace(test):
    with tempfile.TemporaryDirectory() as folder:
        status, seconds = run(test, 900, WS_PLANTED_TRACE=folder)
        passed = set()
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                passed.update(int(line) for line in file)
    return status, seconds, passed


class Judge:
    def __init__(self, tests, jobs):
        self.tests, self.pool = tests, concurrent.futures.ThreadPoolExecutor(jobs)
        self.seconds, self.by_fault = {}, collections.defaultdict(list)

    def trace_all(self):
        for test, (status, seconds, passed) in zip(self.tests, self.pool.map(trace, self.tests)):
            if status != 0:
                print(f"left out, as it ends with {status} without a fault: {test.name}", flush=True)
                continue
            self.seconds[test.name] = seconds
            for fault in passed:
                self.by_fault[fault].append(test)

    def notice(self, fault):
        """The test that notices the fault and how; "" for none."""
        tests = sorted(self.by_fault[fault], key=lambda test: self.seconds[test.name])
        for test in tests:
            limit = 20 + 6 * self.seconds[test.name]
            status, _ = run(test, limit, WS_PLANTED=str(fault))
            if status != 0:
                return test.name, status
        return ("", f"{len(tests)} tests come past it")


def read_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tree"), parser.add_argument("build"), parser.add_argument("results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--units", action="store_true", help="unit tests alone")
    parser.add_argument("--scripts", action="store_true", help="tests of the program alone")
    flags = parser.parse_args()
    build = os.path.realpath(flags.build)
    faults = read_rows(os.path.join(flags.tree, "faults.tsv"))
    done = {row[0] for row in read_rows(flags.results)}
    only = set(filter(None, flags.only.split(",")))
    judge = Judge([] if flags.scripts else unit_tests(build), flags.jobs)
    judge.tests += [] if flags.units else script_tests(build)
    judge.trace_all()
    print(f"{len(judge.seconds)} tests, {sum(judge.seconds.values()):.0f} s without a fault", flush=True)
    asked = [row for row in faults if row[0] not in done and (not only or row[0] in only)]
    with open(flags.results, "a", encoding="utf-8") as file:
        noticing = {judge.pool.submit(judge.notice, int(row[0])): row for row in asked}
        for done in concurrent.futures.as_completed(noticing):  # one that no test notices takes as long as many others
            name, how = done.result()
            print(*noticing[done], name or "NOT NOTICED", how, sep="\t", file=file, flush=True)
    rows = read_rows(flags.results)
    missed = [row for row in rows if row[6] == "NOT NOTICED"]
    for row in missed:
        print(f"not noticed: {row[1]}:{row[2]}: {row[3]}: {row[4]} -> {row[5]} ({row[7]})")
    print(f"{len(rows) - len(missed)} of {len(rows)} faults noticed, {100 * (1 - len(missed) / max(1, len(rows))):.1f} %")


if __name__ == "__main__":
    main()
