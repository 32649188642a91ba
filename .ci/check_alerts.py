"""Compares alerts, their tests, runbooks and the dashboard with each other and with the metrics; part of check_deploy.py."""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from check_shipped import Fault, places, read_json, read_yaml, require

# The metrics of a worker and a gateway, with their labels.
METRICS: dict[str, set[str]] = {
    "newsflash_requests_in_flight": {"hub"},
    "newsflash_hub_concurrency_limit": {"hub"},
    "newsflash_hub_rate_limit": {"hub"},
    "newsflash_hub_throttled": {"hub"},
    "newsflash_hub_limit": {"hub", "limit"},
    "newsflash_events": {"phase"},
    "newsflash_events_ahead": set(),
    "newsflash_pauses": set(),
    "newsflash_unconfirmed_writes": set(),
    "newsflash_stories": set(),
    "newsflash_story_bytes": set(),
    "newsflash_assigned_partitions": set(),
    "newsflash_oldest_open_event_seconds": set(),
    "newsflash_circuit_open": {"hub", "reason"},
    "newsflash_accept_latency_seconds_bucket": {"lane", "le"},
    "newsflash_outcomes_total": {"outcome"},
    "newsflash_dead_letters_total": {"reason"},
    "newsflash_retries_total": {"error"},
    "newsflash_tombstones_total": set(),
    "newsflash_recognized_records_total": set(),
    "newsflash_ledger_repairs_total": set(),
    "newsflash_write_failures_total": set(),
    "newsflash_records_lost_total": {"topic", "reason"},
    "newsflash_log_lines_dropped_total": set(),
    "newsflash_build_info": {"version", "librdkafka", "config"},
    "newsflash_ready": set(),
    "newsflash_unready": {"reason"},
    "newsflash_lag_records": {"topic", "partition"},
    "newsflash_lag_seconds": {"topic", "partition"},
    "newsflash_oldest_unconfirmed_seconds": set(),
    "newsflash_hub_requests_total": {"hub", "result"},
    "newsflash_hub_request_seconds_bucket": {"hub", "le"},
    "newsflash_ledger_restore_seconds_bucket": {"le"},
    "newsflash_kafka_faults": set(),
    "newsflash_canary_events_total": {"difference"},
    "newsflash_reloads_total": {"result"},
    "newsflash_gateway_requests_total": {"action", "status"},
    "newsflash_gateway_refusals_total": {"error"},
    "newsflash_gateway_request_seconds_bucket": {"action", "le"},
    "newsflash_gateway_build_info": {"version"},
    "process_cpu_seconds_total": set(),
    "process_resident_memory_bytes": set(),
    "process_open_fds": set(),
    "process_max_fds": set(),
    "process_start_time_seconds": set(),
    "up": set(),
}
# The labels that Prometheus adds to each.
TARGET = {"job", "instance"}
HEADINGS = ["What it means", "What subscribers notice", "Look", "Press", "Do not"]


class AlertChecks:
    """The checks of Prometheus' and Grafana's files and of the runbooks."""

    def __init__(self, root: Path, promtool: str | None) -> None:
        self.root = root
        self.promtool = promtool
        self.folder = root / "deploy/prometheus"
        groups = read_yaml(self.folder / "newsflash.rules.yaml")["groups"]
        self.rules = [rule for group in groups for rule in group["rules"]]
        self.alerts = {rule["alert"] for rule in self.rules if "alert" in rule}
        self.recorded = {rule["record"] for rule in self.rules if "record" in rule}

    def run(self, *arguments: Any) -> None:
        output = subprocess.run([self.promtool, *arguments], capture_output=True, text=True, timeout=60)
        require(output.returncode == 0, (output.stdout + output.stderr).strip())

    def check_rules(self) -> str:
        self.run("check", "config", self.folder / "prometheus.yaml")
        self.run("check", "rules", "--lint=all", "--lint-fatal", self.folder / "newsflash.rules.yaml")
        with tempfile.TemporaryDirectory() as name:
            # Debian builds promtool without Kubernetes, so the discovery of pods is left out; the rest is checked.
            text = (self.folder / "prometheus.kubernetes.yaml").read_text("utf-8")
            changed, count = re.subn(r"kubernetes_sd_configs:\n\s+- \{.*\}\n", "static_configs: []\n", text)
            require(count == 2, "prometheus.kubernetes.yaml: kubernetes_sd_configs has changed its form")
            (Path(name) / "prometheus.yaml").write_text(changed, "utf-8")
            (Path(name) / "newsflash.rules.yaml").write_bytes((self.folder / "newsflash.rules.yaml").read_bytes())
            self.run("check", "config", Path(name) / "prometheus.yaml")
        return f"prometheus: two configurations and {len(self.rules)} rules are read by promtool without a word"

    def check_rule_tests(self) -> str:
        self.run("test", "rules", self.folder / "newsflash.rules.test.yaml")
        return "prometheus: the rules' tests pass"

    def check_alerts(self) -> str:
        """Each alert is fired by a test and kept quiet by one, and has a runbook and a severity."""
        fired: set[str] = set()
        quiet: set[str] = set()
        causes: set[tuple[str, str]] = set()
        for test in read_yaml(self.folder / "newsflash.rules.test.yaml")["tests"]:
            for case in test.get("alert_rule_test", []):
                name, expected = case["alertname"], case["exp_alerts"]
                require(name in self.alerts, f"a test expects {name}, which is no alert")
                (fired if expected else quiet).add(name)
                causes |= {(name, alert["exp_labels"].get("cause", "")) for alert in expected}
        require(fired == self.alerts, f"no test fires {self.alerts - fired}")
        require(quiet == self.alerts, f"no test keeps quiet {self.alerts - quiet}")
        for rule in self.rules:
            self.check_metrics(rule["expr"], rule.get("alert") or rule["record"])
            if "alert" not in rule:
                continue
            name = rule["alert"]
            require((name, rule["labels"].get("cause", "")) in causes, f"no test fires {name} {rule['labels']}")
            require(rule["labels"].get("severity") in ("page", "ticket"), f"{name}: neither page nor ticket")
            annotations = rule["annotations"]
            require(annotations.keys() == {"summary", "description", "runbook_url"}, f"{name}: {annotations.keys()}")
            address = "{{ $externalLabels.newsflash_runbooks }}/" + f"{name}.md"
            require(annotations["runbook_url"] == address, f"{name}: its page is {annotations['runbook_url']}")
        for path in sorted(self.folder.glob("prometheus*.yaml")):
            # A pager opens addresses, not paths.
            site = read_yaml(path)["global"].get("external_labels", {}).get("newsflash_runbooks", "")
            require(re.fullmatch(r"https://\S+[^/\s]", site) is not None, f"{path.name}: the runbooks are at '{site}'")
        return f"prometheus: {len(self.alerts)} alerts, each fired and kept quiet by a test, on metrics that there are"

    def check_query(self, query: str) -> None:
        """The query of the autoscaler uses known metrics, and has a test."""
        self.check_metrics(query, "ScaledObject")
        tests = read_yaml(self.folder / "newsflash.rules.test.yaml")["tests"]
        tried = {case["expr"].strip() for test in tests for case in test.get("promql_expr_test", [])}
        require(query.strip() in tried, f"no test tries {query.strip()}")

    def check_pages(self) -> str:
        pages = {path.stem: path for path in (self.root / "deploy/runbooks").glob("*.md") if path.stem != "README"}
        require(pages.keys() == self.alerts, f"pages without alert or alerts without page: {pages.keys() ^ self.alerts}")
        index = (self.root / "deploy/runbooks/README.md").read_text("utf-8")
        for name, path in pages.items():
            text = path.read_text("utf-8")
            found = re.findall(r"^## (.*)$", text, re.M)
            require([one for one in found if one in HEADINGS] == HEADINGS, f"{name}: {found}, not {HEADINGS}")
            require(text.startswith(f"# {name}\n"), f"{name}: the page has another title")
            require(f"({name}.md)" in index, f"runbooks/README.md does not name {name}")
        everything = sorted((self.root / "deploy").rglob("*.md"))
        for path in everything:
            for link in re.findall(r"\]\(([^)#]+)", path.read_text("utf-8")):
                if not link.startswith("http"):
                    require((path.parent / link).exists(), f"{path.relative_to(self.root)}: {link} leads nowhere")
        return f"runbooks: a page for each of {len(pages)} alerts; links of {len(everything)} pages lead somewhere"

    def check_metrics(self, expression: str, where: str) -> set[str]:
        """Every metric of an expression is a worker's or recorded; returns the labels that it may have."""
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', expression)
        labels = set(TARGET)
        names = set(re.findall(r"\b(?:newsflash|process)_[a-z_]+|\bnewsflash:[a-z0-9_:]+|\bup\b", bare))
        require(bool(names), f"{where}: asks for no metric")
        for name in names:
            require(name in METRICS or name in self.recorded, f"{where}: there is no {name}")
            labels |= METRICS.get(name) or {"lane", "topic"}
        for matched in re.findall(r"\{([^{}]*)\}", bare):
            asked = set(re.findall(r"([a-z_]+)\s*(?:=~|!~|!=|=)", matched))
            require(asked <= labels, f"{where}: no metric there has the labels {asked - labels}")
        for group in re.findall(r"\b(?:by|on|ignoring|without)\s*\(([a-z_, ]*)\)", bare):
            asked = {label.strip() for label in group.split(",")} - {""}
            require(asked <= labels, f"{where}: no metric there has the labels {asked - labels}")
        return labels

    def check_dashboard(self) -> str:
        path = self.root / "deploy/grafana/newsflash.json"
        dashboard = read_json(path.read_text("utf-8"))
        panels = dashboard["panels"]
        require(len({panel["id"] for panel in panels}) == len(panels), "two panels have one id")
        taken: set[tuple[int, int]] = set()
        for panel in panels:
            title, place = panel["title"], panel["gridPos"]
            require(place["x"] + place["w"] <= 24, f"{title}: is wider than the page")
            own = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            require(not own & taken, f"{title}: lies over another panel")
            taken |= own
            for target in panel.get("targets", []):
                labels = self.check_metrics(target["expr"], title)
                shown = set(re.findall(r"\{\{\s*([a-z_]+)\s*\}\}", target["legendFormat"]))
                require(shown <= labels, f"{title}: the legend asks for {shown - labels}")
        sources = {json.dumps(node["datasource"]) for _, node in places(dashboard) if self.has_source(node)}
        require(sources == {'{"type": "prometheus", "uid": "${datasource}"}'}, f"panels ask {sources}")
        return f"grafana: {len(panels)} panels, each in its place and on metrics that there are"

    def check_expressions(self, others: list[str]) -> str:
        """promtool parses every query of Prometheus, with Grafana's variables filled in."""
        dashboard = read_json((self.root / "deploy/grafana/newsflash.json").read_text("utf-8"))
        expressions = [*self.expressions(dashboard), *others]
        filled = [one.replace("$__rate_interval", "1m").replace("$instance", ".*") for one in expressions]
        require(not any("$" in one for one in filled), "an expression has a variable that is not known")
        rules = [{"record": f"check:expression:{number}", "expr": one} for number, one in enumerate(filled)]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"groups": [{"name": "expressions", "rules": rules}]}, file)
            file.flush()
            self.run("check", "rules", file.name)
        return f"grafana and KEDA: promtool reads all {len(expressions)} expressions"

    @staticmethod
    def has_source(node: Any) -> bool:
        return isinstance(node, dict) and isinstance(node.get("datasource"), dict)

    @staticmethod
    def expressions(dashboard: Any) -> Iterator[str]:
        for _, node in places(dashboard):
            if isinstance(node, dict) and isinstance(node.get("expr"), str):
                yield node["expr"]


def check_sources(root: Path) -> str:
    """The program has every metric of the list."""
    text = "\n".join(path.read_text("utf-8") for path in (root / "Sources").rglob("*.swift"))
    named = set(re.findall(r'"((?:newsflash|process)_[a-z_]+)"', text))
    missing = [name for name in METRICS if name != "up" and not {name, re.sub(r"_(total|bucket)$", "", name)} & named]
    if missing:
        raise Fault(f"the program makes no {', '.join(missing)}")
    return f"metrics: {len(METRICS) - 1} in rules and dashboard are metrics of the program"
