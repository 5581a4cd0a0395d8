#!/bin/sh
# status.sh JOB: prints running, success or failed, as Snakemake's cluster-status wants it.
# Slurm's controller forgets a job some minutes after its end; then the accounting database is asked, where there is one.
# A job of which nobody knows counts as failed: it is not in the queue, and its work can be done again.
if found=$(scontrol --oneliner show job "$1" 2>&1); then
  state=${found#* JobState=}
else
  case $found in
    *"Invalid job id"*) state=$(sacct --jobs="$1" --allocations --noheader --parsable2 --format=State 2>/dev/null) ;;
    *) state=UNKNOWN ;; # the controller does not answer, for now
  esac
fi

case ${state%% *} in
  COMPLETED) echo success ;;
  '' | BOOT_FAIL | CANCELLED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT) echo failed ;;
  *) echo running ;;
esac
