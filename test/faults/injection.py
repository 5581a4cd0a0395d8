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
    files: dict = field(default_factory=dict)  # name below the run's folder: bytes


def read_page(path):
    content = path.read_bytes()
    failed, name = struct.unpack_from("<Q1016s", content)
    counts = {}
    for at in range(CALLS_AT, PAGE_BYTES - CALL.size, CALL.size):
        call, count = CALL.unpack_from(content, at)
        if not call.strip(b"\0"):
            break
        counts[call.rstrip(b"\0").decode()] = count
    return failed, name.rstrip(b"\0").decode(errors="replace"), counts


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Injector:
    def __init__(self, program, library, work):
        self.program, self.library, self.work = program, library, Path(work)

    def environment(self, page, **variables):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WS_FAULT", "TMPDIR"))}
        kept.update(LD_PRELOAD=str(self.library), WS_FAULT_PAGE=str(page), PATH=f"{self.work}:{kept['PATH']}", **variables)
        return kept

    def start(self, case, folder, page, before=None, **variables):
        """A run of the case in `folder`, which becomes its working folder."""
        page.write_bytes(bytes(PAGE_BYTES))
        case.prepare(folder)
        return subprocess.Popen(
            [self.program, *case.arguments], cwd=folder, env=self.environment(page, **variables), preexec_fn=before,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)

    def run(self, case, before=None, **variables):
        with case.alone, tempfile.TemporaryDirectory(dir=self.work) as name:
            folder, page = case.folder or Path(name, "run"), Path(name, "page")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            process = self.start(case, folder, page, before, **variables)
            try:
                message = process.communicate(timeout=TIME_LIMIT)[1]
                code = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                message, code = process.communicate()[1], None
            return Outcome(code, message.decode(errors="replace"), *read_page(page), files_in(folder))
