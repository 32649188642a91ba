// Sends events: to the topic if a worker is connected, otherwise to the hub as the template send that the worker would make.

import { newsEvent, templateSend } from "./newsevent.js";

export class Sender {
    #hub;
    #newsroom;

    constructor(hub, newsroom) {
        this.#hub = hub;
        this.#newsroom = newsroom;
    }

    /** The complete request for an event, also shown before it is sent. */
    request(act) {
        const event = newsEvent(act);
        if (this.#newsroom.worker) return { event, path: "_emulator/news", headers: {}, body: event };
        return { event, path: `${this.#newsroom.hub.name}/messages/`, ...templateSend(event, act) };
    }

    /** Sends an event. Returns it with the time until it was accepted. */
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
