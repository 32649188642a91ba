// Trouble on purpose: a handful of faults to choose from, the one in force, and how long it lasts.

import { element } from "./dom.js";

const presets = [
    { name: "None", hint: "All is well", faults: [] },
    { name: "Throttled", hint: "429 for 30 s", faults: [{ status: 429, retryAfter: 5, for: "30s" }] },
    { name: "Outage", hint: "503 for 60 s", faults: [{ status: 503, for: "60s" }] },
    { name: "Wrong key", hint: "401 until mended", faults: [{ status: 401, operations: ["send"] }] },
    { name: "Slow", hint: "2 s an answer", faults: [{ latency: "2s" }] },
    // Not once only: browsers and curl send again by themselves when a connection that they used before breaks.
    { name: "Cut", hint: "after it took it, 15 s", faults: [{ cut: "after", operations: ["send"], for: "15s" }] },
];
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export class Faults {
    #hub;
    #current = [];
    #buttons = [];
    #isAsking = false;

    constructor(hub) {
        this.#hub = hub;
        for (const preset of presets) {
            const button = element(
                "button", { type: "button", className: "preset", attributes: { "aria-pressed": "false" } },
                element("strong", {}, preset.name), element("span", {}, preset.hint),
            );
            button.addEventListener("click", () => this.#choose(preset));
            this.#buttons.push(button);
        }
        document.getElementById("presets").append(...this.#buttons);
        document.getElementById("fault-notice-clear").addEventListener("click", () => {
            this.#choose(presets[0]);
            // The button goes away with the fault.
            this.#buttons[0].focus();
        });
    }

    /** Whether anything goes wrong now. */
    get isInForce() {
        return this.#current.length > 0;
    }

    /** Takes over what the hub says is in force. */
    take(faults) {
        const now = Date.now();
        this.#current = (faults ?? []).map((fault) => {
            const ends = fault.for && !fault.every;
            return { fault, until: ends ? now + milliseconds(fault.for) : null };
        });
        this.#show();
    }

    async refresh() {
        if (this.#isAsking) return;
        this.#isAsking = true;
        try {
            this.take(await this.#hub.inspect("GET", "faults"));
        } finally {
            this.#isAsking = false;
        }
    }

    /** Counts down; asks again when the time is over. */
    tick() {
        if (!this.isInForce) return;
        if (this.#current.some(({ until }) => until !== null && until <= Date.now())) this.refresh();
        else this.#show();
    }

    async #choose({ faults }) {
        try {
            if (faults.length === 0) await this.#hub.inspect("DELETE", "faults");
            else await this.#hub.inspect("PUT", "faults", faults);
            await this.refresh();
        } catch (error) {
            document.getElementById("fault-state").textContent = error.message;
        }
    }

    #show() {
        const chosen = presets.findIndex(({ faults }) => isSame(faults, this.#current));
        for (const [index, button] of this.#buttons.entries()) {
            button.setAttribute("aria-pressed", String(index === chosen));
        }
        const text = this.#current.map((entry) => description(entry)).join("; ");
        const state = document.getElementById("fault-state");
        // The countdown is for the eye; being read out every second helps nobody.
        const all = this.#current.map(({ fault }) => description({ fault })).join("; ");
        const spoken = this.isInForce ? `In force: ${all}.` : "";
        if (state.textContent !== spoken) state.textContent = spoken;
        document.getElementById("fault-notice").hidden = !this.isInForce;
        document.getElementById("fault-notice-text").textContent = text && `The hub ${text}.`;
    }
}

/** Whether a preset is what is in force: by what it does, not by what is left of it. */
function isSame(faults, current) {
    const essence = ({ status, cut, latency, outcome }) => [status, cut, milliseconds(latency ?? 0), outcome].join();
    const wanted = faults.map(essence).join("; ");
    return wanted === current.map(({ fault }) => essence(fault)).join("; ");
}

/** A fault in words; with `until`, how long it lasts. */
function description({ fault, until }) {
    const parts = [];
    const cuts = {
        before: "cuts connections",
        after: "takes a request and cuts the connection",
        middle: "cuts its answers in the middle",
    };
    if (fault.cut) parts.push(cuts[fault.cut] ?? cuts.before);
    else if (fault.status) parts.push(`answers ${fault.status}${fault.accepted ? " to what it took" : ""}`);
    if (fault.throttle) parts.push(`takes ${fault.throttle} requests a second`);
    if (fault.outcome) parts.push(`delivers with ${fault.outcome}${fault.platform ? ` to ${fault.platform}` : ""}`);
    if (fault.latency?.p50) parts.push(`answers ${fault.latency.p50} late, at times ${fault.latency.p99}`);
    else if (fault.latency) parts.push(`answers ${milliseconds(fault.latency) / 1000} s late`);
    if (fault.operations) parts.push(`to ${fault.operations.join(", ")} requests`);
    if (fault.requests) parts.push(`at ${fault.requests.join(", ")}`);
    if (fault.containing) parts.push(`where the body has “${fault.containing}”`);
    if (fault.rate !== undefined && fault.rate < 1) parts.push(`${Math.round(fault.rate * 100)} % of the time`);
    if (fault.count) parts.push(fault.count === 1 ? "once" : `${fault.count} times`);
    if (until) parts.push(`for another ${Math.max(0, Math.ceil((until - Date.now()) / 1000))} s`);
    return parts.join(", ");
}

/** `250ms`, `2s`, `1m`, `1h`, or a number of seconds. */
function milliseconds(duration) {
    if (typeof duration === "number") return duration * 1000;
    const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration) ?? [];
    return number ? Number(number) * units[unit] : 0;
}
