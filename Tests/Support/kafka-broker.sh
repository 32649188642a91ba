#!/bin/bash
# One Kafka broker on loopback for a test process.
#
#   kafka-broker.sh PORT CONTROLLER_PORT
#
# KAFKA_HOME names a Kafka in the official layout; Java must be on the PATH. Prints "ready 127.0.0.1:PORT" once it serves.
# Ends the broker and removes its data when its standard input ends, so also when the process that started it is killed.
set -euo pipefail
port=${1:?a port}; controller=${2:?a port for the controller}; home=${KAFKA_HOME:?KAFKA_HOME is not set}
dir=$(mktemp -d "${TMPDIR:-/tmp}/kafka-test.XXXXXX")
broker=
end() {
    if [ -n "$broker" ]; then
        kill "$broker" 2>/dev/null || true
        wait "$broker" 2>/dev/null || true
    fi
    rm -rf "$dir"
}
trap end EXIT

cat >"$dir/server.properties" <<P
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller
advertised.listeners=PLAINTEXT://127.0.0.1:$port
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs=$dir/data
num.partitions=4
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=2
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
P
export KAFKA_HEAP_OPTS="${KAFKA_HEAP_OPTS:--Xmx512m -Xms256m}" LOG_DIR="$dir/logs"
"$home/bin/kafka-storage.sh" format -t AAAAAAAAAAAAAAAAAAAAAQ -c "$dir/server.properties" >"$dir/format.log" 2>&1 || {
    cat "$dir/format.log" >&2
    exit 1
}
"$home/bin/kafka-server-start.sh" "$dir/server.properties" >"$dir/server.log" 2>&1 </dev/null &
broker=$!
until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 "$broker" 2>/dev/null || { tail -20 "$dir/server.log" >&2; exit 1; }
    sleep 0.1
done
echo "ready 127.0.0.1:$port"
cat >/dev/null
