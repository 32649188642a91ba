// Lists of deliveries, each with headers and payload, byte for byte.

import { code, element, headerLines, laidOut } from "./dom.js";
import { serviceName } from "./platforms.js";
import { clockTime } from "./times.js";

const shown = 20;

export class DeliveryLists {
    #hub;
    #phones;

    constructor(hub, phones) {
        this.#hub = hub;
        this.#phones = phones;
    }

    /** Shows the deliveries of a send, the first of them if there are many, and returns them. */
    async showOfSend(list, { sequence, targets = 0 }) {
        return this.#show(list, `send=${sequence}`, async (path) => {
            const { deliveries } = await this.#hub.inspect("GET", `${path}&limit=${shown}`);
            return { deliveries, count: count(deliveries.length, targets), isCut: deliveries.length === shown };
        }, (delivery) => [this.#deviceName(delivery), `, ${serviceName(delivery.platform)}`]);
    }

    /** Shows the latest deliveries to a device, newest first. */
    async showOfDevice(list, query) {
        return this.#show(list, query, async (path) => {
            let deliveries = [];
            let total = 0;
            let page;
            do {
                page = await this.#hub.inspect("GET", `${path}&after=${deliveries.at(-1)?.sequence ?? 0}`);
                total += page.deliveries.length;
                deliveries = [...deliveries, ...page.deliveries].slice(-shown);
                // A page that ends with its last entry may be full.
            } while (page.deliveries.length > 0 && page.deliveries.at(-1).sequence === page.last && total < 10_000);
            return {
                deliveries: deliveries.reverse(),
                count: total > shown ? `The latest ${shown} of ${total} deliveries.` : count(total),
                isCut: total > shown,
            };
        }, ({ send }) => [`send ${send}`]);
    }

    /** Keeps the items of known deliveries, which may be open. */
    async #show(list, query, ask, identity) {
        try {
            const path = `deliveries?${query}`;
            const { deliveries, count, isCut } = await ask(path);
            const known = new Map(Array.from(list.querySelectorAll(".delivery"), (item) => [item.dataset.sequence, item]));
            const note = element("p", { className: "note" }, count);
            if (isCut) {
                const href = `_emulator/${path}`;
                note.append(" ", element("a", { className: "link", href, target: "_blank" }, "Open all as JSON"));
            }
            const items = deliveries.map((delivery) => {
                return known.get(`${delivery.sequence}`) ?? deliveryItem(delivery, false, ...identity(delivery));
            });
            list.replaceChildren(note, ...items);
            return deliveries;
        } catch (error) {
            list.replaceChildren(element("p", { className: "note" }, error.message));
            return [];
        }
    }

    #deviceName(delivery) {
        const name = this.#phones.list.find((phone) => phone.owns(delivery))?.name ?? shortHandle(delivery.handle, 30);
        return element("bdi", { className: "device-name" }, name);
    }
}

/** A delivery that can be opened: time, texts or elements that identify it, and outcome; then handle, headers and payload. */
export function deliveryItem(delivery, open, ...identity) {
    const { sequence, time, outcome, platform, handle, headers, payload, reason, warnings = [] } = delivery;
    const facts = headerLines(headers);
    return element(
        "details", { open, className: "delivery", dataset: { sequence } },
        element(
            "summary", {}, element("time", { dateTime: time }, clockTime(time, "en")),
            " ", ...identity, " ", element("span", { className: "outcome", dataset: { outcome } }, outcome),
        ),
        element("p", { className: "note" }, `Platform ${platform}, handle ${shortHandle(handle)}`),
        ...[reason, ...warnings].filter(Boolean).map((text) => element("p", { className: "note" }, text)),
        code("Headers and payload", `${facts && `${facts}\n\n`}${laidOut(payload)}`),
    );
}

/** A handle; without its middle if it is longer than `most` characters. */
export function shortHandle(handle, most = 48) {
    return handle.length > most ? `${handle.slice(0, most - 18)}…${handle.slice(-10)}` : handle;
}

function count(number, targets = number) {
    if (number === 0) return targets > 0 ? "The emulator has deleted the deliveries." : "No deliveries.";
    if (number < targets) return `${number} of ${targets} deliveries.`;
    return number === 1 ? "One delivery." : `${number} deliveries.`;
}
