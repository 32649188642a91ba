// The console: creates its parts and connects their events.

import { announce } from "./dom.js";
import { DeliveryLists } from "./deliverylist.js";
import { DeviceList } from "./devicelist.js";
import { LiveEvents } from "./events.js";
import { Faults } from "./faults.js";
import { Hub } from "./hub.js";
import { Inspector } from "./inspector.js";
import { MessageForm } from "./messageform.js";
import { Newsroom } from "./newsroom.js";
import { Phones } from "./phones.js";
import { PhoneView } from "./phoneview.js";
import { Refusals } from "./refusals.js";
import { Sender } from "./sender.js";
import { SendForm } from "./sendform.js";
import { Wire } from "./sends.js";
import { everySecond } from "./times.js";
import { wireThemeSwitch } from "./themeswitch.js";

const hub = new Hub();
const newsroom = new Newsroom();
const phones = new Phones(hub, newsroom);
const deliveries = new DeliveryLists(hub, phones);
const wire = new Wire(hub, deliveries);
const faults = new Faults(hub);
const refusals = new Refusals(hub);
const inspector = new Inspector(hub);
const form = new SendForm({ newsroom, sender: new Sender(hub, newsroom), phones, wire, faults });
const messageForm = new MessageForm(hub, deliveries, wire);
const devices = new DeviceList(hub, deliveries, sendTo);
const events = new LiveEvents(hub.eventsURL);
const views = new Map();
const place = (id) => document.getElementById(id);

/** The languages of the phones to create, from the address: `?phones=en,fr,ar`. */
function wantedLanguages() {
    const text = new URLSearchParams(location.search).get("phones") ?? "";
    const tags = text.split(",").map((tag) => tag.trim());
    return tags.filter((tag) => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag)).slice(0, 12);
}

function showFacts() {
    const { name, tier, registrations = 0, installations = 0 } = newsroom.hub;
    place("hub-name").textContent = tier ? `${name}, ${tier} tier` : name;
    place("hub-worker").hidden = !newsroom.worker;
    const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
    place("hub-devices").textContent = `${count(installations, "installation")}, ${count(registrations, "registration")}`;
    place("nobody").hidden = phones.list.length > 0;
    const page = place("registry").hidden ? "" : "Registered devices, ";
    document.title = `${page}${name}: emulator of Azure Notification Hubs`;
}

async function learnAnew() {
    const had = newsroom.worker;
    newsroom.learn(await hub.describe({ fresh: true }));
    showFacts();
    if (had !== newsroom.worker) showForm();
    await messageForm.refresh();
}

/** Shows the page that the address names: `#devices?tag=world` the list of devices, anything else the overview. */
function showPage() {
    const [, isList, query = ""] = /^#(devices(?:\?(.*))?$)?/.exec(location.hash) ?? [];
    place("overview").hidden = Boolean(isList);
    place("registry").hidden = !isList;
    for (const [id, isShown] of [["to-overview", !isList], ["to-registry", isList]]) {
        if (isShown) place(id).setAttribute("aria-current", "page");
        else place(id).removeAttribute("aria-current");
    }
    showFacts();
    if (isList) isNoWorry(devices.filter(query));
}

/** Shows the chosen form: one for news, and one for every kind of send. */
function showForm() {
    const isNews = document.querySelector("#forms :checked").value === "news";
    place("send-form").hidden = !isNews;
    place("message-form").hidden = isNews;
    place("desk-title").textContent = isNews ? "Send news" : "Send a notification";
    const newsRoute = newsroom.worker
        ? "The page publishes an event to the topic, and the worker sends it to the hub."
        : "No worker is connected: the page creates the send that a worker would create.";
    const route = "The page calls the hub’s REST API with a token, as a back end would do it.";
    place("desk-route").textContent = isNews ? newsRoute : route;
    form.refreshRoute();
}

function chooseForm(name) {
    document.querySelector(`#forms [value=${name}]`).checked = true;
    showForm();
}

function sendTo(device) {
    location.hash = "";
    chooseForm("message");
    messageForm.sendTo(device);
    showPage();
    place("desk").scrollIntoView();
    place("message-send").focus();
}

let factsTimer = 0;
function factsSoon() {
    clearTimeout(factsTimer);
    factsTimer = setTimeout(() => learnAnew().catch(() => {}), 250);
}

function isNoWorry(promise) {
    // The data is requested again when the stream reopens.
    promise.catch(() => {});
}

function setUpPhones() {
    phones.addEventListener("added", ({ detail: phone }) => {
        const view = new PhoneView(phone, newsroom, {
            inspect: (phone, delivery) => inspector.show(phone, delivery),
            remove: (phone) => remove(phone),
        });
        views.set(phone, view);
        place("phones").append(view.node);
        phone.addEventListener("registering", factsSoon);
        phone.addEventListener("changed", () => form.refreshLanguages());
        form.refreshLanguages();
        showFacts();
    });
    phones.addEventListener("removed", ({ detail: phone }) => {
        views.get(phone).node.remove();
        views.delete(phone);
        form.refreshLanguages();
        factsSoon();
        showFacts();
    });
    place("add-phone").addEventListener("click", () => {
        const phone = phones.add();
        announce(`The device of ${phone.name} was added.`);
        views.get(phone).node.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    place("add-three").addEventListener("click", () => {
        const offered = newsroom.languages;
        const wanted = ["en", "fr", "ar"].filter((tag) => offered.includes(tag));
        for (const tag of [...wanted, ...offered.filter((tag) => !wanted.includes(tag))].slice(0, 3)) {
            phones.add({ language: tag });
        }
        document.querySelector(".send-form:not([hidden]) .primary").focus();
    });
}

async function remove(phone) {
    try {
        await phones.remove(phone);
        announce(`The device of ${phone.name} was removed.`);
        place("add-phone").focus();
    } catch (error) {
        announce(`The device of ${phone.name} could not be removed: ${error.message}`);
        phone.register();
    }
}

function setUpEvents() {
    const live = place("live");
    const show = (state, text) => {
        live.dataset.state = state;
        live.textContent = text;
    };
    events.addEventListener("open", () => {
        show("open", "live");
        isNoWorry(learnAnew());
        isNoWorry(wire.catchUp().then(() => hub.inspect("GET", "outcomes")).then(({ outcomes }) => {
            for (const outcome of outcomes) wire.takeOutcome(outcome);
        }));
        isNoWorry(refusals.catchUp());
        isNoWorry(phones.catchUp());
        isNoWorry(faults.refresh());
        phones.registerAll();
    });
    events.addEventListener("lost", () => show("lost", "connecting"));
    events.addEventListener("send", ({ detail }) => {
        wire.take(detail);
        if (faults.isInForce) isNoWorry(faults.refresh());
    });
    events.addEventListener("deliveries", () => {
        isNoWorry(phones.catchUp());
        devices.refreshDeliveries();
    });
    events.addEventListener("outcome", ({ detail }) => wire.takeOutcome(detail));
    events.addEventListener("faults", ({ detail }) => faults.take(detail));
    events.addEventListener("refusals", () => refusals.refreshSoon());
    events.addEventListener("reset", () => {
        wire.clear();
        refusals.clear();
        phones.reset();
    });
}

async function start() {
    wireThemeSwitch();
    try {
        newsroom.learn(await hub.describe());
    } catch (error) {
        place("live").dataset.state = "lost";
        place("live").textContent = error.message;
    }
    form.start();
    place("forms").addEventListener("change", showForm);
    chooseForm(newsroom.worker ? "news" : "message");
    addEventListener("hashchange", showPage);
    showPage();
    // A link would change the address, which names the page.
    place("skip").addEventListener("click", (event) => {
        event.preventDefault();
        place(place("registry").hidden ? "desk" : "registry-panel").focus();
    });
    setUpPhones();
    phones.start(wantedLanguages());
    showFacts();
    setUpEvents();
    events.start();
    everySecond(() => {
        for (const view of views.values()) view.tick();
        faults.tick();
        isNoWorry(devices.refresh());
        // No event tells when an app registers.
        if (events.isOpen && !document.hidden && new Date().getSeconds() % 5 === 0) factsSoon();
    });
}

start();
