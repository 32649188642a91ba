// Trouble on purpose: a handful of faults to choose from, the one in force, and how long it lasts.

import { element } from "./dom.js";

const presets = [
    { name: "None", hint: "All is well", faults: [] },
    { name: "Throttled", hint: "429 for 30 s", faults: [{ status: 429, retryAfter: 5, for: "30s" }] },
    { name: "Outage", hint: "503 for 60 s", faults: [{ status: 503, for: "60s" }] },
    { name: "Wrong key", hint: "401 until mended", faults: [{ status: 401 }] },
    { name: "Slow", hint: "2 s an answer", faults: [{ latency: "2s" }] },
    // Not once only: browsers and curl send again by themselves when a connection that they used before breaks.
    { name: "Cut", hint: "after it took it, 15 s", faults: [{ cut: true, accepted: true, for: "15s" }] },
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
        this.#current = (faults ?? []).map((fault) => ({ fault, until: fault.for ? now + milliseconds(fault.for) : null }));
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
        const text = this.#current.map(description).join("; ");
        const state = document.getElementById("fault-state");
        // The countdown is for the eye; being read out every second helps nobody.
        const spoken = this.isInForce ? `In force: ${this.#current.map(({ fault }) => description({ fault })).join("; ")}.` : "";
        if (state.textContent !== spoken) state.textContent = spoken;
        document.getElementById("fault-notice").hidden = !this.isInForce;
        document.getElementById("fault-notice-text").textContent = text && `The hub ${text}.`;
    }
}

/** Whether a preset is what is in force: by what it does, not by what is left of it. */
function isSame(faults, current) {
    if (faults.length !== current.length) return false;
    return faults.every((fault, index) => {
        const other = current[index].fault;
        const sameLatency = milliseconds(fault.latency ?? 0) === milliseconds(other.latency ?? 0);
        return fault.status === other.status && Boolean(fault.cut) === Boolean(other.cut) && sameLatency;
    });
}

function description({ fault, until }) {
    const parts = [];
    if (fault.cut) parts.push(fault.accepted ? "takes sends and cuts the connection" : "cuts connections");
    else if (fault.status) parts.push(`answers ${fault.status}${fault.accepted ? " to what it took" : ""}`);
    if (fault.latency && milliseconds(fault.latency) > 0) parts.push(`answers ${milliseconds(fault.latency) / 1000} s late`);
    if (fault.rate !== undefined && fault.rate < 1) parts.push(`${Math.round(fault.rate * 100)} % of the time`);
    if (fault.containing) parts.push(`where the body has “${fault.containing}”`);
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
