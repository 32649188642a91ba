// The list of refused requests, with the hub's error and the reason; for a token, the signed resource.

import { copyOf, particulars, sentence } from "./dom.js";
import { clockTime } from "./times.js";

const shown = 40;
/** The shortest interval between requests for refusals in milliseconds, because under load there are thousands. */
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

    /** Requests the latest new refusals. Never runs twice at once: a call while another runs asks again soon. */
    async catchUp() {
        if (this.#isAsking) {
            this.refreshSoon();
            return;
        }
        this.#isAsking = true;
        try {
            let after;
            let page;
            do {
                after = this.#last;
                // The emulator keeps a thousand requests, which fit into one page.
                page = await this.#hub.inspect("GET", `requests?refused&after=${after}`);
                // The emulator was restarted.
                if (page.last < this.#last) this.clear();
                // If the list was cleared since the request, the page does not belong to it.
            } while (this.#last !== after);
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
            // The data is requested again when the stream reopens.
            this.catchUp().catch(() => {});
        }, pause);
    }

    /** Clears the list. Later refusals have higher numbers, unless the hub was restarted. */
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

/** The reason for a refusal. The reason that the service does not return has priority, because it is more specific. */
function explanation({ error, reason, fault, cut, status }) {
    const cuts = {
        before: "The connection was cut before the hub processed the request",
        after: "The connection was cut after the hub processed the request",
        middle: "The connection was cut in the middle of the response",
    };
    const words = [cuts[cut], reason, error].find(Boolean) ?? `The hub responded with ${status} without a message`;
    return fault ? `${sentence(words)} Caused by a fault of the emulator.` : sentence(words);
}

function details({ method, target, error, token, trackingId, clientTrackingId, answeredMs }) {
    const facts = [["Request", `${method} ${target}`], ["Error", error ?? "none"]];
    if (token) {
        facts.push(
            ["Token signed for", token.signedFor ?? "cannot be read"],
            ["Compared with", token.asked],
            ["Policy", token.keyName ?? "cannot be read"],
        );
    }
    if (trackingId) facts.push(["Tracking", trackingId]);
    if (clientTrackingId) facts.push(["Client tracking", clientTrackingId]);
    facts.push(["Answered in", `${answeredMs} ms`]);
    return [particulars(facts)];
}
