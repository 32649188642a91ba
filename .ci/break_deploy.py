"""Breaks copies of files in deploy/ on purpose: a check that accepts one of these copies is useless."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

# By the check that must fail and the file: the old text and the new text. If the old text is None, the file is removed.
DAMAGES: dict[tuple[str, str], list[tuple[str | None, str]]] = {
    ("containerfile", "deploy/Containerfile"): [
        ("USER 10001:10001", "USER root"),
    ],
    ("compose", "deploy/compose.yaml"): [
        ('"127.0.0.1:9464:9464"', '"9464:9464"'),
        ("kafka:4.1.1", "kafka:latest"),
        ("stop_grace_period: 30s            #", "stop_grace_period: 10s    #"),
        ("GET /livez", "GET /readyz"),
        ("newsflash=Zm9yIGRldmVsb3BtZW50IG9ubHkh:Send", "newsflash=c29tZXRoaW5n:Send"),
        (
            "restart: unless-stopped\n    depends_on:\n      prometheus",
            "restrat: no\n    depends_on:\n      prometheus",
        ),
    ],
    ("compose", "deploy/prometheus/prometheus.yaml"): [
        ("worker:9464", "worker:9646"),
        ("gateway:9465", "gateway:9464"),
    ],
    ("compose", "deploy/grafana/provisioning/datasources/prometheus.yaml"): [
        ("prometheus:9090", "prometheus:9099"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/base/worker.yaml"): [
        ("  minReadySeconds: 20", "  minReadySecond: 20"),
        ("terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 10"),
        ("runAsUser: 10001", "runAsUser: 0"),
        ("readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"),
        ("drop: [ALL]", "drop: [NET_RAW]"),
        (
            "          readinessProbe:\n            httpGet: { path: /livez",
            "          readinessProbe:\n            httpGet: { path: /readyz",
        ),
        (
            "          livenessProbe:\n            httpGet: { path: /livez",
            "          livenessProbe:\n            httpGet: { path: /readyz",
        ),
        ("0.0.0.0:9464", "0.0.0.0:9465"),
        ("mountPath: /run/secrets/kafka", "mountPath: /run/secrets/kafak"),
        ("enableServiceLinks: false", "enableServiceLinks: true"),
        (
            "name: NEWSFLASH_ADMIN_LISTEN, value",
            "name: NEWSFLASH_KAFKA_INSTANCE, value: a }\n            - { name: NEWSFLASH_ADMIN_LISTEN, value",
        ),
    ],
    ("kubernetes deployment", "deploy/kubernetes/base/newsflash.yaml"): [
        ("unknown: drop", "unkown: drop"),
        ("drain: 10s", "drain: 25s"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/base/disruption.yaml"): [
        ("component: gateway", "component: gatway"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/base/networkpolicy.yaml"): [
        (
            "name: kafka } } }]\n      ports: [{ protocol: TCP, port: 9093 }]\n    # The hub",
            "name: kafka } } }]\n      ports: [{ protocol: TCP, port: 9092 }]\n    # The hub",
        ),
    ],
    ("kubernetes deployment", "deploy/kubernetes/base/gateway.yaml"): [
        ("targetPort: https", "targetPort: http"),
        ("value: newsflash-gateway", "value: newsflash"),
        ("admin-listen=0.0.0.0:9465", "admin-listen=0.0.0.0:9464"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/README.md"): [
        ("deployment/newsflash-oncall", "deployment/newsflash-on-call"),
    ],
    ("kubernetes statefulset", "deploy/kubernetes/README.md"): [
        ("statefulset/newsflash", "statefulset/newsflash-worker"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/base/kustomization.yaml"): [
        ("configMapGenerator:", "configMapGenerators:"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/components/keda/scaledobject.yaml"): [
        ("minReplicaCount: 2", "minReplicaCount: 0"),
        ("maxReplicaCount: 6", "maxReplicaCount: 60"),
        ("pollingInterval: 15", "poolingInterval: 15"),
        ("newsflash_lag_seconds{", "newsflash_lag_second{"),
        ("or vector(0)", "or vector(1)"),
        ('threshold: "20"', "threshold: 20"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/components/keda/kustomization.yaml"): [
        ("op: remove", "op: test"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/components/oncall/oncall.yaml"): [
        ("readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"),
        ("mountPath: /run/secrets/kafka", "mountPath: /run/secrets/kafak"),
        ("secretName: newsflash-kafka-oncall", "secretName: newsflash-kafka"),
        ("value: oncall", "value: newsflash"),
        ("component: oncall }", "component: duty }"),
        ("port: 9093", "port: 9092"),
    ],
    ("kubernetes deployment", "deploy/kubernetes/overlays/deployment/kustomization.yaml"): [
        ("newTag: ", "newTag: latest # "),
    ],
    ("kubernetes statefulset", "deploy/kubernetes/overlays/statefulset/kustomization.yaml"): [
        ("value: StatefulSet", "value: Deployment"),
    ],
    ("kubernetes statefulset", "deploy/kubernetes/overlays/statefulset/statefulset.yaml"): [
        ("fieldPath: metadata.name", "fieldPath: metadata.uid"),
        ("path: /spec/strategy", "path: /spec/stratgy"),
    ],
    ("kubernetes statefulset", "deploy/kubernetes/overlays/statefulset/service.yaml"): [
        ("clusterIP: None", "type: ClusterIP"),
    ],
    ("configuration", "deploy/kubernetes/base/newsflash.yaml"): [
        ("default: en", "default: de"),
    ],
    ("rules", "deploy/prometheus/newsflash.rules.yaml"): [
        ("absent(up", "absent((up"),
    ],
    ("rules", "deploy/prometheus/prometheus.kubernetes.yaml"): [
        ("action: keep", "action: kepe"),
    ],
    ("rule tests", "deploy/prometheus/newsflash.rules.yaml"): [
        ("newsflash:lag_seconds:max > 60", "newsflash:lag_seconds:max > 600"),
        ('present_over_time(up{job="newsflash-gateway"}[1d])', 'absent(up{job="newsflash-gateway"} == 1)'),
        ("max by (job) (newsflash_circuit_open) == 1\n", "max by (job) (newsflash_circuit_open) == 2\n"),
    ],
    ("alerts", "deploy/prometheus/newsflash.rules.yaml"): [
        ("newsflash_pauses", "newsflash_pause"),
        ("newsflash_runbooks }}/NewsflashThrottled.md", "newsflash_runbooks }}/Throttled.md"),
        ("- alert: NewsflashLogDropped", "- alert: NewsflashLogLost"),
    ],
    ("alerts", "deploy/prometheus/prometheus.yaml"): [
        ("newsflash_runbooks: https://git.example.org/newsflash/blob/main/deploy/runbooks", "site: x"),
        ("newsflash_runbooks: https://git.example.org/newsflash/blob/main/", "newsflash_runbooks: "),
    ],
    ("pages", "deploy/runbooks/NewsflashLagging.md"): [
        (None, ""),
    ],
    ("pages", "deploy/runbooks/NewsflashDown.md"): [
        ("## Do not", "## Never"),
    ],
    ("commands", "deploy/guides/first-topic.md"): [
        ("topics plan --config newsflash.yaml --offline", "topics plan --config newsflash.yaml --off-line"),
    ],
    ("commands", "deploy/kubernetes/README.md"): [
        ("-- newsflash tap --since", "-- newsflash tap --sinc"),
    ],
    ("commands", "deploy/runbooks/README.md"): [
        ("-u newsflash newsflash status", "-u newsflash newsflash stat"),
    ],
    ("commands", "deploy/guides/a-wrong-alert.md"): [
        ("newsflash pause --config", "newsflash halt --config"),
    ],
    ("dashboard", "deploy/grafana/newsflash.json"): [
        ("newsflash_ready{", "newsflash_readi{"),
        ('"legendFormat": "{{phase}}"', '"legendFormat": "{{lane}}"'),
    ],
    ("expressions", "deploy/grafana/newsflash.json"): [
        ("sum by (phase) (", "sum by (phase) (("),
    ],
    ("systemd", "deploy/systemd/newsflash.service"): [
        ("TimeoutStopSec=30s", "TimeoutStopSec=15s"),
        ("ProtectSystem=strict", "ProtectSystem=stict"),
        ("CapabilityBoundingSet=\n", "CapabilityBoundingSet=CAP_SYS_ADMIN CAP_SYS_PTRACE CAP_NET_ADMIN\n"),
    ],
}


def damages() -> Iterator[tuple[str, str, str | None, str]]:
    for (wanted, file), changes in DAMAGES.items():
        for before, after in changes:
            yield wanted, file, before, after


def self_test(root: Path, checks: Callable[[Path], dict[str, Callable[[], str]]], skip: type[Exception]) -> int:
    """Applies each damage to a separate copy and runs its check.

    Returns 1 if a check accepted a damage, or failed without any.
    """
    let_through: list[str] = []
    left_out: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for folder in ("deploy", "schemas"):
            shutil.copytree(root / folder, copy / folder)
        # Pages in deploy/ link to these; no damage changes them.
        for linked in (".github", "README.md", "Sources", "Tests"):
            (copy / linked).symlink_to(root / linked)
        for wanted, file, before, after in damages():
            path = copy / file
            whole = path.read_text("utf-8")
            if before is not None and before not in whole:
                let_through.append(f"{file}: does not have {before!r} any more")
                continue
            if before is None:
                path.unlink()
            else:
                path.write_text(whole.replace(before, after), "utf-8")
            try:
                checks(copy)[wanted]()
                let_through.append(f"{wanted} passes {file} with {after!r} for {before!r}")
            except skip:
                left_out.add(wanted)
            except Exception:  # the expected finding
                pass
            path.write_text(whole, "utf-8")
        for wanted in {wanted for wanted, _ in DAMAGES} - left_out:
            try:
                checks(copy)[wanted]()
            except skip:
                pass
            except Exception as fault:
                let_through.append(f"{wanted} fails without any damage: {fault}")
    for name in sorted(left_out):
        print(f"skip  self-test: {name} could not be asked")
    if let_through:
        print("FAIL  self-test")
        print("\n".join(f"      {line}" for line in let_through))
        return 1
    count = sum(damage[0] not in left_out for damage in damages())
    print(f"ok    self-test: {count} damages, each of which fails its check")
    return 0
