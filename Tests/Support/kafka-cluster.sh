#!/bin/bash
# Kafka brokers on loopback for a test process: KRaft nodes, each with both roles, broker and controller.
#
#   kafka-cluster.sh [--secure PASSWORD TLS_PORT MUTUAL_PORT SASL_PORT [--users NAMES]] PORT CONTROLLER_PORT [PORT
#                    CONTROLLER_PORT ...]
#
# One pair of ports for each node; nodes are numbered from 1. KAFKA_HOME names a Kafka in the official layout; Java must be
# in the PATH. Prints "ready 127.0.0.1:PORT,..." when all nodes serve. Then reads commands, one in a line, and answers each
# with one line:
#
#   kill N     kill -9 of node N            killed N
#   start N    node N again, on its data    started N, once it serves
#   cut N P    removes all batches except the first of partition P, such as news-0, from the log of node N, which
#              must not run                 cut N
#
# With --secure, which is for one node and needs openssl, that node listens on three more ports: TLS, TLS with client
# certificates, and TLS with SASL by PLAIN, SCRAM-SHA-512 and OAUTHBEARER. The user "news" has the password; a token
# needs no signature. Everything is allowed that no access list forbids. With --users, further users have the password, such
# as "newsflash oncall"; nothing is allowed to them that no access list allows. The user "admin" and the port without TLS are
# allowed everything. Before "ready" it prints "certificates FOLDER"; the folder contains PEM files:
#
#   authority.pem             the authority that signed the broker's certificate, which is for 127.0.0.1, and the client's
#   client.pem, client.key    for clients
#   stranger.pem              an authority that signed neither
#
# Stops the brokers and removes their data when its standard input ends, also if the process that started it is killed.
set -euo pipefail
home=${KAFKA_HOME:?KAFKA_HOME is not set}
secure=
if [[ ${1:-} == --secure ]]; then
    (($# >= 7)) || { echo "which password, and which five ports?" >&2; exit 64; }
    secure=1 password=$2 tls=$3 mutual=$4 sasl=$5 users=
    shift 5
    if [[ $1 == --users ]]; then users=$2; shift 2; fi
    (($# == 2)) || { echo "--secure is for one node" >&2; exit 64; }
fi
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
    # Not a clean stop, because nobody reads the data again, and a stopping quorum waits for its own members.
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
format=(format -t AAAAAAAAAAAAAAAAAAAAAQ)
more_listeners=; more_protocols=; : >"$dir/secure.properties"

authority() { # NAME
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -batch -subj "/CN=$1 of the tests" \
        -keyout "$1.key" -out "$1.pem"
}
certificate() { # NAME
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -batch -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
    openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -out "$1.pem" \
        -extfile <(echo "subjectAltName=IP:127.0.0.1")
}
if [[ $secure ]]; then
    mkdir "$dir/certificates"
    (cd "$dir/certificates" && authority authority && authority stranger && certificate broker && certificate client) \
        >"$dir/certificates.log" 2>&1 || { cat "$dir/certificates.log" >&2; exit 1; }
    # Kafka wants the key and the certificate in one file.
    cat "$dir/certificates/broker.key" "$dir/certificates/broker.pem" >"$dir/broker-key-and-certificate.pem"
    more_listeners=,TLS://127.0.0.1:$tls,MUTUAL://127.0.0.1:$mutual,SASL://127.0.0.1:$sasl
    more_protocols=,TLS:SSL,MUTUAL:SSL,SASL:SASL_SSL
    entries=
    for user in news $users; do entries+=" user_$user=\"$password\""; done
    cat >"$dir/secure.properties" <<P
ssl.keystore.type=PEM
ssl.keystore.location=$dir/broker-key-and-certificate.pem
ssl.truststore.type=PEM
ssl.truststore.location=$dir/certificates/authority.pem
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:admin
allow.everyone.if.no.acl.found=$([[ $users ]] && echo false || echo true)
listener.name.mutual.ssl.client.auth=required
listener.name.sasl.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512,OAUTHBEARER
listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
    $entries;
listener.name.sasl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl.oauthbearer.sasl.jaas.config=\
    org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";
P
    format+=(--add-scram "SCRAM-SHA-512=[name=news,password=$password]")
    echo "certificates $dir/certificates"
fi
export KAFKA_HEAP_OPTS="${KAFKA_HEAP_OPTS:--Xmx512m -Xms256m}" LOG_DIR="$dir/logs"
# Brokers of tests are short-lived: with the optimizing compiler, formatting and start take 6.5 s of CPU instead of 3.9 s.
export KAFKA_JVM_PERFORMANCE_OPTS="${KAFKA_JVM_PERFORMANCE_OPTS:--XX:+UseSerialGC -XX:TieredStopAtLevel=1}"

launch() { # NODE
    "$home/bin/kafka-server-start.sh" "$dir/node$1.properties" >"$dir/node$1.log" 2>&1 </dev/null &
    pids[$1]=$!
}
await() { # NODE: an open port does not mean that the broker serves, so its own log line counts
    until grep -q "Kafka Server started" "$dir/node$1.log"; do
        kill -0 "${pids[$1]}" 2>/dev/null || { tail -20 "$dir/node$1.log" >&2; exit 1; }
        sleep 0.1
    done
}

# Tests write records that are years old. Kafka would delete them at its first retention check, half a minute after its start.
for node in $(seq "$count"); do
    cat >"$dir/node$node.properties" <<P
process.roles=broker,controller
node.id=$node
controller.quorum.voters=$voters
listeners=PLAINTEXT://127.0.0.1:${ports[node - 1]}$more_listeners,CONTROLLER://127.0.0.1:${controllers[node - 1]}
advertised.listeners=PLAINTEXT://127.0.0.1:${ports[node - 1]}$more_listeners
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT$more_protocols
log.dirs=$dir/data$node
num.partitions=4
auto.create.topics.enable=true
default.replication.factor=$replicas
min.insync.replicas=$in_sync
offsets.topic.replication.factor=$replicas
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=$replicas
transaction.state.log.min.isr=$in_sync
transaction.state.log.num.partitions=2
log.initial.task.delay.ms=3600000
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
P
    cat "$dir/secure.properties" >>"$dir/node$node.properties"
    "$home/bin/kafka-storage.sh" "${format[@]}" -c "$dir/node$node.properties" \
        >"$dir/format$node.log" 2>&1 || { cat "$dir/format$node.log" >&2; exit 1; }
    launch "$node"
done
for node in $(seq "$count"); do await "$node"; done
echo "ready $servers"

cut_log() { # FILE: a batch begins with its first offset in 8 bytes and the length of the rest in 4
    local length
    length=$((16#$(od -An -tx1 -j 8 -N 4 "$1" | tr -d ' ')))
    head -c $((length + 12)) "$1" >"$dir/cut"
    mv "$dir/cut" "$1"
}

while read -r command node partition; do
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
    cut)
        cut_log "$dir/data$node/$partition/00000000000000000000.log"
        echo "cut $node"
        ;;
    esac
done
