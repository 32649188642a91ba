// The console: creates its parts and connects their events.

import { announce } from "./dom.js";
import { LiveEvents } from "./events.js";
import { Faults } from "./faults.js";
import { Hub } from "./hub.js";
import { Inspector } from "./inspector.js";
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
const wire = new Wire(hub, phones);
const faults = new Faults(hub);
const refusals = new Refusals(hub);
const inspector = new Inspector(hub);
const form = new SendForm({ newsroom, sender: new Sender(hub, newsroom), phones, wire, faults });
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
    place("hub-worker").textContent = newsroom.worker ? "connected" : "not connected";
    const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
    place("hub-devices").textContent = `${count(installations, "installation")}, ${count(registrations, "registration")}`;
    place("nobody").hidden = phones.list.length > 0;
    document.title = `${name}: emulator of Azure Notification Hubs`;
}

async function learnAnew() {
    const had = newsroom.worker;
    newsroom.learn(await hub.describe({ fresh: true }));
    showFacts();
    if (had !== newsroom.worker) form.refreshRoute();
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
        place("send").focus();
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
    events.addEventListener("deliveries", () => isNoWorry(phones.catchUp()));
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
    setUpPhones();
    phones.start(wantedLanguages());
    showFacts();
    setUpEvents();
    events.start();
    everySecond(() => {
        for (const view of views.values()) view.tick();
        faults.tick();
    });
}

start();
