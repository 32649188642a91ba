"""Scenarios of the page of registered devices and of the form for every kind of send; for .ci/browser_test.py."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

from console_checks import require, require_fit, require_readable
from console_page import Page
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

WIDTHS = (390, 820, 1440, 1920)


TEMPLATE = {"ServiceBusNotification-Format": "template", "Content-Type": "application/json"}


def installation(name: str, **parts: Any) -> dict[str, Any]:
    """An installation for APNs with a template for `message`, or with other parts."""
    channel = name.encode().hex().ljust(64, "0")
    templates = {"alerts": {"body": '{"aps":{"alert":"$(message)"}}'}}
    return {"installationId": name, "platform": "apns", "pushChannel": channel, "templates": templates, **parts}


def register(page: Page, *installations: dict[str, Any]) -> None:
    paths = [f"installations/{one['installationId']}" for one in installations]
    page.call("PUT", paths, {"Content-Type": "application/json"}, [json.dumps(one) for one in installations])


def register_some(page: Page) -> None:
    register(
        page,
        installation("app-1", userId="ada", tags=["World", "Sports"]),
        installation("app-2", platform="fcmv1", pushChannel="app-2:APA91b", tags=["World"], templates={}),
    )


def row_of(page: Page, words: str) -> WebElement:
    return page.until(
        f"{words} is listed", lambda: next((row for row in page.all(".listed-device") if words in row.text), None)
    )


def open_row(page: Page, words: str) -> WebElement:
    row = row_of(page, words)
    page.click(row.find_element(By.TAG_NAME, "summary"))
    page.until("it is open", lambda: row.find_element(By.CSS_SELECTOR, ".particulars").is_displayed())
    return row


def the_list_of_devices_shows_tags_templates_and_deliveries(page: Page) -> None:
    page.open()
    page.click(page.one("#to-registry"))
    page.until("the title names the page", lambda: page.driver.title.startswith("Registered devices, newsroom"))
    page.until("there is no device", lambda: "No devices yet." in page.one("#device-count").text)
    register_some(page)
    page.until("both are listed without a reload", lambda: page.one("#device-count").text == "2 devices.")
    page.until("they are counted", lambda: "2 installations" in page.one("#hub-devices").text)
    for words in ("APNs", "World, Sports", "template: alerts", "user ada", "handle 6170702D3100"):
        require(words in row_of(page, "app-1").text, f"the row lacks {words!r}: {row_of(page, 'app-1').text!r}")
    require("no template" in row_of(page, "app-2").text, "the row does not say that there is no template")
    page.hub.ask("PUT", "/_emulator/faults", [{"outcome": "BadChannel", "platform": "fcmv1"}])
    row = open_row(page, "app-2")
    warning = row.find_element(By.CSS_SELECTOR, ".warning").text
    require("only native sends" in warning, f"the warning is {warning!r}")
    fcm = {"ServiceBusNotification-Format": "fcmv1", "Content-Type": "application/json"}
    page.post("messages/", fcm, '{"message":{"notification":{"title":"Ahead"}}}')
    page.until("the failed delivery is listed", lambda: "BadChannel" in row_of(page, "app-2").text)
    page.until("the handle is marked", lambda: "rejected the handle" in row_of(page, "app-2").text)
    page.hub.ask("DELETE", "/_emulator/faults")
    row = open_row(page, "app-1")
    page.click(row.find_element(By.CSS_SELECTOR, ".raw summary"))
    template = row.find_element(By.CSS_SELECTOR, ".raw").text
    require('"alert": "$(message)"' in template, f"the template is {template!r}")
    page.post("messages/", {**TEMPLATE, "ServiceBusNotification-Tags": "Sports"}, '{"message":"Ahead 2–1"}')
    page.until("the delivery is listed", lambda: "One delivery." in row.text and "Success" in row.text)
    page.click(row.find_element(By.CSS_SELECTOR, ".delivery summary"))
    page.until("its payload is shown", lambda: "Ahead 2–1" in row.text)
    register(page, installation("app-1", userId="ada", tags=["Politics"]))
    page.until("its new tags are shown", lambda: "Politics" in row_of(page, "app-1").text)
    require(row_of(page, "app-1").find_element(By.CSS_SELECTOR, ".particulars").is_displayed(), "a change closes the row")
    page.hub.ask("DELETE", "/_emulator/devices")
    page.until("they are gone", lambda: "No devices yet." in page.one("#device-count").text)


def filters_of_devices_are_in_the_address(page: Page) -> None:
    page.open("#devices?platform=fcmv1")
    register_some(page)
    page.until("one matches", lambda: page.one("#device-count").text == "One device matches.")
    require("app-2" in page.one(".listed-device").text, "another device is listed")
    require(Select(page.one("[name=platform]")).first_selected_option.text == "FCM v1", "the form shows another filter")
    page.click(page.one("#device-filter [type=reset]"))
    page.until("both are listed", lambda: len(page.all(".listed-device")) == 2)
    for name, value, expected in (("tag", "sports", "app-1"), ("user", "ADA", "app-1"), ("handle", "app-2:APA91b", "app-2")):
        page.fill(f"#device-filter [name={name}]", value)
        page.click(page.one("#device-filter [type=submit]"))
        page.until("one is listed", lambda: len(page.all(".listed-device")) == 1)
        require(expected in page.one(".listed-device").text, f"{name}: another device is listed")
        require(f"{name}=" in page.driver.current_url, f"the address is {page.driver.current_url}")
        page.driver.back()
        page.until("both are listed again", lambda: len(page.all(".listed-device")) == 2)
    page.fill("#device-filter [name=tag]", "nobody")
    page.click(page.one("#device-filter [type=submit]"))
    page.until("nothing matches", lambda: "No device matches." in page.one("#device-count").text)
    page.fill("#device-filter [name=tag]", "a tag with spaces")
    page.click(page.one("#device-filter [type=submit]"))
    page.until("a wrong filter is told", lambda: "must be a valid tag" in page.one("#device-count").text)
    page.browser.messages()


def many_devices_are_listed_in_steps(page: Page) -> None:
    page.open("#devices")
    register(page, *(installation(f"app-{number:03}") for number in range(120)))
    for count in (50, 100):
        page.until(f"{count} are listed", lambda text=f"The first {count} devices.": page.one("#device-count").text == text)
        page.click(page.one("#device-more"))
    page.until("all are listed", lambda: page.one("#device-count").text == "120 devices.")
    require(not page.one("#device-more").is_displayed(), "there are more than all")
    require(len(page.all(".listed-device")) == 120, "there are not 120 rows")


def expect_result(page: Page, *words: str) -> None:
    def has_all() -> bool:
        return all(word in page.one("#message-result").text for word in words)

    try:
        page.until("the result is shown", has_all)
    except AssertionError:
        raise AssertionError(f"the result is {page.one('#message-result').text!r}, not {words}") from None


def last_send(page: Page) -> dict[str, Any]:
    return page.hub.ask("GET", "/_emulator/sends")["sends"][-1]


def each_kind_of_send_has_its_form(page: Page) -> None:
    page.open()
    require(page.one("#desk-title").text == "Send a notification", "a plain hub offers another form first")
    require(not page.one("#send-form").is_displayed(), "a plain hub shows the form for news")
    register_some(page)
    button = page.one("#message-send")
    name, value = page.all("#properties input")
    require((name.get_attribute("value"), value.get_attribute("value")) == ("message", "Hello"), "the first property differs")
    value.send_keys(", it’s me")
    page.click(button)
    expect_result(page, "Sent to one device.")
    require(json.loads(last_send(page)["body"]) == {"message": "Hello, it’s me"}, "the body differs")
    page.until("the delivery is listed below", lambda: "Success" in page.one("#message-response").text)

    page.fill("#properties input", "other")
    page.click(button)
    expect_result(page, "Sent to one device.", "message")

    page.choose("target", "tags")
    page.click(button)
    expect_result(page, "Enter a tag expression.")
    page.fill("#message-tags", "World && !Sports")
    page.choose("content", "native")
    Select(page.one("#message-format")).select_by_value("fcmv1")
    page.click(button)
    expect_result(page, "Sent to one device.")
    send = last_send(page)
    require((send["format"], send["tags"]) == ("fcmv1", "World && !Sports"), f"the send is {send}")

    page.choose("time", "test")
    page.click(button)
    expect_result(page, "Sent to one device.")
    page.until("the hub's response is shown", lambda: "<NotificationOutcome" in page.one("#message-response").text)
    require("Success" in page.one("#message-response .delivery").text, "the outcome of the device is missing")
    require(last_send(page)["test"] is True, "it is not a test send")

    page.choose("time", "later")
    page.click(button)
    expect_result(page, "Choose a time")
    script = """
    const due = document.getElementById("message-due");
    const local = new Date(Date.now() - new Date().getTimezoneOffset() * 60000 + 2000);
    due.value = local.toISOString().slice(0, 19);
    due.dispatchEvent(new Event("input", { bubbles: true }));
    """
    page.run(script)
    page.click(button)
    expect_result(page, "The hub sends it at")
    expect_result(page, "Sent to one device.")
    require("scheduledFor" in last_send(page), "it was not scheduled")

    page.choose("time", "now")
    page.choose("target", "device")
    page.fill("#message-handle", "app-2:APA91b")
    page.fill("#message-body", "{")
    page.click(button)
    expect_result(page, "The hub responded with 400:", "not valid JSON")
    page.browser.messages()
    page.fill("#message-body", '{"message":{"data":{"text":"it\'s direct"}}}')
    page.click(button)
    expect_result(page, "Sent to one device.")
    require(last_send(page)["handles"] == ["app-2:APA91b"], "it was sent to others")

    command = page.one("#message-request").text
    require("Authorization: $TOKEN" in command and "direct" in command, f"the command is {command}")
    token = page.hub.ask("GET", "/_emulator/token")["token"]
    line = f"{command} --silent --fail"
    subprocess.run(["bash", "-c", line], env={"TOKEN": token, "PATH": "/usr/bin:/bin"}, check=True, timeout=10)
    page.until("the command has sent it again", lambda: len(page.hub.ask("GET", "/_emulator/sends")["sends"]) == 7)


def a_device_of_the_list_can_be_sent_to(page: Page) -> None:
    page.open("#devices")
    register_some(page)
    page.click(open_row(page, "app-1").find_element(By.CSS_SELECTOR, ".content .secondary"))
    page.until("the form is shown", lambda: page.one("#message-form").is_displayed())
    page.click(page.one("#message-send"))
    expect_result(page, "Sent to one device.")
    send = last_send(page)
    require((send["format"], send["tags"]) == ("template", "$InstallationId:{app-1}"), f"the send is {send}")
    page.driver.back()
    page.click(open_row(page, "app-2").find_element(By.CSS_SELECTOR, ".content .secondary"))
    page.click(page.one("#message-send"))
    page.until("it is sent to the handle", lambda: last_send(page).get("handles") == ["app-2:APA91b"])


def a_simulated_device_can_have_a_template_of_its_own(page: Page) -> None:
    page.open("?phones=en")
    (phone,) = page.phones_registered(1)
    require(not phone.one(".account").is_displayed(), "without a gateway there is nowhere to sign in")
    page.click(phone.one(".setup summary"))
    for way in ("installation", "registration"):
        phone.set_up("registering", way)
        field = phone.one(".set-template")
        field.clear()
        field.send_keys(f'{{"aps":{{"alert":"{{\'{way} & <\' + $(words)}}"}}}}')
        page.run("arguments[0].blur()", field)
        devices = "/_emulator/devices"
        page.until("the hub has it", lambda way=way: f"{way} & <' + $(words)" in json.dumps(page.hub.ask("GET", devices)))
        page.post("messages/", TEMPLATE, '{"words":"Hello"}')
        page.until("it arrives", lambda way=way: phone.texts()[:1] == [f"{way} & <Hello"])


def every_page_is_accessible_and_fits(page: Page) -> None:
    page.open("?phones=en,fr,ar")
    phones = page.phones_registered(3)
    register_some(page)
    page.choose_form("message")
    page.click(phones[0].one(".setup summary"))
    page.choose("content", "native")
    page.choose("target", "device")
    page.choose("time", "later")
    page.click(page.one("#message-send"))
    views: list[tuple[str, Callable[[], None]]] = [
        ("native", lambda: None),
        ("template", lambda: page.choose("content", "template")),
        ("news", lambda: page.choose_form("news")),
        ("devices", lambda: (page.click(page.one("#to-registry")), open_row(page, "app-1"), open_row(page, "app-2"))),
    ]
    for name, show in views:
        show()
        for direction in ("ltr", "rtl"):
            page.run("document.documentElement.dir = arguments[0]", direction)
            for width in WIDTHS:
                scheme = "light" if width in (390, 1920) else "dark"
                page.browser.resize(width, 1000)
                require_fit(page)
                page.browser.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
                page.browser.picture(f"{name}-{width}-{direction}")
        page.run("document.documentElement.dir = 'ltr'")
        for width in (390, 1440):
            for scheme in ("light", "dark"):
                require_readable(page, scheme, width)


def a_thumb_moves_the_list_of_devices(page: Page) -> None:
    page.open("#devices")
    register(page, *(installation(f"app-{number}", tags=["World", "Sports"]) for number in range(20)))
    page.until("all are listed", lambda: len(page.all(".listed-device")) == 20)
    open_row(page, "app-0")
    page.click(page.one(".listed-device .raw summary"))
    for width in WIDTHS:
        page.browser.resize(width, 844)
        for place in (".listed-device .particulars", ".listed-device pre", "#device-filter", ".listed-device:nth-child(12)"):
            for distance in (-260, 260):
                page.run("arguments[0].scrollIntoView({block: 'center'})", page.one(place))
                before, room = page.run("return [scrollY, document.documentElement.scrollHeight - innerHeight]")
                box = page.one(place).rect
                page.browser.swipe(width // 2, int(min(box["y"] - before + box["height"] / 2, 800)), distance)
                moved = page.run("return scrollY") - before
                is_at_end = before >= room - 1 if distance < 0 else before == 0
                require(is_at_end or moved * distance < 0, f"at {width} pixels a thumb on {place} moves the page by {moved}")


def the_result_of_any_send_is_in_view_on_a_phone(page: Page) -> None:
    page.open("?phones=en")
    page.phones_registered(1)
    page.browser.resize(390, 844)
    field = page.one("#properties input")
    page.run("arguments[0].scrollIntoView({block: 'end'})", field)
    field.send_keys(Keys.ENTER)
    expect_result(page, "Sent to one device.")
    inside = "const { top, bottom } = arguments[0].getBoundingClientRect(); return top >= 0 && bottom <= innerHeight;"
    for part in ("#properties input", "#message-send", "#message-result"):
        require(page.run(inside, page.one(part)), f"{part} is not in view")
    page.driver.save_screenshot(str(page.browser.pictures / "console-any-result.png"))


DEVICES_AND_SENDS: list[Callable[[Page], None]] = [
    the_list_of_devices_shows_tags_templates_and_deliveries,
    filters_of_devices_are_in_the_address,
    many_devices_are_listed_in_steps,
    each_kind_of_send_has_its_form,
    a_device_of_the_list_can_be_sent_to,
    a_simulated_device_can_have_a_template_of_its_own,
    every_page_is_accessible_and_fits,
    a_thumb_moves_the_list_of_devices,
    the_result_of_any_send_is_in_view_on_a_phone,
]
