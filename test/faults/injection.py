"""Runs the program with the fault library: what was counted, what failed, what was left."""

import os
import shutil
import signal
import struct
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PAGE_BYTES = 1 << 14
CALLS_AT, CALL = 1024, struct.Struct("<24sQ")  # struct Page of fault_library.cpp
TIME_LIMIT = 10  # seconds


@dataclass
class Outcome:
    """What is left of a run."""

    code: int | None  # negative: a signal; None: it did not end in time
    message: str
    failed: int  # requests that were refused
    object: str  # path of the first one's file, if it had one
    counts: dict
    crash: str  # functions, the innermost first
    files: dict = field(default_factory=dict)  # name below the run's folder: bytes
    modes: dict = field(default_factory=dict)  # the same: permissions


def text_of(field):
    return field.rstrip(b"\0").decode(errors="replace")


def read_page(path):
    content = path.read_bytes()
    failed, name, crash = struct.unpack_from("<Q504s512s", content)
    counts = {}
    for at in range(CALLS_AT, PAGE_BYTES - CALL.size, CALL.size):
        call, count = CALL.unpack_from(content, at)
        if not call.strip(b"\0"):
            break
        counts[text_of(call)] = count
    return failed, text_of(name), counts, text_of(crash)


def files_in(folder):
    paths = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    contents = {name: path.read_bytes() for name, path in paths.items()}
    return contents, {name: path.stat().st_mode & 0o777 for name, path in paths.items()}


class Injector:
    def __init__(self, program, library, work, processors=0):
        """processors: as many as runs are to find; 0: those of this machine."""
        self.program, self.library, self.work = program, library, Path(work)
        self.machine = {"WS_FAULT_PROCESSORS": str(processors)} if processors else {}

    def environment(self, page, **variables):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WS_FAULT", "TMPDIR"))}
        kept.update(LD_PRELOAD=str(self.library), WS_FAULT_PAGE=str(page), PATH=str(self.work), **self.machine, **variables)
        return kept

    def start(self, case, folder, page, before=None, **variables):
        """A run of the case in `folder`, which becomes its working folder."""
        page.write_bytes(bytes(PAGE_BYTES))
        return subprocess.Popen(
            [self.program, *case.arguments], cwd=folder, env=self.environment(page, **variables), preexec_fn=before,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)

    def run(self, case, again=False, **how):
        """again: a second run in the same folder, without a fault; its outcome is returned as well."""
        with case.alone, tempfile.TemporaryDirectory(dir=self.work, ignore_cleanup_errors=True) as name:
            folder, page = case.folder or Path(name, "run"), Path(name, "page")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            case.prepare(folder)
            outcome = self.run_in(case, folder, page, **how)
            return (outcome, self.run_in(case, folder, page)) if again else outcome

    def run_in(self, case, folder, page, before=None, kill_after=None, **variables):
        process = self.start(case, folder, page, before, **variables)
        try:
            message = process.communicate(timeout=kill_after or TIME_LIMIT)[1]
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            message = process.communicate()[1]
            code = -signal.SIGKILL if kill_after else None
        return Outcome(code, message.decode(errors="replace"), *read_page(page), *files_in(folder))
