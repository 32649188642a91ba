"""The hub, a browser, and the console from a visitor's view; for .ci/browser_test.py."""

import http.client
import json
import os
import re
import signal
import ssl
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 10


class Hub:
    """A process of `newsflash hub`, or of another program that serves a console."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def arguments(self) -> list[str]:
        return ["hub", "--listen", f"127.0.0.1:{self.port}", "--name", "newsroom"]

    def start(self) -> None:
        """Uses a free port at first, and the same port after a stop."""
        self.process = subprocess.Popen([str(self.program), *self.arguments], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if found := re.search(r"(?:^ready|^  hub) +https?://127\.0\.0\.1:(\d+)", line):
                self.port = int(found.group(1))
                return
        raise AssertionError(f"{self.arguments[0]} ended before it said where it serves")

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A request to the inspection, with a body as JSON if there is one."""
        connection = self.connect()
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status >= 300:
                raise AssertionError(f"{method} {path}: {answer.status} {text}")
            return json.loads(text) if text else None
        finally:
            connection.close()

    def status(self, method: str, path: str, headers: dict[str, str] | None = None) -> int:
        """The status of a request to the hub's own interface."""
        connection = self.connect()
        try:
            connection.request(method, path, headers=headers or {})
            return connection.getresponse().status
        finally:
            connection.close()


class SecureHub(Hub):
    """`newsflash hub --tls`, with its own certificate authority."""

    def __init__(self, program: Path, folder: Path) -> None:
        super().__init__(program)
        self.folder = folder

    @property
    def arguments(self) -> list[str]:
        return [*super().arguments, "--tls", "--data", str(self.folder)]

    @property
    def authority(self) -> Path:
        return self.folder / "authority.pem"

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def connect(self) -> http.client.HTTPConnection:
        context = ssl.create_default_context(cafile=str(self.authority))
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=context)


class Demo(Hub):
    """`newsflash demo`, with phones and a worker."""

    @property
    def arguments(self) -> list[str]:
        return ["demo", "--port", str(self.port)]


class Browser:
    """Chromium, headless; with a separate home folder if one is given."""

    def __init__(self, pictures: Path, home: Path | None = None) -> None:
        self.pictures = pictures
        pictures.mkdir(parents=True, exist_ok=True)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        # Root must not use Chromium's sandbox, and a container's /dev/shm is small.
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        environment = {**os.environ, "HOME": str(home)} if home else None
        service = webdriver.ChromeService("/usr/bin/chromedriver", env=environment)
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    def close(self) -> None:
        self.driver.quit()

    def resize(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, **features: str) -> None:
        """Sets a preference of the visitor's system, such as prefers_color_scheme="dark"."""
        pairs = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": pairs})

    def swipe(self, x: int, y: int, distance: int) -> None:
        """Moves a finger on the touch screen, up if the distance is negative, and waits until scrolling has ended."""
        touch = "Input.dispatchTouchEvent"
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.driver.execute_cdp_cmd(touch, {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 6):
            point = {"x": x, "y": y + distance * step / 5}
            self.driver.execute_cdp_cmd(touch, {"type": "touchMove", "touchPoints": [point]})
        self.driver.execute_cdp_cmd(touch, {"type": "touchEnd", "touchPoints": []})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        script = """
        const [done] = arguments;
        let last = NaN;
        const look = () => scrollY === last ? done() : (last = scrollY, setTimeout(look, 60));
        look();
        """
        self.driver.execute_async_script(script)

    def messages(self) -> list[str]:
        """The browser's errors and violations of the content security policy since the last call."""
        return [f"{entry['level']} {entry['message']}" for entry in self.driver.get_log("browser")]

    def picture(self, name: str, element: WebElement | None = None) -> None:
        """Takes a picture of the top of the page, or from an element on."""
        if element is None:
            self.driver.execute_script("scrollTo(0, 0)")
        else:
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'start'})", element)
        self.driver.save_screenshot(str(self.pictures / f"console-{name}.png"))


class Page:
    """The console, open in a browser."""

    def __init__(self, browser: Browser, hub: Hub) -> None:
        self.browser = browser
        self.driver = browser.driver
        self.hub = hub

    def open(self, query: str = "") -> None:
        self.driver.get(f"{self.hub.url}/{query}")
        self.until("the stream of events is open", lambda: self.one("#live").get_attribute("data-state") == "open")

    def until(self, what: str, condition: Callable[[], Any], patience: float = PATIENCE) -> Any:
        """Waits for a condition, with a timeout."""
        ignored = (StaleElementReferenceException, NoSuchElementException, IndexError)
        try:
            return WebDriverWait(self.driver, patience, 0.05, ignored).until(lambda _: condition())
        except TimeoutException:
            raise AssertionError(f"waited {patience} s in vain: {what}") from None

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def click(self, element: WebElement) -> None:
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def phones(self) -> "list[PhoneOnPage]":
        return [PhoneOnPage(self, node) for node in self.all(".phone")]

    def phones_registered(self, count: int) -> "list[PhoneOnPage]":
        selector = ".registered[data-phase=registered]"
        self.until(
            f"{count} phones are registered", lambda: len(self.all(selector)) == count == len(self.all(".phone"))
        )
        return self.phones()

    def choose_form(self, name: str) -> None:
        """Chooses the form for news, or the one for any notification (`message`)."""
        self.click(self.one(f"#forms label:has([value={name}])"))

    def choose_story(self, value: str) -> None:
        self.choose_form("news")
        Select(self.one("#story")).select_by_value(value)

    def choose(self, group: str, value: str) -> None:
        """Chooses one of a group of buttons in the shown form."""
        self.click(self.one(f".send-form:not([hidden]) label:has([name={group}][value={value}])"))

    def choose_kind(self, kind: str) -> None:
        self.choose("kind", kind)

    def fill(self, selector: str, text: str) -> None:
        field = self.one(selector)
        field.clear()
        field.send_keys(text)

    def post(self, path: str, headers: dict[str, str], *bodies: str) -> None:
        """Sends requests to the hub's own interface, signed by the page."""
        self.call("POST", [path], headers, bodies)

    def call(self, method: str, paths: list[str], headers: dict[str, str], bodies: Sequence[str]) -> None:
        """Sends a request for each body: to the path in the same place, or to the only path."""
        script = """
        const [method, paths, headers, bodies, done] = arguments;
        (async () => {
            const { Hub } = await import("/console/hub.js");
            const hub = new Hub();
            for (const [index, body] of bodies.entries()) {
                await hub.call(method, paths[index] ?? paths[0], { headers, body });
            }
        })().then(() => done(null), (error) => done(error.message));
        """
        fault = self.driver.execute_async_script(script, method, paths, headers, bodies)
        if fault:
            raise AssertionError(f"{method} {paths[0]}: {fault}")

    def post_news(self, *stories: str) -> None:
        """Sends alerts in the category of politics, past the form."""
        headers = {"ServiceBusNotification-Format": "template", "ServiceBusNotification-Tags": "politics"}
        headers["Content-Type"] = "application/json;charset=utf-8"
        parts = {"kind": "alert", "category": "Politics"}
        bodies = [json.dumps({**parts, "story": text, "headline": text, "headline_en": text}) for text in stories]
        self.post("messages/", headers, *bodies)

    def send(self) -> None:
        """Sends the form's content, and waits until the list of sends shows whom it reached."""
        before = len(self.all(".send"))
        self.click(self.one("#send"))
        self.until("the send is on the wire", lambda: len(self.all(".send")) > before)
        self.until("its fan-out has ended", lambda: self.one(".send .reach").text not in ("", "…"))


def trust(authority: Path, home: Path) -> None:
    """Makes a browser with this home folder trust an authority."""
    database = home / ".pki" / "nssdb"
    database.mkdir(parents=True)
    certutil = ["certutil", "-d", f"sql:{database}"]
    subprocess.run([*certutil, "-N", "--empty-password"], check=True)
    subprocess.run([*certutil, "-A", "-n", "hub", "-t", "C,,", "-i", str(authority)], check=True)


class PhoneOnPage:
    """One simulated phone."""

    def __init__(self, page: Page, node: WebElement) -> None:
        self.page = page
        self.node = node
        self.id = node.get_attribute("id")

    def one(self, selector: str) -> WebElement:
        return self.node.find_element(By.CSS_SELECTOR, selector)

    def texts(self) -> list[str]:
        """The texts of its notifications, newest first."""
        return [card.text for card in self.node.find_elements(By.CSS_SELECTOR, ".card .body")]

    def wants_only(self, *tags: str) -> None:
        """Sets its switches, and waits until the hub has them."""
        for switch in self.node.find_elements(By.CSS_SELECTOR, "[role=switch]"):
            is_on = switch.get_attribute("aria-checked") == "true"
            if is_on != (switch.get_attribute("data-tag") in tags):
                self.page.click(switch)
        self.registered()

    def set_up(self, control: str, value: str) -> None:
        details = self.one(".setup")
        if details.get_attribute("open") is None:
            self.page.click(details.find_element(By.TAG_NAME, "summary"))
        Select(self.one(f".set-{control}")).select_by_value(value)
        self.registered()

    def account(self) -> WebElement:
        """The opened sign-in part of its plate."""
        details = self.one(".account")
        if details.get_attribute("open") is None:
            self.page.click(details.find_element(By.TAG_NAME, "summary"))
        return details

    def sign_in(self, name: str, password: str) -> None:
        """Fills in the sign-in form, which has the demo's gateway, and sends it."""
        account = self.account()
        for part, text in (("user", name), ("password", password)):
            field = account.find_element(By.CSS_SELECTOR, f".account-{part}")
            field.clear()
            field.send_keys(text)
        self.page.click(account.find_element(By.CSS_SELECTOR, ".sign-in [type=submit]"))

    def say(self, to: str, text: str) -> None:
        """Sends a message to another user, and waits until the gateway has accepted it."""
        account = self.account()
        for part, words in (("to", to), ("text", text)):
            field = account.find_element(By.CSS_SELECTOR, f".message-{part}")
            field.clear()
            field.send_keys(words)
        self.page.click(account.find_element(By.CSS_SELECTOR, ".message [type=submit]"))
        self.page.until("it is sent", lambda: f"Sent to {to}." in self.one(".account-result").text)

    def registered(self) -> None:
        def is_registered() -> bool:
            return self.one(".registered").get_attribute("data-phase") == "registered"

        self.page.until(f"{self.id} is registered", is_registered)
