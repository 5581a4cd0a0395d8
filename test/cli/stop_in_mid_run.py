"""Runs `warpseed align`, and stops it in mid-run where a test asks for that: stop_in_mid_run.py FOLDER ARGUMENT...

FOLDER/hold/PART asks for it, once, by the name of the output, PART.bam. Once the run is stopped there is FOLDER/held/PART:
its process, the Slurm job and the node. It goes on after SIGCONT.
"""

import glob
import os
import signal
import sys

program = os.environ["WARPSEED"]
folder, *arguments = sys.argv[1:]
output = arguments[arguments.index("-o") + 1]
part = os.path.basename(output)[: -len(".bam")]


def has_ended(process):
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def start_and_stop():
    """The process of a run that is stopped; a run that was faster is done again."""
    for _ in range(20):
        process = os.posix_spawn(program, ["warpseed", *arguments], os.environ)
        while not glob.glob(f"{output}.unfinished.*") and not has_ended(process):
            pass
        os.kill(process, signal.SIGSTOP)
        if os.WIFSTOPPED(os.waitpid(process, os.WUNTRACED)[1]):
            return process
    sys.exit(f"no run of {part} could be stopped")


try:
    os.remove(f"{folder}/hold/{part}")
except FileNotFoundError:
    os.execv(program, ["warpseed", *arguments])
process = start_and_stop()
signal.signal(signal.SIGALRM, lambda *_: os.kill(process, signal.SIGKILL))
signal.alarm(150)  # should the test have ended
with open(f"{folder}/{part}.held", "w") as file:
    print(process, os.environ["SLURM_JOB_ID"], os.environ["SLURMD_NODENAME"], file=file)
os.rename(f"{folder}/{part}.held", f"{folder}/held/{part}")
code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
