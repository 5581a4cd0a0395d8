# A Slurm cluster of four nodes with a CPU each, all on this machine: munged, slurmctld and four slurmd, with files in
# $work/slurm and free ports. Sourced after lib.sh; stopped at the end of the test.
# shellcheck shell=bash disable=SC2034,SC2154 # counters of loops; variables of lib.sh

PATH=$PATH:/usr/sbin:/sbin # of the daemons
need munged slurmctld slurmd sbatch python3
export SLURM_CONF=$work/slurm/slurm.conf
physical_work=$(pwd -P) # without symbolic links
nodes="n1 n2 n3 n4"
declare -A daemons # process by name: munged, slurmctld, n1...

# daemon NAME COMMAND...: the command stays in the foreground of a background job, so that its process is known, and in $work.
daemon() {
  "${@:2}" >"slurm/$1.out" 2>&1 &
  daemons[$1]=$!
  disown $! # no message at its end
}

slurm_configuration() {
  local folder=$work/slurm ports user node
  read -r -a ports < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(5)]
for one in sockets: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))')
  user=$(id -un)
  cat <<END_OF_CONFIGURATION
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort=${ports[0]}
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge
CredType=cred/munge
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
StateSaveLocation=$folder
SlurmdPidFile=$folder/%n.pid
SlurmdLogFile=$folder/%n.log
SlurmdSpoolDir=$folder/%n
SlurmdTimeout=5
MessageTimeout=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0
SlurmdParameters=config_overrides
PartitionName=all Nodes=ALL Default=YES
END_OF_CONFIGURATION
  for node in $nodes; do
    echo "NodeName=$node NodeHostname=localhost Port=${ports[${node#n}]} CPUs=1 RealMemory=4000 State=UNKNOWN"
  done
}

# try_slurm: starts the daemons; fails if they do not serve within some seconds.
try_slurm() {
  local node process tries
  mkdir slurm
  chmod 700 slurm
  slurm_configuration >slurm/slurm.conf
  (umask 077 && head -c 1024 /dev/urandom >slurm/key)
  daemon munged munged --foreground --force --key-file="$work/slurm/key" --socket="$work/slurm/munge" \
    --pid-file="$work/slurm/munged.pid" --log-file="$work/slurm/munged.log" --seed-file="$work/slurm/seed"
  for tries in {1..50}; do
    if [ -S slurm/munge ]; then break; fi
    sleep 0.1
  done
  daemon slurmctld slurmctld -D -i
  for node in $nodes; do
    mkdir "slurm/$node"
    daemon "$node" slurmd -D -N "$node"
  done
  for tries in {1..150}; do
    if [ "$(sinfo --noheader --states=idle --format=%D 2>/dev/null)" = 4 ]; then return; fi
    for process in "${daemons[@]}"; do kill -0 "$process" 2>/dev/null || return 1; done
    sleep 0.1
  done
  return 1
}

# kill_all: all processes that run in $work but this one, until there is none.
kill_all() {
  local process found=yes
  while [ $found = yes ]; do
    found=no
    for process in /proc/[0-9]*; do
      if [ "${process#/proc/}" != $$ ] && [[ $(readlink "$process/cwd") = "${physical_work:?}"* ]]; then
        found=yes
        kill -KILL "${process#/proc/}" 2>/dev/null || true
      fi
    done
  done
}

# stop_slurm: ends the jobs, then the daemons.
stop_slurm() {
  local tries
  if [ -S slurm/munge ] && kill -0 "${daemons[slurmctld]-0}" 2>/dev/null; then
    scancel --me || true
    for tries in {1..50}; do
      [ -n "$(squeue --me --noheader)" ] || break
      sleep 0.1
    done
  fi
  kill_all
}

# start_slurm: skips the test where there can be no cluster. Another port may be free at the next try.
start_slurm() {
  local tries
  for tries in 1 2 3; do
    if try_slurm; then
      # Should the test be killed.
      (cd / && while kill -0 $$ 2>/dev/null; do sleep 1; done && kill_all && rm -rf "$work") >/dev/null 2>&1 &
      return
    fi
    stop_slurm
    tail -n 3 slurm/*.out
    rm -rf slurm
  done
  echo "skipped: no Slurm on this machine for user $(id -un)"
  exit 77
}
