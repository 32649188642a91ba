// The page of registered devices: installations and registrations of any program, with tags, templates and deliveries.

import { code, copyOf, element, headerLines, laidOut, particulars, sentence } from "./dom.js";
import { shortHandle } from "./deliverylist.js";
import { platforms, propertiesOfTemplate, serviceName } from "./platforms.js";
import { absolute } from "./times.js";

const step = 50;
/** The most devices in a response of the emulator. */
const most = 1000;
const filters = ["tag", "user", "handle", "platform"];

export class DeviceList {
    #hub;
    #deliveries;
    #sendTo;
    #filter = new URLSearchParams();
    #limit = step;
    /** The rows by the number of the device, with the JSON that each shows. */
    #rows = new Map();
    #isAsking = false;
    /** Whether the hub refused the filter. */
    #isRefused = false;
    #page = document.getElementById("registry");
    #form = document.getElementById("device-filter");
    #list = document.getElementById("device-list");
    #count = document.getElementById("device-count");
    #more = document.getElementById("device-more");

    /** `sendTo` prepares a send to a device. */
    constructor(hub, deliveries, sendTo) {
        this.#hub = hub;
        this.#deliveries = deliveries;
        this.#sendTo = sendTo;
        const names = Object.entries(platforms).map(([key, { name }]) => new Option(name, key));
        this.#form.elements.platform.append(...names);
        this.#form.addEventListener("submit", (event) => {
            event.preventDefault();
            const chosen = filters.map((name) => [name, this.#form.elements[name].value.trim()]);
            const query = new URLSearchParams(chosen.filter(([, value]) => value));
            location.hash = query.size > 0 ? `devices?${query}` : "devices";
        });
        this.#form.elements.platform.addEventListener("change", () => this.#form.requestSubmit());
        this.#form.addEventListener("reset", () => {
            location.hash = "devices";
        });
        this.#more.addEventListener("click", () => {
            this.#limit = Math.min(this.#limit + step, most);
            this.refresh();
        });
    }

    /** Shows the devices that match a query such as `tag=world&user=ada`. */
    filter(query) {
        const asked = new URLSearchParams(query);
        this.#filter = new URLSearchParams([...asked].filter(([name, value]) => filters.includes(name) && value));
        for (const name of filters) this.#form.elements[name].value = asked.get(name) ?? "";
        this.#limit = step;
        this.#isRefused = false;
        return this.refresh();
    }

    /** Requests the devices if the page is shown; draws those that have changed. */
    async refresh() {
        if (this.#page.hidden || document.hidden || this.#isAsking || this.#isRefused) return;
        this.#isAsking = true;
        const query = `${this.#filter}`;
        try {
            // One more than shown, to find out whether there are more.
            const limit = Math.min(this.#limit + 1, most);
            const { devices } = await this.#hub.inspect("GET", `devices?${query && `${query}&`}limit=${limit}`);
            this.#show(devices);
        } catch (error) {
            this.#isRefused = error.status === 400;
            this.#rows.clear();
            this.#list.replaceChildren();
            this.#say(sentence(error.message));
        }
        this.#isAsking = false;
        if (`${this.#filter}` !== query) this.refresh();
    }

    /** Requests the deliveries to the opened devices. */
    refreshDeliveries() {
        for (const { node, device } of this.#rows.values()) this.#showDeliveries(node, device);
    }

    #show(devices) {
        const shown = devices.slice(0, this.#limit);
        this.#more.hidden = devices.length <= this.#limit;
        const rows = new Map();
        for (const device of shown) {
            const text = JSON.stringify(device);
            const known = this.#rows.get(device.sequence);
            const isSame = known?.text === text;
            rows.set(device.sequence, isSame ? known : { text, device, node: this.#row(device, known?.node) });
        }
        const nodes = [...rows.values()].map(({ node }) => node);
        // Without a change, an element with the focus stays in the document.
        const drawn = [...this.#list.children];
        if (nodes.length !== drawn.length || nodes.some((node, index) => node !== drawn[index])) {
            this.#list.replaceChildren(...nodes);
        }
        this.#rows = rows;
        this.#list.hidden = shown.length === 0;
        const isFiltered = this.#filter.size > 0;
        if (shown.length === 0) {
            this.#say(isFiltered
                ? "No device matches. Tags, users and handles must match exactly, in any case."
                : "No devices yet. Register an app with a connection string of this hub.");
        } else {
            const number = shown.length === 1 ? "One device" : `${shown.length} devices`;
            const all = this.#more.hidden ? number : `The first ${number}`;
            const verb = shown.length === 1 ? " matches" : " match";
            const isEnd = shown.length >= most ? " Use a filter to find others." : "";
            this.#say(`${all}${isFiltered ? verb : ""}.${isEnd}`);
        }
    }

    /** Screen readers read a changed text only. */
    #say(text) {
        if (this.#count.textContent !== text) this.#count.textContent = text;
    }

    #row(device, earlier) {
        const { installationId, userId, platform, handle, tags, registrations } = device;
        const node = copyOf("device-template");
        const set = (selector, text) => {
            node.querySelector(selector).textContent = text;
        };
        const templates = registrations.filter(({ template }) => template);
        set(".kind", serviceName(platform));
        const [what, id] = installationId
            ? ["Installation", installationId] : ["Registration", registrations[0].registrationId];
        set(".headline", `${what} ${shortHandle(id, 40)}`);
        set(".tags", tags.length > 0 ? tags.join(", ") : "no tags");
        set(".state", warnings(device).length > 0 ? "warning" : "");
        set(".reach", registrations.length > 0 ? templatesText(templates) : "no registration");
        node.querySelector(".reach").classList.toggle("unheard", templates.length === 0);
        set(".taken", `${userId ? `user ${userId}, ` : ""}handle ${shortHandle(handle, 34)}`);
        const details = node.firstElementChild;
        const content = node.querySelector(".content");
        details.addEventListener("toggle", () => {
            if (!details.open) return;
            if (content.childElementCount === 0) content.append(...this.#details(device, templates));
            this.#showDeliveries(node, device);
        });
        details.open = earlier?.firstElementChild.open ?? false;
        return node;
    }

    #details(device, templates) {
        const { installationId, userId, platform, handle, tags, registrations, pushVariables, expires } = device;
        const ids = registrations.map(({ registrationId }) => registrationId).join("\n");
        const facts = [
            ["Installation", installationId], ["Registrations", ids], ["User", userId], ["Platform", platform],
            ["Handle", handle], ["Tags", tags.join(", ") || "none"], ["Push variables", headerLines(pushVariables)],
            ["Expires", expires ? absolute(expires, "en") : "never"],
        ];
        const send = element("button", { type: "button", className: "secondary" }, "Send to this device");
        send.addEventListener("click", () => this.#sendTo(device));
        return [
            ...warnings(device).map((text) => element("p", { className: "warning" }, text)),
            particulars(facts.filter(([, text]) => text)),
            ...templates.map((registration) => templateItem(registration)),
            element("p", {}, send),
            element("h3", {}, "Deliveries to this device"),
            element("div", { className: "arrivals" }),
        ];
    }

    #showDeliveries(node, { installationId, handle, registrations }) {
        if (!node.firstElementChild.open || this.#page.hidden) return;
        const query = new URLSearchParams({ handle });
        if (installationId) query.append("installation", installationId);
        for (const { registrationId } of registrations) query.append("registration", registrationId);
        this.#deliveries.showOfDevice(node.querySelector(".arrivals"), query);
    }
}

function templatesText(templates) {
    if (templates.length === 0) return "no template";
    const names = templates.map(({ template }) => template.name).filter(Boolean).join(", ");
    return `${templates.length === 1 ? "template" : `${templates.length} templates`}${names && `: ${names}`}`;
}

function templateItem({ registrationId, tags, secondaryTile, template }) {
    const { name, body, headers, expiry, priority } = template;
    const properties = propertiesOfTemplate(body);
    const facts = [
        ["Properties", properties.join(", ") || "none"], ["Registration", registrationId], ["Tags", tags.join(", ")],
        ["Secondary tile", secondaryTile], ["Expiry", expiry], ["Priority", priority],
    ];
    const lines = headerLines(headers);
    return element(
        "details", { className: "raw" }, element("summary", {}, name ? `Template ${name}` : "Template without a name"),
        particulars(facts.filter(([, text]) => text)),
        code("Headers and body of the template", `${lines && `${lines}\n\n`}${laidOut(body)}`),
    );
}

/** The reasons why a device may not receive what it should. */
function warnings({ platform, registrations, pushChannelExpired }) {
    const found = [];
    if (pushChannelExpired) {
        found.push("The push service rejected the handle. The hub does not send to this device until it registers again.");
    }
    if (!platforms[platform]?.body) found.push("The push service of this platform does not exist any more.");
    if (!pushChannelExpired && !registrations.some(({ template }) => template)) {
        found.push("Without a template, the device receives only native sends for its platform.");
    }
    return found;
}
