// How an event leaves the page: onto the topic where there is a worker, else as the template send it would make.

import { newsEvent, templateSend } from "./newsevent.js";

export class Sender {
    #hub;
    #newsroom;

    constructor(hub, newsroom) {
        this.#hub = hub;
        this.#newsroom = newsroom;
    }

    /** The request for an act, whole, for people to read before it is made. */
    request(act) {
        const event = newsEvent(act);
        if (this.#newsroom.worker) return { event, path: "_emulator/news", headers: {}, body: event };
        const { headers, body } = templateSend(event, act);
        return { event, path: `${this.#newsroom.hub.name}/messages/`, headers, body };
    }

    /** Sends an act; the time that it took until someone had taken it. */
    async send(act) {
        const { event, headers, body } = this.request(act);
        const start = performance.now();
        if (this.#newsroom.worker) {
            await this.#hub.inspect("POST", "news", event);
        } else {
            await this.#hub.call("POST", "messages/", { headers, body: JSON.stringify(body) });
        }
        return { event, milliseconds: performance.now() - start };
    }
}
