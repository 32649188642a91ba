"""Breaks copies of what lies in deploy/ on purpose: a check that lets one of these through is no check."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

KUBERNETES = "deploy/kubernetes"
PROMETHEUS = "deploy/prometheus"

# The check that must fail, a file, what stands there, and what stands there instead. `None` instead of a text to
# replace removes the file.
DAMAGES: list[tuple[str, str, str | None, str]] = [
    ("containerfile", "deploy/Containerfile", "USER 10001:10001", "USER root"),
    ("compose", "deploy/compose.yaml", '"127.0.0.1:9464:9464"', '"9464:9464"'),
    ("compose", "deploy/compose.yaml", "kafka:4.1.1", "kafka:latest"),
    ("compose", "deploy/compose.yaml", "stop_grace_period: 30s            #", "stop_grace_period: 10s    #"),
    ("compose", "deploy/compose.yaml", "GET /livez", "GET /readyz"),
    ("compose", "deploy/compose.yaml", "newsflash=Zm9yIGRldmVsb3BtZW50IG9ubHkh:Send", "newsflash=c29tZXRoaW5n:Send"),
    ("compose", "deploy/compose.yaml", "restart: unless-stopped\n    depends_on:\n      prometheus", "restrat: no\n    depends_on:\n      prometheus"),
    ("compose", f"{PROMETHEUS}/prometheus.yaml", "worker:9464", "worker:9646"),
    ("compose", "deploy/grafana/provisioning/datasources/prometheus.yaml", "prometheus:9090", "prometheus:9099"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "  minReadySeconds: 20", "  minReadySecond: 20"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 10"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "runAsUser: 10001", "runAsUser: 0"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "drop: [ALL]", "drop: [NET_RAW]"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "          readinessProbe:\n            httpGet: { path: /livez", "          readinessProbe:\n            httpGet: { path: /readyz"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "          livenessProbe:\n            httpGet: { path: /livez", "          livenessProbe:\n            httpGet: { path: /readyz"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "0.0.0.0:9464", "0.0.0.0:9465"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "mountPath: /run/secrets/kafka", "mountPath: /run/secrets/kafak"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "enableServiceLinks: false", "enableServiceLinks: true"),
    ("kubernetes deployment", f"{KUBERNETES}/base/worker.yaml", "name: NEWSFLASH_ADMIN_LISTEN, value", "name: NEWSFLASH_KAFKA_INSTANCE, value: a }\n            - { name: NEWSFLASH_ADMIN_LISTEN, value"),
    ("kubernetes deployment", f"{KUBERNETES}/base/newsflash.yaml", "unknown: drop", "unkown: drop"),
    ("kubernetes deployment", f"{KUBERNETES}/base/newsflash.yaml", "drain: 10s", "drain: 25s"),
    ("kubernetes deployment", f"{KUBERNETES}/base/disruption.yaml", "component: gateway", "component: gatway"),
    ("kubernetes deployment", f"{KUBERNETES}/base/networkpolicy.yaml", "name: kafka } } }]\n      ports: [{ protocol: TCP, port: 9093 }]\n    # The hub", "name: kafka } } }]\n      ports: [{ protocol: TCP, port: 9092 }]\n    # The hub"),
    ("kubernetes deployment", f"{KUBERNETES}/base/gateway.yaml", "targetPort: https", "targetPort: http"),
    ("kubernetes deployment", f"{KUBERNETES}/base/kustomization.yaml", "configMapGenerator:", "configMapGenerators:"),
    ("kubernetes deployment", f"{KUBERNETES}/components/keda/scaledobject.yaml", "minReplicaCount: 2", "minReplicaCount: 0"),
    ("kubernetes deployment", f"{KUBERNETES}/components/keda/scaledobject.yaml", "maxReplicaCount: 6", "maxReplicaCount: 60"),
    ("kubernetes deployment", f"{KUBERNETES}/components/keda/scaledobject.yaml", "pollingInterval: 15", "poolingInterval: 15"),
    ("kubernetes deployment", f"{KUBERNETES}/components/keda/scaledobject.yaml", "newsflash_lag_seconds{", "newsflash_lag_second{"),
    ("kubernetes deployment", f"{KUBERNETES}/components/keda/scaledobject.yaml", 'threshold: "20"', "threshold: 20"),
    ("kubernetes deployment", f"{KUBERNETES}/components/keda/kustomization.yaml", "op: remove", "op: test"),
    ("kubernetes deployment", f"{KUBERNETES}/overlays/deployment/kustomization.yaml", "newTag: 0.1.0", "newTag: latest"),
    ("kubernetes statefulset", f"{KUBERNETES}/overlays/statefulset/kustomization.yaml", "value: StatefulSet", "value: Deployment"),
    ("kubernetes statefulset", f"{KUBERNETES}/overlays/statefulset/statefulset.yaml", "fieldPath: metadata.name", "fieldPath: metadata.uid"),
    ("kubernetes statefulset", f"{KUBERNETES}/overlays/statefulset/statefulset.yaml", "path: /spec/strategy", "path: /spec/stratgy"),
    ("kubernetes statefulset", f"{KUBERNETES}/overlays/statefulset/service.yaml", "clusterIP: None", "type: ClusterIP"),
    ("configuration", f"{KUBERNETES}/base/newsflash.yaml", "default: en", "default: de"),
    ("rules", f"{PROMETHEUS}/newsflash.rules.yaml", "absent(up", "absent((up"),
    ("rules", f"{PROMETHEUS}/prometheus.kubernetes.yaml", "action: keep", "action: kepe"),
    ("rule tests", f"{PROMETHEUS}/newsflash.rules.yaml", "newsflash:lag_seconds:max > 60", "newsflash:lag_seconds:max > 600"),
    ("rule tests", f"{PROMETHEUS}/newsflash.rules.yaml", "max by (job) (newsflash_line_held) == 1\n", "max by (job) (newsflash_line_held) == 2\n"),
    ("alerts", f"{PROMETHEUS}/newsflash.rules.yaml", "newsflash_source_holds", "newsflash_source_hold"),
    ("alerts", f"{PROMETHEUS}/newsflash.rules.yaml", "runbook: deploy/runbooks/NewsflashThrottled.md", "runbook: deploy/runbooks/Throttled.md"),
    ("alerts", f"{PROMETHEUS}/newsflash.rules.yaml", "- alert: NewsflashLogDropped", "- alert: NewsflashLogLost"),
    ("pages", "deploy/runbooks/NewsflashLagging.md", None, ""),
    ("pages", "deploy/runbooks/NewsflashDown.md", "## Do not", "## Never"),
    ("commands", "deploy/guides/first-topic.md", "topics create --config newsflash.yaml --dry-run", "topics create --config newsflash.yaml --try"),
    ("commands", "deploy/guides/a-wrong-alert.md", "newsflash hold --config", "newsflash halt --config"),
    ("dashboard", "deploy/grafana/newsflash.json", "newsflash_ready{", "newsflash_readi{"),
    ("dashboard", "deploy/grafana/newsflash.json", "sum by (phase) (", "sum by (phase) (("),
    ("dashboard", "deploy/grafana/newsflash.json", '"legendFormat": "{{phase}}"', '"legendFormat": "{{lane}}"'),
    ("systemd", "deploy/systemd/newsflash.service", "TimeoutStopSec=30s", "TimeoutStopSec=15s"),
    ("systemd", "deploy/systemd/newsflash.service", "ProtectSystem=strict", "ProtectSystem=stict"),
    ("systemd", "deploy/systemd/newsflash.service", "CapabilityBoundingSet=\n", "CapabilityBoundingSet=CAP_SYS_ADMIN CAP_SYS_PTRACE CAP_NET_ADMIN\n"),
]  # fmt: skip


def self_test(root: Path, checks: Callable[[Path], dict[str, Callable[[], str]]], skip: type[Exception]) -> int:
    """Applies each damage to a copy of its own and asks the check that is for it.

    Returns 1 where one let a damage pass, or failed before there was any.
    """
    let_through: list[str] = []
    left_out: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for folder in ("deploy", "schemas"):
            shutil.copytree(root / folder, copy / folder)
        for wanted, file, before, after in DAMAGES:
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
            except Exception:  # the finding that was asked for
                pass
            path.write_text(whole, "utf-8")
        for wanted in {damage[0] for damage in DAMAGES} - left_out:
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
    count = sum(damage[0] not in left_out for damage in DAMAGES)
    print(f"ok    self-test: {count} damages, each of which fails its check")
    return 0
