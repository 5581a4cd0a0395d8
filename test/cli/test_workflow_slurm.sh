#!/usr/bin/env bash
# shellcheck disable=SC2154 # variables of lib.sh and workflow_lib.sh
# The workflow of share/workflow/snakemake on a real Slurm with four nodes, all on this machine. The process of one job is
# killed, the node of another dies, and Snakemake itself is killed and started again: all while the jobs run. The records are
# those of single runs by hand.
. "$(dirname "$0")/lib.sh"
. "$WARPSEED_SOURCE/test/cli/workflow_lib.sh"
. "$WARPSEED_SOURCE/test/cli/slurm_lib.sh"

at_exit() {
  if [ -n "${snakemake-}" ]; then kill -KILL "$snakemake" 2>/dev/null || true; fi
  stop_slurm
}
start_slurm
make_samples
align_by_hand

# The `warpseed` of the jobs: stops in mid-run, once for each of three parts.
mkdir bin hold held
touch "hold/$sample.1" "hold/$sample.2" hold/single.3
cat >bin/warpseed <<END
#!/bin/sh
case "\$*" in *--shard*) exec python3 "$WARPSEED_SOURCE/test/cli/stop_in_mid_run.py" "$work" "\$@" ;; esac
exec "$WARPSEED" "\$@"
END
chmod +x bin/warpseed
PATH=$work/bin:$PATH

snakemake= # its process
# wait_for WHAT COMMAND...: until the command succeeds, as long as Snakemake runs.
wait_for() {
  local end=$((SECONDS + 100))
  until "${@:2}"; do
    if [ $SECONDS -gt $end ] || { [ -n "$snakemake" ] && ! kill -0 "$snakemake" 2>/dev/null; }; then
      tail -n 100 results*.txt results/logs/slurm/* >&2
      fail "$1 did not come to be"
    fi
    sleep 0.2
  done
}
state_of() { squeue --noheader --states=all --jobs="$1" --format=%T; }
is_in_state() { [ "$(state_of "$1")" = "$2" ]; }
# wait_for_part PART: sets process, job and node to those of a part that is stopped in mid-run.
wait_for_part() {
  wait_for "a run of part $1" [ -e "held/$1" ]
  read -r process job node <"held/$1"
  equal "$(state_of "$job")" RUNNING "job of $1"
  kill -0 "$process" || fail "the process of $1 has ended"
}

export CI=true # Snakemake then looks after its jobs each second, not each ten
start_workflow() {
  exec_pipeline slurm 3 results --max-status-checks-per-second 50 &
  snakemake=$!
}
start_workflow

wait_for_part "$sample.1"
kill -KILL "$process"
wait_for "a failed job" is_in_state "$job" FAILED

# A node without power: its slurmd and all processes of the job end at once.
wait_for_part "$sample.2"
dead=("${daemons[$node]}" "$process")
until [ "$(cat "/proc/$process/comm")" = slurmstepd ]; do
  process=$(sed 's/.*) [A-Z] //; s/ .*//' "/proc/$process/stat") # the parent
  [ "$process" -gt 1 ] || fail "the part does not run in Slurm"
  dead+=("$process")
done
kill -KILL "${dead[@]}"
wait_for "a job without a node" is_in_state "$job" NODE_FAIL
both_are_restarted() { [ "$(grep -c 'Trying to restart job' results.txt)" = 2 ]; }
wait_for "a restart of both jobs" both_are_restarted

# Snakemake is killed while one job runs, and the next Snakemake takes that job over.
wait_for_part single.3
others_are_done() { [ -e "results/$sample.bam.bai" ] && [ "$(squeue --noheader --format=%A)" = "$job" ]; }
wait_for "the end of all other jobs" others_are_done
kill -KILL $snakemake
wait $snakemake 2>/dev/null || true
is_in_state "$job" RUNNING || fail "the job ended with Snakemake"
mv results.txt results_killed.txt
pipeline slurm 3 results --unlock || fail "unlock: $(cat results.txt)"
start_workflow
wait_for "the job's number" grep -q "with external jobid '$job'" results.txt
kill -CONT "$process"
code=0
wait $snakemake || code=$?
snakemake=
[ $code = 0 ] || fail "the workflow: $(tail -n 100 results.txt results/logs/slurm/*)"
check_results results

# What Slurm did: number, name, node, state and memory of each job.
squeue --noheader --states=all --sort=i --format='%A %j %N %T %m' >jobs.txt
jobs_of() { grep -F " part.$1." jobs.txt | cut -d ' ' -f "$2" | paste -s -d ' '; }
equal "$(jobs_of single.3 1)" "$job" "jobs of the part that went on"
equal "$(jobs_of "$sample.1" 4)" "FAILED COMPLETED" "jobs of the part whose process was killed"
equal "$(jobs_of "$sample.2" 4)" "NODE_FAIL COMPLETED" "jobs of the part whose node died"
equal "$(grep -c COMPLETED jobs.txt)" 11 "completed jobs: an index, two plans, six parts, two merges"
[ "$(cut -d ' ' -f 3 jobs.txt | sort -u | wc -l)" -gt 2 ] || fail "not on several nodes: $(cat jobs.txt)"
# Memory: the estimate, then twice that; Snakemake in the job takes some more.
memory=$("$WARPSEED" align --estimate --quiet --threads 1 --sort by_hand.wsi lane1_1.fq,lane2_1.fq lane1_2.fq,lane2_2.fq |
  awk -F '\t' 'function mb(bytes) { return int((bytes + 999999) / 1000000) + 200 "M" }
    $1 == "memory-bytes" { print mb($2), mb(2 * $2) }')
equal "$(jobs_of "$sample.2" 5)" "$memory" "memory of two attempts"

# A job that waits or runs is taken over as it is; with other settings it is cancelled first.
slurm=$WARPSEED_SOURCE/share/workflow/snakemake/slurm
job_script() {
  printf '#!/bin/sh\n# properties = {"rule": "r", "wildcards": {"w": "a b"}, "input": [], "output": ["x"], "params": {"p": %s},
    "threads": 1, "resources": {"mem_mb": 100, "runtime": 1}}\nsleep 100\n' "$1" | sed -z 's/\n    / /'
}
job_script 1 >script.sh
first=$("$slurm/submit.py" script.sh)
equal "$("$slurm/submit.py" script.sh 2>submit.err)" "$first" "a job submitted twice"
contains submit.err "job $first of an earlier run goes on"
job_script 2 >script.sh
second=$("$slurm/submit.py" script.sh)
wait_for "the end of a job with other settings" is_in_state "$first" CANCELLED
equal "$("$slurm/status.sh" "$first")" failed "status of a cancelled job"
equal "$("$slurm/status.sh" "$second")" running "status of the next"
sed -i 's/"x"/"y"/' script.sh
if SBATCH_PARTITION=none "$slurm/submit.py" script.sh 2>submit.err; then fail "a job that Slurm refuses"; fi
contains submit.err 'invalid partition'

# Jobs that the controller has forgotten, and a controller that does not answer.
equal "$("$slurm/status.sh" 99999)" failed "status of a job that nobody knows"
printf '#!/bin/sh\necho COMPLETED\n' >bin/sacct
printf '#!/bin/sh\necho "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2\nexit 1\n' >bin/scontrol
chmod +x bin/sacct
equal "$("$slurm/status.sh" 99999)" success "status of a job that is in the accounting database"
chmod +x bin/scontrol
equal "$("$slurm/status.sh" "$first")" running "status without the controller"
