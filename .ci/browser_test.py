"""Plays a visitor of the hub's console; .ci/browser-test installs the imports."""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from console_checks import require, require_readable
from console_page import Browser, Demo, Hub, Page, SecureHub, trust
from console_scenes import DEVICES_AND_SENDS
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


def an_empty_page_invites(page: Page) -> None:
    page.open()
    require(page.one("#nobody").is_displayed(), "nobody is invited to set phones out")
    page.browser.picture("empty")
    page.click(page.one("#add-three"))
    phones = page.phones_registered(3)
    require(not page.one("#nobody").is_displayed(), "the invitation stays")
    platforms = {phone.node.get_attribute("data-platform") for phone in phones}
    require(platforms == {"apns", "fcmv1", "wns"}, f"the three are {platforms}")
    require(page.hub.ask("GET", "/_emulator/hub")["installations"] == 3, "the hub knows others than three")


def the_page_says_what_it_is(page: Page) -> None:
    page.open()
    headings = [heading.text for heading in page.all("h1")]
    require(headings == ["Emulator of Azure Notification Hubs"], f"the heading is {headings}")
    require(page.driver.title == "newsroom: emulator of Azure Notification Hubs", f"the title is {page.driver.title}")


def a_reload_keeps_phones_and_a_removal_ends_them(page: Page) -> None:
    page.open("?phones=en,fr")
    ids = [phone.id for phone in page.phones_registered(2)]
    page.choose_story("sample:quake")
    page.send()
    page.until("both have it", lambda: all(len(phone.texts()) == 1 for phone in page.phones()))
    page.open("?phones=en,fr")
    phones = page.phones_registered(2)
    require([phone.id for phone in phones] == ids, "the phones are others after a reload")
    page.until("they show it again", lambda: all(len(phone.texts()) == 1 for phone in page.phones()))
    page.click(phones[0].one(".remove"))
    page.until("one phone is gone", lambda: len(page.all(".phone")) == 1)
    require(page.hub.ask("GET", "/_emulator/hub")["installations"] == 1, "the hub still knows the phone that is gone")


def news_reaches_who_asked_and_is_corrected_and_withdrawn(page: Page) -> None:
    page.open("?phones=en,fr")
    asked, other = page.phones_registered(2)
    asked.wants_only("Sports")
    other.wants_only("Politics", "Science")
    page.choose_story("sample:cup")
    page.send()
    page.until(
        "the phone that asked has it", lambda: asked.texts() == ["Valdoria beat Norvale 3–2 to win the Lakes Cup"]
    )
    require(other.texts() == [], f"the phone that did not ask has {other.texts()}")

    page.choose_kind("correction")
    field = page.one("#headline")
    field.clear()
    field.send_keys("Valdoria won 4–2, not 3–2")
    page.send()
    page.until("the correction has replaced it", lambda: asked.texts() == ["Correction: Valdoria won 4–2, not 3–2"])
    require("UPDATED" in asked.one(".card").text.upper(), "nothing says that it was updated")

    page.choose_kind("kill")
    page.send()
    page.until("the retraction has replaced it", lambda: len(asked.texts()) == 1 and "We withdraw" in asked.texts()[0])
    require(asked.one(".badge").text == "1", "the badge does not count one")
    require(other.texts() == [], f"the phone that did not ask has {other.texts()}")
    card = asked.one(".card")
    page.click(card)
    require(card.get_attribute("aria-expanded") == "true", "a click does not open the notification")
    page.click(asked.one(".notification .raw"))
    shown = page.until("payload and headers are shown", lambda: page.one("#inspector[open]").text)
    for part in ("PUT /newsroom/installations/console-", '"aps"', "apns-collapse-id"):
        require(part in shown, f"the inspector lacks {part}")
    page.browser.picture("inspector")
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    page.until("it closes", lambda: not page.all("#inspector[open]"))


def each_platform_and_way_of_registering_works(page: Page) -> None:
    toast = '<toast><visual><binding template="ToastGeneric"><text>Direct</text></binding></visual></toast>'
    direct = {
        "apns": ("apple", "application/json;charset=utf-8", '{"aps":{"alert":"Direct"}}'),
        "fcmv1": ("fcmv1", "application/json", '{"message":{"notification":{"title":"News","body":"Direct"}}}'),
        "wns": ("windows", "application/xml", toast),
    }
    page.open("?phones=en")
    (phone,) = page.phones_registered(1)
    page.choose_story("sample:quake")
    seen = 0
    for platform in ("apns", "fcmv1", "wns"):
        for way in ("installation", "registration"):
            phone.set_up("platform", platform)
            phone.set_up("registering", way)
            counts = page.hub.ask("GET", "/_emulator/hub")
            expected = (0, 1) if way == "registration" else (1, 2)
            found = (counts["installations"], counts["registrations"])
            require(found == expected, f"{platform} by {way}: {found} installations and registrations, not {expected}")
            page.choose_story("sample:quake")
            page.send()
            seen += 1
            page.until(f"{platform} by {way}: it arrives", lambda: len(phone.texts()) == seen)
            require(phone.texts()[0].startswith("Breaking: Earthquake"), f"{platform} by {way}: {phone.texts()[0]!r}")
            handle = page.run("return JSON.parse(localStorage.getItem('newsflash.phones'))[0].handle")
            kind, content_type, body = direct[platform]
            headers = {"ServiceBusNotification-Format": kind, "Content-Type": content_type}
            headers |= {"ServiceBusNotification-DeviceHandle": handle, "X-WNS-Type": "wns/toast"}
            page.post("messages/?direct", headers, body)
            seen += 1
            page.until(f"{platform} by {way}: a direct send arrives", lambda: len(phone.texts()) == seen)


def a_pc_shows_toasts_and_marks_urgent_ones(page: Page) -> None:
    page.open("?phones=en")
    (pc,) = page.phones_registered(1)
    pc.set_up("platform", "wns")
    headers = {"ServiceBusNotification-Format": "windows", "ServiceBusNotification-Tags": "world"}
    headers |= {"X-WNS-Type": "wns/toast", "Content-Type": "application/xml"}
    for text, scenario in (("Dam inspected", ""), ("Dam gives way", ' scenario="urgent"')):
        visual = f'<visual><binding template="ToastGeneric"><text>World</text><text>{text}</text></binding></visual>'
        page.post("messages/", headers, f"<toast{scenario}>{visual}</toast>")
        page.until("the toast has arrived", lambda text=text: pc.texts()[:1] == [text])
        is_marked = pc.one(".notification .level").is_displayed()
        require(is_marked == bool(scenario), f"{text!r} is {'' if is_marked else 'not '}marked as urgent")
    require(not pc.one(".statusbar").is_displayed(), "the PC has the signs of a phone")
    require(pc.one(".clock").location["y"] > pc.one(".notifications").location["y"], "the clock is not in the taskbar")
    page.browser.picture("toasts")


def arabic_reads_from_right_to_left(page: Page) -> None:
    page.open("?phones=ar,he")
    arabic, hebrew = page.phones_registered(2)
    page.choose_story("sample:quake")
    page.send()
    page.until("Arabic has come", lambda: "زلزال" in "".join(arabic.texts()))
    page.until("Hebrew has come", lambda: "רעידת" in "".join(hebrew.texts()))
    for phone, language in ((arabic, "ar"), (hebrew, "he")):
        screen = phone.one(".screen")
        require(screen.get_attribute("dir") == "rtl", "the screen is not mirrored")
        require(screen.get_attribute("lang") == language, "the screen has another language")
        body = phone.one(".card .body")
        require(body.value_of_css_property("direction") == "rtl", "the text runs from left to right")
        icon, content = phone.one(".card .appicon"), phone.one(".card .content")
        require(icon.location["x"] > content.location["x"], "the icon is not on the right")
    page.browser.prefer(prefers_color_scheme="light", prefers_reduced_motion="reduce")
    page.browser.picture("rtl")


def keys_alone_are_enough(page: Page) -> None:
    page.open("?phones=en")
    (phone,) = page.phones_registered(1)

    def press(key: str) -> None:
        ActionChains(page.driver).send_keys(key).perform()

    press(Keys.TAB)
    require(
        page.driver.switch_to.active_element.get_attribute("class") == "skip", "the first stop is not the skip link"
    )
    press(Keys.ENTER)
    press(Keys.TAB)
    press(Keys.ARROW_RIGHT)
    require(page.one("#send-form").is_displayed(), "the arrow does not choose the other form")
    for _ in range(40):
        press(Keys.TAB)
        focused = page.driver.switch_to.active_element
        require(
            focused.value_of_css_property("outline-style") != "none"
            or focused.get_attribute("type") in ("radio", "checkbox"),
            f"the focus cannot be seen on {focused.get_attribute('outerHTML')[:120]}",
        )
        if focused.get_attribute("id") == "send":
            break
    else:
        raise AssertionError("Tab does not lead to the button that sends")
    press(Keys.ENTER)
    page.until("it has arrived", lambda: len(phone.texts()) == 1)
    page.until("it is said aloud", lambda: "Earthquake" in page.one("#announcements").get_attribute("textContent"))
    require(page.driver.switch_to.active_element.get_attribute("id") == "send", "sending takes the focus away")
    press(Keys.ENTER)
    page.until("Enter tells the story on", lambda: phone.texts() == ["Tsunami warning for the Sereno coast"])


def nothing_is_cleared_without_a_question(page: Page) -> None:
    page.open("?phones=en")
    (phone,) = page.phones_registered(1)
    page.choose_story("sample:quake")
    page.send()
    page.until("it has arrived", lambda: len(phone.texts()) == 1)
    for button, count in (
        (phone.one(".clear"), lambda: len(phone.texts())),
        (page.one("#forget"), lambda: len(page.hub.ask("GET", "/_emulator/sends")["sends"])),
    ):
        for keys, left in ((Keys.ESCAPE, 1), (Keys.ENTER, 1), (Keys.TAB + Keys.ENTER, 0)):
            page.click(button)
            page.until("there is a question", lambda: page.one("#question[open]"))
            ActionChains(page.driver).send_keys(keys).perform()
            page.until("the question is gone", lambda: not page.all("#question[open]"))
            page.until(f"{left} is left", lambda count=count, left=left: count() == left)
            focused = page.driver.switch_to.active_element
            require(focused.tag_name != "body", "the question takes the focus away")


def every_control_has_a_name(page: Page) -> None:
    page.open("?phones=en,ar")
    page.phones_registered(2)
    page.choose_story("sample:quake")
    page.send()
    for control in page.all("button, input, select, textarea, summary, [tabindex]"):
        if control.is_displayed() and control.get_attribute("id") != "desk":
            require(control.accessible_name, f"no name: {control.get_attribute('outerHTML')[:160]}")
    headings = [int(heading.tag_name[1]) for heading in page.all("h1, h2, h3") if heading.is_displayed()]
    require(headings.count(1) == 1, "there is not one heading of the first level")


def the_page_fits_and_can_be_read(page: Page) -> None:
    page.open("?phones=en,fr,ar")
    page.phones_registered(3)
    page.choose_story("sample:quake")
    page.send()
    page.until("all have it", lambda: all(phone.texts() for phone in page.phones()))
    page.choose_story("sample:budget")
    page.send()
    pictures = [
        ("light", "light", 1440, 1000),
        ("dark", "dark", 1440, 1000),
        ("narrow", "light", 360, 1200),
        ("wide", "light", 2560, 1300),
        ("middle", "dark", 820, 1100),
    ]
    for name, scheme, width, height in pictures:
        require_readable(page, scheme, width, height)
        page.browser.picture(name)
    page.browser.prefer(prefers_color_scheme="light")
    page.browser.resize(1440, 1000)
    page.click(page.one("#theme"))
    page.open()
    require(page.run("return document.documentElement.dataset.theme") == "dark", "the choice of the dark is forgotten")


def a_thumb_moves_the_page_from_any_place(page: Page) -> None:
    page.open("?phones=en")
    (phone,) = page.phones_registered(1)
    page.post_news(*(f"Story {number} with a headline that is long enough for two lines" for number in range(12)))
    for _ in range(12):
        page.hub.status("POST", "/newsroom/messages?api-version=2020-06")
    page.until("the lock screen is full", lambda: len(phone.texts()) == 12)
    page.until("the refusals are listed", lambda: len(page.all(".refusal")) == 12)
    page.choose_form("news")
    page.click(page.one("#request-summary"))
    for width, places in ((390, (".scroller", "#request", "#sends", "#refused")), (820, (".scroller", "#sends"))):
        page.browser.resize(width, 844)
        for place in places:
            for distance in (-260, 260):
                page.run("arguments[0].scrollIntoView({block: 'center'})", page.one(place))
                before, room = page.run("return [scrollY, document.documentElement.scrollHeight - innerHeight]")
                page.browser.swipe(width // 2, 422, distance)
                moved = page.run("return scrollY") - before
                is_at_end = before >= room - 1 if distance < 0 else before == 0
                what = f"at {width} pixels a thumb on {place} moves the page by {moved}"
                require(is_at_end or moved * distance < 0, what)


def three_phones_stand_side_by_side(page: Page) -> None:
    page.open("?phones=en,fr,ar")
    phones = page.phones_registered(3)
    for width in (820, 1280, 1440, 1920, 2560):
        page.browser.resize(width, 1000)
        boxes = [phone.one(".device").rect for phone in phones]
        require(len({box["y"] for box in boxes}) == 1, f"at {width} pixels they are not in one row: {boxes}")
        ends = [box["x"] + box["width"] for box in boxes]
        require(max(ends) <= width, f"at {width} pixels a phone is cropped: {boxes}")


def the_result_of_a_send_is_in_view_on_a_phone(page: Page) -> None:
    page.open("?phones=en")
    page.phones_registered(1)
    page.browser.resize(390, 844)
    inside = """
    const { top, bottom } = arguments[0].getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
    """
    for status, expected in ((None, "Sent to one device."), (503, "The hub responded with 503")):
        if status:
            page.click(page.all(".preset")[2])
            page.until("the fault is active", lambda: page.one("#fault-notice").is_displayed())
        page.choose_story("sample:quake")
        headline = page.one("#headline")
        page.run("arguments[0].scrollIntoView({block: 'end'})", headline)
        headline.send_keys(Keys.ENTER)
        page.until("the result is shown", lambda text=expected: text in page.one("#send-result").text)
        for part in ("#send", "#send-result", "#headline"):
            require(page.run(inside, page.one(part)), f"{part} is not in view: {expected}")
        page.driver.save_screenshot(str(page.browser.pictures / f"console-result-{status or 'sent'}.png"))
    page.browser.messages()


def a_row_of_a_send_shows_its_deliveries(page: Page) -> None:
    page.open("?phones=en,fr")
    page.phones_registered(2)
    page.choose_story("sample:quake")
    page.send()
    page.click(page.one(".send summary"))
    rows = page.until("two deliveries are listed", lambda: len(found := page.all(".send .delivery")) == 2 and found)
    # The hub delivers in any order.
    english, french = sorted(rows, key=lambda row: "Grace" not in row.text)
    for row, end in ((english, "Grace, APNs Success"), (french, "Amélie, FCM v1 Success")):
        require(row.text.endswith(end), f"{row.text!r} does not end with {end!r}")
    page.click(french.find_element(By.TAG_NAME, "summary"))
    page.until("the payload is shown", lambda: "Alerte : Séisme" in french.text)
    page.hub.ask("PUT", "/_emulator/faults", [{"outcome": "BadChannel", "platform": "apns"}])
    page.send()
    page.click(page.one(".send summary"))
    outcomes = page.until("its deliveries are listed too", lambda: page.all(".send:first-child .outcome"))
    texts = {outcome.text for outcome in outcomes}
    require(texts == {"Success", "BadChannel"}, f"the outcomes are {texts}")
    for scheme, width in (("light", 1440), ("dark", 390)):
        require_readable(page, scheme, width)
        page.browser.picture(f"deliveries-{width}", page.one("#wire"))


def many_sends_leave_the_latest_on_the_page(page: Page) -> None:
    page.open("?phones=en")
    (phone,) = page.phones_registered(1)
    page.post_news(*(f"Story {number}" for number in range(70)))
    page.until("the latest is the first row", lambda: page.one(".send .headline").text == "Story 69")
    page.until("the last row is the sixtieth", lambda: page.all(".send .headline")[-1].text == "Story 10")
    page.until("the lock screen has the latest", lambda: phone.texts()[0] == "Story 69")
    require(len(phone.texts()) == 50, f"the lock screen has {len(phone.texts())} notifications")
    require(phone.one(".badge").text == "50", f"the badge is {phone.one('.badge').text}")


def trouble_is_told_and_ends(page: Page) -> None:
    page.open("?phones=en")
    (phone,) = page.phones_registered(1)
    page.choose_story("sample:quake")
    for preset, words in (("Throttled", "429"), ("Outage", "503"), ("Wrong key", "401"), ("Cut", "not known")):
        button = next(button for button in page.all(".preset") if preset in button.text)
        page.click(button)
        page.until(f"{preset} is on", lambda: button.get_attribute("aria-pressed") == "true")
        page.click(page.one("#send"))
        page.until(f"{preset} is told as {words}", lambda: words in page.one("#send-result").text)
    page.until("what was cut had been taken", lambda: len(phone.texts()) == 1)
    page.click(page.all(".preset")[0])
    page.until("all is well", lambda: not page.one("#fault-notice").is_displayed())
    page.choose_kind("update")
    page.send()
    complaints = page.browser.messages()
    strangers = [line for line in complaints if "/newsroom/messages/" not in line]
    require(not strangers, f"the browser complains of more than the trouble: {strangers}")


def refusals_are_listed_with_their_reasons(page: Page) -> None:
    page.open("?phones=en")
    page.phones_registered(1)
    refused = page.hub.ask("GET", "/_emulator/requests?refused")["requests"]
    require(page.one("#refusals-empty").is_displayed(), f"there are refusals on a first visit: {refused}")
    token = "SharedAccessSignature sr=http%3a%2f%2fother.example%2fhub&sig=bm8%3d&se=9999999999&skn=Full"
    messages = "/newsroom/messages?api-version=2020-06"
    require(page.hub.status("POST", messages, {"Authorization": token}) == 401, "a wrong token is taken")
    page.until("the refusal is listed", lambda: len(page.all(".refusal")) == 1)
    require(not page.one("#refusals-empty").is_displayed(), "the empty list is still spoken of")
    row = page.one(".refusal")
    require(row.find_element(By.CSS_SELECTOR, ".status").text == "401", f"it is listed as {row.text!r}")
    require("No policy has the name" in row.text, f"nothing says why: {row.text!r}")
    page.click(row.find_element(By.TAG_NAME, "summary"))
    shown = page.until("its particulars are shown", lambda: row.find_element(By.CSS_SELECTOR, ".particulars").text)
    for part in ("http://other.example/hub", "127.0.0.1/newsroom/messages", "Full"):
        require(part in shown, f"the particulars lack {part}: {shown!r}")
    require("bm8" not in page.one("#refusals").get_attribute("innerHTML"), "the signature is shown")

    hostile = "/newsroom/" + "x" * 3000 + "<img%20src=x>"
    for _ in range(45):
        page.hub.status("GET", hostile)
    page.until("the newest are listed", lambda: len(page.all(".refusal")) == 40)
    require(not page.all("#refusals img"), "a target became markup")
    page.open("?phones=en")
    page.until("they are listed after a reload too", lambda: len(page.all(".refusal")) == 40)
    require(page.one(".refusal .status").text == "404", "the newest does not stand first")
    page.hub.status("POST", messages, {"Authorization": token})
    page.until("the 401 stands first", lambda: page.one(".refusal .status").text == "401")
    summary = page.one(".refusal summary")
    page.run("arguments[0].focus()", summary)
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()
    page.until("Enter opens it", lambda: page.one(".refusal .particulars").is_displayed())
    for name, scheme, width in (("light", "light", 1440), ("dark", "dark", 2560), ("narrow", "light", 360)):
        require_readable(page, scheme, width)
        page.browser.picture(f"refusals-{name}", page.one("#refusals"))
    page.hub.ask("DELETE", "/_emulator/sends")
    page.until("they go with the sends", lambda: page.one("#refusals-empty").is_displayed())


def a_hub_that_starts_anew_is_found_again(page: Page) -> None:
    page.open("?phones=en")
    page.phones_registered(1)
    page.hub.stop()
    page.until("the page sees that the hub is away", lambda: page.one("#live").get_attribute("data-state") == "lost")
    page.hub.start()
    page.until("the stream is open again", lambda: page.one("#live").get_attribute("data-state") == "open")
    page.until("the phone is registered anew", lambda: page.hub.ask("GET", "/_emulator/hub")["installations"] == 1)
    page.choose_story("sample:quake")
    page.send()
    page.until("news comes as before", lambda: len(page.phones()[0].texts()) == 1)
    # The outage of the hub is not a fault of the page.
    page.browser.messages()


def https_needs_no_warning_where_its_authority_is_trusted(page: Page) -> None:
    with tempfile.TemporaryDirectory() as folder:
        hub = SecureHub(page.hub.program, Path(folder) / "hub")
        hub.start()
        browser = None
        try:
            # Some versions report the warning as an error, others show it in place of the page.
            with contextlib.suppress(WebDriverException):
                page.driver.get(hub.url)
            require(not page.all("#live"), "a browser that does not know the authority opens the page")
            page.driver.get("about:blank")
            page.browser.messages()
            home = Path(folder) / "home"
            trust(hub.authority, home)
            browser = Browser(page.browser.pictures, home)
            browser.resize(1440, 1000)
            secure = Page(browser, hub)
            secure.open("?phones=en")
            require(secure.run("return location.protocol") == "https:", "the page is another")
            (phone,) = secure.phones_registered(1)
            secure.choose_story("sample:quake")
            secure.send()
            secure.until("it has arrived", lambda: len(phone.texts()) == 1)
            browser.picture("https")
            complaints = browser.messages()
            require(not complaints, f"the browser complains: {complaints}")
            browser.driver.get("about:blank")
        finally:
            if browser:
                browser.close()
            hub.stop()


@contextlib.contextmanager
def visit_to_the_demo(page: Page) -> Iterator[Page]:
    """The page of a demo of its own, which ends with the visit."""
    demo = Demo(page.hub.program)
    demo.start()
    try:
        visit = Page(page.browser, demo)
        visit.open()
        yield visit
        complaints = page.browser.messages()
        require(not complaints, f"the browser complains: {complaints}")
    except Exception:
        page.browser.picture("failed-demo")
        raise
    finally:
        # Leaves the page first, because the end of the demo is not a fault of the page.
        page.driver.get("about:blank")
        demo.stop()


def the_demo_shows_its_phones_and_the_worker_carries_news(page: Page) -> None:
    with visit_to_the_demo(page) as page:
        phones = page.phones_registered(3)
        require([phone.id[:13] for phone in phones] == ["console-demo-"] * 3, "the phones are not those of the demo")
        page.until("the demo's flash has come", lambda: "Sereno" in " ".join(phones[0].texts()), patience=30)
        page.choose_story("sample:cup")
        page.click(page.one("#send"))

        def fate() -> str:
            rows = [row for row in page.all(".send") if (row.get_attribute("data-event") or "").startswith("console-")]
            return rows[0].find_element(By.CSS_SELECTOR, ".state").text

        page.until("the worker has sent it", lambda: fate() == "sent", patience=30)
        page.until("it has arrived", lambda: "Lakes Cup" in phones[0].texts()[0])
        page.click(next(button for button in page.all(".preset") if "Throttled" in button.text))
        page.until("the fault is active", lambda: page.one("#fault-notice").is_displayed())
        page.choose_story("sample:probe")
        page.click(page.one("#send"))
        waits = "The worker waits, because the hub responds with 429."
        page.until("the form says that the worker waits", lambda: waits in page.one("#send-result").text)
        page.click(page.one("#fault-notice-clear"))
        page.until("then it is sent", lambda: "Sent to" in page.one("#send-result").text, patience=40)
        page.browser.picture("demo")


def readers_sign_in_and_hear_what_is_for_them_alone(page: Page) -> None:
    with visit_to_the_demo(page) as page:
        phones = page.phones_registered(3)
        page.until("the demo's flash has come", lambda: "Sereno" in " ".join(phones[0].texts()), patience=30)
        users = page.hub.ask("GET", "/_emulator/hub")["gateway"]["users"]
        anna, ben = [user["name"] for user in users]
        phones[0].sign_in(anna, "wrong")
        page.until("a wrong password is told", lambda: "wrong" in phones[0].one(".account-result").text)
        require(phones[0].one(".account").get_attribute("data-phase") == "failed", "a wrong password signs in")
        page.browser.messages()
        page.browser.picture("account-sign-in", phones[0].one(".plate"))
        # The first as English, the last as Arabic, from right to left.
        for phone, user in ((phones[0], users[0]), (phones[2], users[1])):
            phone.sign_in(user["name"], user["password"])
            page.until(
                f"{user['name']} is signed in", lambda: phone.one(".account").get_attribute("data-phase") == "in"
            )
        phones[0].say(ben, "Lunch at noon?")
        page.until("it is on the other's phone", lambda: phones[2].texts()[0] == f"From {anna}: Lunch at noon?")
        require(phones[2].one(".card .personal").text == "لك", "nothing says that it is for this reader")
        require(all("Lunch" not in text for text in phones[0].texts()), "the sender has it too")
        page.click(phones[0].one(".inspect"))
        shown = page.until("the two steps are shown", lambda: page.one("#inspector[open]").text)
        for part in ("POST http://127.0.0.1:", "/api/register?handle=", "PUT http://127.0.0.1:", '"Platform": "apns"'):
            require(part in shown, f"the inspector lacks {part}")
        ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
        page.until("it closes", lambda: not page.all("#inspector[open]"))

        page.choose_story("sample:quake")
        page.click(page.one("#secure"))
        page.click(page.one("#send"))
        signed_in, stranger = phones[0], phones[1]
        page.until(
            "who has signed in reads the text", lambda: "Breaking: Earthquake" in signed_in.texts()[0], patience=30
        )
        page.until(
            "who has not is told to", lambda: "Connectez-vous" in stranger.one(".card .secrecy").text, patience=30
        )
        require("Séisme" not in stranger.texts()[0], f"the text travelled: {stranger.texts()[0]}")
        payloads = json.dumps(page.hub.ask("GET", "/_emulator/deliveries?limit=1000")["deliveries"][-3:])
        require("Earthquake" not in payloads and "News for subscribers" in payloads, "the text travelled")
        stranger.sign_in(users[0]["name"], users[0]["password"])
        page.until("signing in is enough to read it", lambda: "Séisme" in stranger.texts()[0])

        for name, scheme, width, height in (
            ("account-light", "light", 1440, 1400),
            ("account-dark", "dark", 1440, 1400),
            ("account-narrow", "light", 360, 1300),
        ):
            require_readable(page, scheme, width, height)
            page.browser.picture(name, page.one("#phones"))
        page.browser.prefer(prefers_color_scheme="light")
        page.browser.resize(1440, 1000)
        page.open()
        phones = page.phones_registered(3)
        page.until("a reload signs in again", lambda: phones[0].one(".account").get_attribute("data-phase") == "in")
        page.until("personal news is shown again", lambda: any("Lunch" in text for text in phones[2].texts()))
        page.click(phones[2].one(".account > summary"))
        page.click(phones[2].one(".sign-out"))
        page.until("ben is signed out", lambda: phones[2].one(".account").get_attribute("data-phase") == "out")


SCENARIOS: list[Callable[[Page], None]] = [
    an_empty_page_invites,
    the_page_says_what_it_is,
    a_reload_keeps_phones_and_a_removal_ends_them,
    news_reaches_who_asked_and_is_corrected_and_withdrawn,
    each_platform_and_way_of_registering_works,
    a_pc_shows_toasts_and_marks_urgent_ones,
    arabic_reads_from_right_to_left,
    keys_alone_are_enough,
    nothing_is_cleared_without_a_question,
    every_control_has_a_name,
    the_page_fits_and_can_be_read,
    a_thumb_moves_the_page_from_any_place,
    three_phones_stand_side_by_side,
    the_result_of_a_send_is_in_view_on_a_phone,
    a_row_of_a_send_shows_its_deliveries,
    many_sends_leave_the_latest_on_the_page,
    trouble_is_told_and_ends,
    refusals_are_listed_with_their_reasons,
    a_hub_that_starts_anew_is_found_again,
    https_needs_no_warning_where_its_authority_is_trusted,
    the_demo_shows_its_phones_and_the_worker_carries_news,
    readers_sign_in_and_hear_what_is_for_them_alone,
    *DEVICES_AND_SENDS,
]


def begin(page: Page) -> None:
    """Resets to the first visit: nothing stored, nothing registered, nothing sent."""
    for path in ("faults", "devices", "sends"):
        page.hub.ask("DELETE", f"/_emulator/{path}")
    page.browser.prefer(prefers_color_scheme="light")
    page.browser.resize(1440, 1000)
    page.driver.get(f"{page.hub.url}/console/flash.svg")
    page.run("localStorage.clear(); sessionStorage.clear()")
    page.browser.messages()


def play(page: Page, scenario: Callable[[Page], None]) -> bool:
    name = scenario.__name__.replace("_", " ")
    start = time.monotonic()
    try:
        begin(page)
        scenario(page)
        complaints = page.browser.messages()
        require(not complaints, f"the browser complains: {complaints}")
    except Exception as fault:  # every exception is a finding
        print(f"FAIL  {name}")
        message = str(fault) if isinstance(fault, AssertionError) else f"{type(fault).__name__}: {fault}"
        print("\n".join(f"      {line}" for line in message.splitlines()))
        # A visit to the demo has left a picture, and a blank page.
        if page.driver.current_url != "about:blank":
            page.browser.picture(f"failed-{scenario.__name__}")
        return False
    print(f"ok    {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of scenarios; all without any")
    parser.add_argument("--program", type=Path, required=True, help="newsflash")
    parser.add_argument("--pictures", type=Path, required=True, help="where pictures are left")
    arguments = parser.parse_args()
    hub = Hub(arguments.program)
    try:
        hub.start()
        browser = Browser(arguments.pictures)
        try:
            page = Page(browser, hub)
            wanted = [name.replace(" ", "_") for name in arguments.names] or [""]
            chosen = [scenario for scenario in SCENARIOS if any(name in scenario.__name__ for name in wanted)]
            results = [play(page, scenario) for scenario in chosen]
        finally:
            browser.close()
    finally:
        hub.stop()
    print(f"browser-test: {'all fine' if all(results) else 'failed'}")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
