// The refusals: what the hub did not grant, in its words and in ours; of a token, what it was signed for.

import { copyOf, element } from "./dom.js";
import { clockTime } from "./times.js";

const shown = 40;
/** Under load refusals come by the thousand; they are asked for so often at most, in milliseconds. */
const pause = 250;

export class Refusals {
    #hub;
    #last = 0;
    #timer = 0;
    #isAsking = false;
    #list = document.getElementById("refused");
    #empty = document.getElementById("refusals-empty");

    constructor(hub) {
        this.#hub = hub;
    }

    /** Asks for what is new, the newest of it. */
    async catchUp() {
        if (this.#isAsking) return this.refreshSoon();
        this.#isAsking = true;
        try {
            // The emulator keeps a thousand requests, and a page has room for as many.
            const page = await this.#hub.inspect("GET", `requests?refused&after=${this.#last}`);
            // It has started anew.
            if (page.last < this.#last) {
                this.clear();
                this.#isAsking = false;
                return this.catchUp();
            }
            this.#last = page.last;
            for (const request of page.requests.slice(-shown)) this.#add(request);
        } finally {
            this.#isAsking = false;
        }
    }

    refreshSoon() {
        if (this.#timer) return;
        this.#timer = setTimeout(() => {
            this.#timer = 0;
            // What fails here is asked for again when the stream is open again.
            this.catchUp().catch(() => {});
        }, pause);
    }

    /** Forgets what is shown; what comes later has greater numbers, but where the hub has started anew. */
    clear() {
        this.#last = 0;
        this.#list.replaceChildren();
        this.#show();
    }

    #add(request) {
        const row = copyOf("refusal-template");
        const set = (selector, text) => {
            row.querySelector(selector).textContent = text;
        };
        const clock = row.querySelector("time");
        clock.dateTime = request.time;
        clock.textContent = clockTime(request.time, "en");
        set(".status", request.cut ? "cut" : request.status);
        row.querySelector(".status").dataset.class = request.cut ? "cut" : `${request.status}`.charAt(0);
        set(".method", request.method);
        set(".target", request.target);
        set(".why", explanation(request));
        row.querySelector(".raw").replaceChildren(...details(request));
        this.#list.prepend(row);
        while (this.#list.childElementCount > shown) this.#list.lastElementChild.remove();
        this.#show();
    }

    #show() {
        const isEmpty = this.#list.childElementCount === 0;
        this.#empty.hidden = !isEmpty;
        this.#list.hidden = isEmpty;
    }
}

/** Why it was refused; what the service does not tell comes first, since it says more. */
function explanation({ error, reason, fault, cut, status }) {
    const cuts = {
        before: "The connection was cut before the hub took it",
        after: "The hub took it and the connection was cut",
        middle: "The answer was cut in its middle",
    };
    const words = [cuts[cut], reason, error].find(Boolean) ?? `The hub answered ${status} without a word`;
    const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/[^.!?]$/, "$&.");
    return fault ? `${sentence} A fault of the emulator decided it.` : sentence;
}

function details({ method, target, error, token, trackingId, clientTrackingId, answeredMs }) {
    const facts = [["Asked", `${method} ${target}`], ["Told", error ?? "nothing"]];
    if (token) {
        facts.push(
            ["Token signed for", token.signedFor ?? "cannot be read"],
            ["Compared with", token.asked],
            ["Policy", token.keyName ?? "cannot be read"],
        );
    }
    if (trackingId) facts.push(["Tracking", trackingId]);
    if (clientTrackingId) facts.push(["The client’s", clientTrackingId]);
    facts.push(["Answered in", `${answeredMs} ms`]);
    const rows = facts.map(([name, text]) => element(
        "div", {}, element("dt", {}, name), element("dd", { dir: "ltr" }, text),
    ));
    return [element("dl", { className: "particulars" }, ...rows)];
}
