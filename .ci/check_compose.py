"""Compares deploy/compose.yaml with itself, newsflash.yaml and the mounted files; part of .ci/check_deploy.py."""

import re
from pathlib import Path
from typing import Any

from check_shipped import Fault, read_yaml, require

SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
KEYS = {
    "image", "build", "pull_policy", "init", "read_only", "cap_drop", "security_opt", "environment", "entrypoint",
    "command", "ports", "volumes", "tmpfs", "restart", "stop_grace_period", "depends_on", "healthcheck",
}  # fmt: skip
CONDITIONS = {"service_healthy", "service_completed_successfully", "service_started"}


def seconds(text: str) -> float:
    found = re.fullmatch(r"([0-9]+) ?(ms|s|m|h|d)", text)
    require(found is not None, f"{text} is no duration")
    return int(found[1]) * SECONDS[found[2]]


def volume(text: str) -> tuple[str, str, set[str]]:
    """Source, target and options of a volume; for a variable with a default, the default."""
    source, target, options = re.fullmatch(r"(\$\{[A-Z_]+:-[^}]+\}|[^:]+):([^:]+)(?::(.+))?", text).groups()
    default = re.fullmatch(r"\$\{[A-Z_]+:-(.+)\}", source)
    return default[1] if default else source, target, set((options or "").split(",")) - {""}


class ComposeChecks:
    """The checks of the compose file."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "deploy"
        self.compose = read_yaml(self.folder / "compose.yaml")
        self.configuration = read_yaml(self.folder / "newsflash.yaml")
        self.services = self.compose["services"]

    def check(self) -> str:
        for name, service in self.services.items():
            self.check_service(name, service)
        built = [service["build"] for service in self.services.values() if "build" in service]
        require(len(built) == 1, f"the image is built {len(built)} times")
        require((self.folder / built[0]["context"] / built[0]["dockerfile"]).exists(), "no container file to build")
        require("/livez" in self.services["worker"]["healthcheck"]["test"][-1], "a worker that is not ready is ended")
        self.check_key("worker", ["Send"])
        self.check_key("gateway", ["Listen", "Send", "Manage"])
        grace, drain = self.services["worker"]["stop_grace_period"], self.configuration["delivery"]["drain"]
        require(seconds(grace) > seconds(drain), f"stop_grace_period {grace} is not over drain {drain}")
        self.check_watching()
        return f"deploy/compose.yaml: {len(self.services)} services, closed to the outside, in step with their files"

    def check_service(self, name: str, service: dict[str, Any]) -> None:
        require(service.keys() <= KEYS, f"{name}: unknown keys {service.keys() - KEYS}")
        image = service["image"]
        tagged = re.search(r":[^/]+$", image) is not None and not image.endswith(":latest")
        require(tagged, f"{name}: {image} has no tag")
        require("no-new-privileges:true" in service.get("security_opt", []), f"{name}: may gain privileges")
        require(service.get("cap_drop") == ["ALL"], f"{name}: keeps capabilities")
        require(service.get("read_only") is True or name == "kafka", f"{name}: root file system is writable")
        for port in service.get("ports", []):
            require(port.startswith("127.0.0.1:"), f"{name}: port {port} is not on loopback")
        for needed, condition in service.get("depends_on", {}).items():
            require(needed in self.services, f"{name}: depends on {needed}, which is not there")
            require(condition["condition"] in CONDITIONS, f"{name}: there is no condition {condition['condition']}")
            waits_for_health = condition["condition"] == "service_healthy"
            require(not waits_for_health or "healthcheck" in self.services[needed], f"{needed}: no health check")
        for source, _, options in map(volume, service.get("volumes", [])):
            is_file = source.startswith(".")
            known = (self.folder / source).exists() if is_file else source in self.compose["volumes"]
            require(known, f"{name}: volume {source} is not there")
            require(not is_file or options == {"ro", "z"}, f"{name}: {source} is not ro,z")
        if image.startswith("newsflash:"):
            wanted = "build" if "build" in service else "never"
            require(service.get("pull_policy") == wanted, f"{name}: pull_policy is not {wanted}")
        if "healthcheck" in service and service.get("restart") is None:
            raise Fault(f"{name}: is watched and not started again")

    def mounted(self, service: str) -> dict[str, Path]:
        """The mounted files of a service that are in the folder of the compose file, by target."""
        volumes = map(volume, self.services[service]["volumes"])
        return {target: self.folder / source for source, target, _ in volumes if source.startswith(".")}

    def check_key(self, service: str, claims: list[str]) -> None:
        """A service's connection string matches the emulator, and has exactly the claims that the service needs."""
        command = self.services["hub"]["command"]
        (hub,) = self.configuration["hubs"].values()
        file, mounted = hub["connectionStringFile"], self.mounted(service)
        require(file in mounted, f"{service}: nothing is mounted at {file}")
        fields = dict(part.split("=", 1) for part in mounted[file].read_text("utf-8").strip().split(";"))
        options = list(zip(command[1::2], command[2::2], strict=True))
        rule = f"{fields['SharedAccessKeyName']}={fields['SharedAccessKey']}:"
        rights = [value.removeprefix(rule) for name, value in options if name == "--rule" and value.startswith(rule)]
        require(rights == [",".join(claims)], f"{service}: the emulator gives its key the rights {rights}")
        require(("--name", hub["name"]) in options, f"the emulator has no hub {hub['name']}")
        port = dict(options)["--listen"].rsplit(":", 1)[1]
        require(fields["Endpoint"] == f"http://hub:{port}/", f"{fields['Endpoint']} is not the emulator's address")
        development = fields.get("UseDevelopmentEmulator") == "true"
        require(development, "the connection string does not say that it is an emulator's")

    def check_watching(self) -> None:
        """Prometheus scrapes worker and gateway at their ports and has its rules, and Grafana queries Prometheus."""
        files = self.mounted("prometheus")
        configuration = read_yaml(files["/etc/prometheus/prometheus.yaml"])
        for rules in configuration["rule_files"]:
            require(f"/etc/prometheus/{rules}" in files, f"prometheus: {rules} is not mounted")
        jobs = {
            job["job_name"]: [target for entry in job["static_configs"] for target in entry["targets"]]
            for job in configuration["scrape_configs"]
        }
        port = self.services["worker"]["environment"]["NEWSFLASH_ADMIN_LISTEN"].rsplit(":", 1)[1]
        options = dict(word.split("=", 1) for word in self.services["gateway"]["command"] if "=" in word)
        gateway = options["--admin-listen"].rsplit(":", 1)[1]
        # The rules select the job newsflash by its name.
        wanted = {"newsflash": [f"worker:{port}"], "newsflash-gateway": [f"gateway:{gateway}"]}
        require(jobs == wanted, f"prometheus asks {jobs}, they listen at {wanted}")
        provisioning = self.mounted("grafana")["/etc/grafana/provisioning"]
        (source,) = read_yaml(provisioning / "datasources/prometheus.yaml")["datasources"]
        own = self.services["prometheus"]["ports"][0].rsplit(":", 1)[1]
        require(source["url"] == f"http://prometheus:{own}", f"Grafana asks {source['url']}")
        (provider,) = read_yaml(provisioning / "dashboards/newsflash.yaml")["providers"]
        home = self.services["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
        require(home in self.mounted("grafana"), f"grafana: nothing is mounted at {home}")
        require(home.startswith(provider["options"]["path"] + "/"), "Grafana looks for dashboards elsewhere")
