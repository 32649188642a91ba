// The faults panel: presets, the active faults, and their remaining time.

import { element } from "./dom.js";

const presets = [
    { name: "None", hint: "no faults", faults: [] },
    { name: "Throttled", hint: "429 for 30 s", faults: [{ status: 429, retryAfter: 5, for: "30s" }] },
    { name: "Outage", hint: "503 for 60 s", faults: [{ status: 503, for: "60s" }] },
    { name: "Wrong key", hint: "401 until cleared", faults: [{ status: 401, operations: ["send"] }] },
    { name: "Slow", hint: "2 s per response", faults: [{ latency: "2s" }] },
    // More than once: browsers and curl automatically retry when a reused connection breaks.
    { name: "Cut", hint: "after accepting, 15 s", faults: [{ cut: "after", operations: ["send"], for: "15s" }] },
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
            // The clicked button disappears with the fault.
            this.#buttons[0].focus();
        });
    }

    /** Whether any fault is active. */
    get isInForce() {
        return this.#current.length > 0;
    }

    /** The status of each response to a send that makes a worker wait and try again; `undefined` if the hub accepts sends. */
    get waitingStatus() {
        const all = ({ after, rate = 1, requests, containing, accepted, operations }) =>
            !milliseconds(after ?? 0) && rate >= 1 && !requests && !containing && !accepted
            && (operations?.includes("send") ?? true);
        const waits = ({ status }) => [401, 403, 404, 410, 429].includes(status) || status >= 500;
        return this.#current.map(({ fault }) => fault).find((fault) => waits(fault) && all(fault))?.status;
    }

    /** Sets the active faults, as reported by the hub. */
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

    /** Updates the countdown; requests the faults again when one has ended. */
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
        // Without the countdown, so that screen readers do not read it every second.
        const all = this.#current.map(({ fault }) => description({ fault })).join("; ");
        const spoken = this.isInForce ? `Active: ${all}.` : "";
        if (state.textContent !== spoken) state.textContent = spoken;
        document.getElementById("fault-notice").hidden = !this.isInForce;
        document.getElementById("fault-notice-text").textContent = text && `The hub ${text}.`;
    }
}

/** Whether a preset is active. Compares the effects, not the remaining time or count. */
function isSame(faults, current) {
    const essence = ({ status, cut, latency, outcome }) => [status, cut, milliseconds(latency ?? 0), outcome].join();
    const wanted = faults.map(essence).join("; ");
    return wanted === current.map(({ fault }) => essence(fault)).join("; ");
}

/** Describes a fault; with `until`, includes the remaining time. */
function description({ fault, until }) {
    const parts = [];
    const cuts = {
        before: "cuts connections",
        after: "accepts a request and cuts the connection",
        middle: "cuts its responses in the middle",
    };
    if (fault.cut) parts.push(cuts[fault.cut] ?? cuts.before);
    else if (fault.status) parts.push(`responds with ${fault.status}${fault.accepted ? " to accepted requests" : ""}`);
    if (fault.throttle) parts.push(`accepts ${fault.throttle} requests per second`);
    if (fault.outcome) parts.push(`reports ${fault.outcome}${fault.platform ? ` for ${fault.platform}` : ""}`);
    if (fault.latency?.p50) parts.push(`delays its responses by ${fault.latency.p50} (p50) to ${fault.latency.p99} (p99)`);
    else if (fault.latency) parts.push(`delays its responses by ${milliseconds(fault.latency) / 1000} s`);
    if (fault.operations) parts.push(`for ${fault.operations.join(", ")} requests`);
    if (fault.requests) parts.push(`for ${fault.requests.join(", ")}`);
    if (fault.containing) parts.push(`if the body contains “${fault.containing}”`);
    if (fault.rate !== undefined && fault.rate < 1) parts.push(`${Math.round(fault.rate * 100)} % of the time`);
    if (fault.count) parts.push(fault.count === 1 ? "once" : `${fault.count} times`);
    if (until) parts.push(`for another ${Math.max(0, Math.ceil((until - Date.now()) / 1000))} s`);
    return parts.join(", ");
}

/** Converts a duration to milliseconds: `250ms`, `2s`, `1m`, `1h`, or a number of seconds. */
function milliseconds(duration) {
    if (typeof duration === "number") return duration * 1000;
    const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration) ?? [];
    return number ? Number(number) * units[unit] : 0;
}
