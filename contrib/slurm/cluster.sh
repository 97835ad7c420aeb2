#!/bin/sh
# A Slurm of its own on this machine: a controller, its authentication and two nodes, all in one
# folder, beside any other Slurm. To try `wedge bench --slurm` without a cluster; its test uses it.
#
#   cluster.sh start DIR [PORT]   starts it (ports PORT to PORT+2) and waits until nodes are idle
#   cluster.sh kill DIR NODE      kills a node (node1 or node2) with all that runs on it
#   cluster.sh revive DIR NODE    starts a node again
#   cluster.sh stop DIR           ends it with its jobs
#
# Then: export SLURM_CONF=DIR/slurm.conf. DIR should be new and not below a folder that everybody
# may write to without the sticky bit, or munged refuses it. Needs Debian's slurm-wlm and munge.
set -eu
PATH=$PATH:/usr/sbin

fail() {
    echo "cluster.sh: $*" >&2
    exit 1
}

[ $# -ge 2 ] || fail "usage: cluster.sh start|kill|revive|stop DIR [PORT|NODE]"
action=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd -P)
export SLURM_CONF="$dir/slurm.conf"

configure() {
    port=$1
    mkdir -p "$dir/state" "$dir/node1" "$dir/node2"
    chmod 700 "$dir"
    memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
    cores=$(nproc)
    cat > "$SLURM_CONF" <<END
ClusterName=here
SlurmctldHost=$(uname -n)(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2,bf_interval=2
SlurmdTimeout=6
MessageTimeout=3
KillWait=2
ReturnToService=2
NodeName=node1 NodeHostname=$(uname -n) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=$cores RealMemory=$memory
NodeName=node2 NodeHostname=$(uname -n) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=$cores RealMemory=$memory
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
END
}

start_munge() {
    head -c 1024 /dev/urandom > "$dir/munge.key"
    chmod 400 "$dir/munge.key"
    # Forced, because the folder above DIR may belong to somebody else.
    munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
        --pid-file="$dir/munge.pid" --log-file="$dir/munge.log" --seed-file="$dir/munge.seed" \
        2> "$dir/munge.errors" || fail "munged: $(cat "$dir/munge.errors")"
}

idle() {
    [ "$(sinfo -h -N -t idle -o %N 2> "$dir/sinfo.errors" | grep -c '^node[12]$')" -eq 2 ]
}

wait_for_nodes() {
    tries=0
    until idle; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || fail "the nodes do not come up: $(sinfo 2>&1; tail -3 "$dir"/*.log)"
        sleep 0.2
    done
}

# All processes below the given ones, deepest last.
tree() {
    for process in "$@"; do
        echo "$process"
        # Gone meanwhile is as good as without children.
        tree $(cat "/proc/$process/task/"*/children 2> /dev/null || true)
    done
}

kill_node() {
    # The daemon first, so that it starts nothing more. It may be dead already.
    kill -9 "$(cat "$dir/$1.pid")" 2> /dev/null || true
    # A step is no child of the daemon, but it writes to the same log.
    steps=
    for process in /proc/[0-9]*; do
        name=
        { read -r name < "$process/comm"; } 2> /dev/null || continue
        if [ "$name" = slurmstepd ] && ls -l "$process/fd" 2> /dev/null | grep -q -F "$dir/$1.log"
        then
            steps="$steps ${process#/proc/}"
        fi
    done
    all=$(tree $steps)
    # Some may be gone before their turn.
    [ -z "$all" ] || kill -9 $all 2> /dev/null || true
}

case $action in
start)
    for program in munged slurmctld slurmd sbatch squeue sinfo scontrol; do
        command -v "$program" > /dev/null || fail "$program is not installed (Debian: slurm-wlm, munge)"
    done
    configure "${3:-17820}"
    start_munge
    slurmctld
    slurmd -N node1
    slurmd -N node2
    wait_for_nodes
    ;;
kill) kill_node "$3" ;;
revive) slurmd -N "$3" ;;
stop)
    scancel --state=PENDING,RUNNING --user="$(id -un)" 2> /dev/null || true
    kill_node node1
    kill_node node2
    for daemon in slurmctld munge; do
        # It may have ended by itself.
        kill "$(cat "$dir/$daemon.pid")" 2> /dev/null || true
    done
    ;;
*) fail "unknown action $action" ;;
esac
