#!/bin/bash
# Kafka brokers on loopback for a test process: KRaft nodes, each broker and controller.
#
#   kafka-cluster.sh PORT CONTROLLER_PORT [PORT CONTROLLER_PORT ...]
#
# One pair of ports a node; nodes are numbered from 1. KAFKA_HOME names a Kafka in the official layout; Java must be on the
# PATH. Prints "ready 127.0.0.1:PORT,..." once all serve. Then takes commands, one a line, and answers each with one line:
#
#   kill N     kill -9 of node N            killed N
#   start N    node N again, on its data    started N, once it serves
#
# Ends the brokers and removes their data when its standard input ends, so also when the process that started it is killed.
set -euo pipefail
home=${KAFKA_HOME:?KAFKA_HOME is not set}
ports=(); controllers=()
while (($# > 1)); do
    ports+=("$1"); controllers+=("$2"); shift 2
done
count=${#ports[@]}
((count > 0)) || { echo "which ports?" >&2; exit 64; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/kafka-test.XXXXXX")
pids=()
end() {
    local pid
    # Not a clean end: nobody reads the data again, and a quorum that ends waits for itself.
    for pid in "${pids[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$dir"
}
trap end EXIT

replicas=$((count < 3 ? count : 3))
in_sync=$((replicas > 1 ? replicas - 1 : 1))
voters=; servers=
for node in $(seq "$count"); do
    voters+="${voters:+,}$node@127.0.0.1:${controllers[node - 1]}"
    servers+="${servers:+,}127.0.0.1:${ports[node - 1]}"
done
export KAFKA_HEAP_OPTS="${KAFKA_HEAP_OPTS:--Xmx512m -Xms256m}" LOG_DIR="$dir/logs"

launch() { # NODE
    "$home/bin/kafka-server-start.sh" "$dir/node$1.properties" >"$dir/node$1.log" 2>&1 </dev/null &
    pids[$1]=$!
}
await() { # NODE: an open port is not yet a serving broker, so what it says of itself counts
    until grep -q "Kafka Server started" "$dir/node$1.log"; do
        kill -0 "${pids[$1]}" 2>/dev/null || { tail -20 "$dir/node$1.log" >&2; exit 1; }
        sleep 0.1
    done
}

for node in $(seq "$count"); do
    cat >"$dir/node$node.properties" <<P
process.roles=broker,controller
node.id=$node
controller.quorum.voters=$voters
listeners=PLAINTEXT://127.0.0.1:${ports[node - 1]},CONTROLLER://127.0.0.1:${controllers[node - 1]}
advertised.listeners=PLAINTEXT://127.0.0.1:${ports[node - 1]}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=$dir/data$node
num.partitions=4
auto.create.topics.enable=false
default.replication.factor=$replicas
min.insync.replicas=$in_sync
offsets.topic.replication.factor=$replicas
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=$replicas
transaction.state.log.min.isr=$in_sync
transaction.state.log.num.partitions=2
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
P
    "$home/bin/kafka-storage.sh" format -t AAAAAAAAAAAAAAAAAAAAAQ -c "$dir/node$node.properties" \
        >"$dir/format$node.log" 2>&1 || { cat "$dir/format$node.log" >&2; exit 1; }
    launch "$node"
done
for node in $(seq "$count"); do await "$node"; done
echo "ready $servers"

while read -r command node; do
    case $command in
    kill)
        kill -KILL "${pids[node]}"
        wait "${pids[node]}" 2>/dev/null || true
        echo "killed $node"
        ;;
    start)
        launch "$node"
        await "$node"
        echo "started $node"
        ;;
    esac
done
