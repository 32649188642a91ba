// The list of accepted sends and, with a worker, the outcome of each event.

import { notification } from "./delivery.js";
import { code, confirmed, copyOf, element, headerLines, laidOut } from "./dom.js";
import { platforms, shownWords } from "./platforms.js";
import { clockTime, latency } from "./times.js";

const shown = 60;
/** The time in milliseconds in which sends are gathered, because under load there are thousands a second. */
const pause = 30;
/** The shortest duration in milliseconds that a row shows; its details have all durations. */
const notable = 100;
/** The states that can still change, in order; all others are final. */
const onTheWay = ["Scheduled", "Enqueued", "Processing"];
/** The latest known state of the send in each row. */
const told = new WeakMap();

export class Wire extends EventTarget {
    #hub;
    #deliveries;
    #rows = new Map();
    #outcomes = new Map();
    /** The sends to draw, by key. */
    #pending = new Map();
    #timer = 0;
    #last = 0;
    /** The highest sequence number of removed rows. */
    #gone = 0;
    #list = document.getElementById("sends");
    #empty = document.getElementById("wire-empty");
    #forget = document.getElementById("forget");

    constructor(hub, deliveries) {
        super();
        this.#hub = hub;
        this.#deliveries = deliveries;
        this.#forget.addEventListener("click", async () => {
            const question = "Delete all sends, deliveries and refused requests from the emulator?";
            if (!await confirmed(question, "Delete all")) return;
            await this.#hub.inspect("DELETE", "sends");
            this.clear();
            // The clicked button is hidden now.
            document.getElementById("wire").focus();
        });
    }

    /** Requests the latest sends. */
    async catchUp() {
        // An empty page beyond the end contains the last sequence number.
        const { last } = await this.#hub.inspect("GET", `sends?after=${Number.MAX_SAFE_INTEGER}&limit=1`);
        if (last < this.#last) this.clear();
        let after = Math.max(0, last - shown);
        for (;;) {
            const page = await this.#hub.inspect("GET", `sends?after=${after}&limit=${shown}`);
            for (const send of page.sends) this.take(send);
            // A page that ends with its last entry may be full, because its size is limited to 4 MB.
            if (page.sends.at(-1)?.sequence !== page.last) return;
            after = page.last;
        }
    }

    /** Adds or updates a send. Its row is drawn soon, together with others. */
    take(send) {
        this.#last = Math.max(this.#last, send.sequence);
        const key = keyOf(send);
        // A page may arrive after a newer event of the stream.
        if (isOlder(send, this.#pending.get(key) ?? told.get(this.#rows.get(key)))) return;
        this.#pending.set(key, send);
        this.#timer ||= setTimeout(() => this.#drawPending(), pause);
        this.dispatchEvent(new CustomEvent("send", { detail: { event: propertiesOf(send).id, send } }));
    }

    #drawPending() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        const sends = [...this.#pending.values()].sort((one, other) => one.sequence - other.sequence);
        this.#pending.clear();
        // Later rows would replace the rows of earlier sends.
        for (const send of sends.slice(-shown)) this.#draw(send);
    }

    #draw(send) {
        const properties = propertiesOf(send);
        if (send.sequence > this.#gone || this.#rows.has(keyOf(send))) {
            const row = this.#row(keyOf(send), properties.id, send.sequence);
            told.set(row, send);
            fill(row, {
                time: send.time,
                kind: properties.kind || send.format,
                headline: properties.headline || nativeWords(send) || templateWords(properties) || shortened(send.body),
                tags: audience(send),
                reach: reach(send),
                taken: timing(send, notable),
                state: this.#outcomes.get(properties.id),
                isAway: send.state === "NoTargetFound",
            });
            row.querySelector(".raw").replaceChildren(...details(send));
            this.#showDeliveries(row);
        }
    }

    /** Shows the outcome of an event: in the rows of its sends, or in a row of its own if nothing was sent. */
    takeOutcome(outcome) {
        this.#outcomes.set(outcome.event, outcome);
        if (outcome.outcome !== "sent") this.#drawPending();
        const rows = [...this.#rows.values()].filter((row) => row.dataset.event === outcome.event);
        if (rows.length > 0) {
            for (const row of rows) fillState(row, outcome);
        } else if (outcome.outcome !== "sent") {
            const row = this.#row(`event:${outcome.event || outcome.at}`, outcome.event, this.#last);
            fill(row, {
                time: outcome.at,
                kind: outcome.kind || "event",
                headline: outcome.story || outcome.event || "A record that is not an event",
                state: outcome,
            });
            row.querySelector(".raw").replaceChildren(code("Outcome", JSON.stringify(outcome, null, 2)));
        }
        this.dispatchEvent(new CustomEvent("outcome", { detail: outcome }));
    }

    clear() {
        this.#pending.clear();
        this.#rows.clear();
        this.#outcomes.clear();
        this.#last = 0;
        this.#gone = 0;
        this.#list.replaceChildren();
        this.#showEmpty();
    }

    /** Returns the row of a send or an event; a new one is inserted above all rows with lower numbers. */
    #row(key, event, sequence) {
        let row = this.#rows.get(key);
        if (!row) {
            row = copyOf("send-template");
            Object.assign(row.dataset, { key, sequence });
            row.firstElementChild.addEventListener("toggle", () => this.#showDeliveries(row));
            this.#rows.set(key, row);
            const isLower = ({ dataset }) => Number(dataset.sequence) < sequence || key.startsWith("event:");
            this.#list.insertBefore(row, [...this.#list.children].find(isLower) ?? null);
            if (this.#rows.size > shown) {
                const oldest = this.#list.lastElementChild;
                this.#gone = Math.max(this.#gone, Number(oldest.dataset.sequence));
                this.#rows.delete(oldest.dataset.key);
                oldest.remove();
            }
            this.#showEmpty();
        }
        if (event) row.dataset.event = event;
        return row;
    }

    /** Shows the deliveries of a send if its row is open. */
    #showDeliveries(row) {
        const send = told.get(row);
        if (send && row.firstElementChild.open) this.#deliveries.showOfSend(row.querySelector(".arrivals"), send);
    }

    #showEmpty() {
        const isEmpty = this.#rows.size === 0;
        this.#empty.hidden = !isEmpty;
        this.#list.hidden = isEmpty;
        this.#forget.hidden = isEmpty;
    }
}

function keyOf({ sequence }) {
    return `send:${sequence}`;
}

function fill(row, { time, kind, headline, tags = "", reach = "", taken = "", state, isAway = false }) {
    const set = (selector, text) => {
        row.querySelector(selector).textContent = text;
    };
    const clock = row.querySelector("time");
    clock.dateTime = time;
    clock.textContent = clockTime(time, "en");
    set(".kind", kind);
    row.querySelector(".kind").dataset.kind = kind;
    set(".headline", headline);
    set(".tags", tags);
    set(".reach", reach);
    row.querySelector(".reach").classList.toggle("unheard", isAway);
    set(".taken", taken);
    fillState(row, state);
}

function fillState(row, outcome) {
    const chip = row.querySelector(".state");
    chip.textContent = outcome ? outcome.outcome : "";
    chip.title = outcome?.reason ?? "";
    chip.dataset.outcome = outcome?.outcome ?? "";
}

/** The text that a phone would show for a native send; `undefined` for a template send. */
function nativeWords({ format, body }) {
    const platform = Object.keys(platforms).find((name) => platforms[name].format === format);
    return notification({ outcome: "Success", platform, payload: body, headers: {} }, "en")?.body;
}

/** The first text of a template send that is probably shown. */
function templateWords(properties) {
    return Object.entries(properties).find(([name, text]) => text && shownWords.test(name))?.[1];
}

/** The properties of a template send; empty for a native send. */
function propertiesOf({ format, body }) {
    if (format !== "template") return {};
    try {
        return JSON.parse(body) ?? {};
    } catch {
        return {};
    }
}

function isOlder(send, known) {
    if (!known) return false;
    const stage = ({ state }) => (onTheWay.includes(state) ? onTheWay.indexOf(state) : onTheWay.length);
    return stage(send) < stage(known) || (stage(send) === stage(known) && (send.targets ?? 0) < (known.targets ?? 0));
}

function audience({ kind, tags, handles }) {
    if (kind === "tags") return tags ?? "everyone";
    return handles?.length === 1 ? "one handle" : `${handles?.length ?? 0} handles`;
}

/** The text for the devices that a send reached. */
export function reachText({ targets = 0 }) {
    return ["No device matches.", "Sent to one device."][targets] ?? `Sent to ${targets} devices.`;
}

/** Whether the state of a send cannot change any more. */
export function isFinal({ state }) {
    return !onTheWay.includes(state);
}

function reach({ targets, outcomes, state }) {
    if (state === "Scheduled") return "scheduled";
    if (state === "NoTargetFound" || (state === "Completed" && !targets)) return "nobody";
    if (!targets) return { Canceled: "cancelled", Abandoned: "abandoned" }[state] ?? "…";
    const failures = Object.entries(outcomes ?? {}).filter(([name]) => name !== "Success");
    const names = failures.map(([name, count]) => `, ${count} ${name}`).join("");
    return `${targets} ${targets === 1 ? "device" : "devices"}${names}`;
}

/** The time until the hub accepted the send and until it had sent to all devices, without times below `least` milliseconds. */
function timing({ acceptedMs, time, endTime }, least = 0) {
    const sentMs = endTime ? Math.max(0, Date.parse(endTime) - Date.parse(time)) : undefined;
    const parts = [["accepted", acceptedMs], ["sent", sentMs]].filter(([, duration]) => duration >= least);
    return parts.map(([what, duration]) => `${what} in ${latency(duration)}`).join(", ");
}

function details(send) {
    const { headers, body, notificationId, trackingId, clientTrackingId } = send;
    const ids = `Notification ${notificationId || "without id"}, tracking ${trackingId}`;
    const facts = element("p", { className: "note ids" }, ids);
    if (clientTrackingId) facts.append(`, client tracking ${clientTrackingId}`);
    facts.append(`, ${timing(send)}`);
    const lines = headerLines(headers);
    return [facts, code("Headers and body", `${lines && `${lines}\n\n`}${laidOut(body)}`)];
}

function shortened(text) {
    return text.length > 140 ? `${text.slice(0, 140)}…` : text;
}
