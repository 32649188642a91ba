// The form for every kind of send: template or native; to everyone, tags or a device; now, later or as a test.

import { code, element, icon, randomName, sentence } from "./dom.js";
import { asCurl, HubError } from "./hub.js";
import { platforms, propertiesOfTemplate, shownWords } from "./platforms.js";
import { isFinal, reachText } from "./sends.js";
import { Submission } from "./submission.js";
import { absolute } from "./times.js";

const notes = {
    template: "The hub fills in the templates of the devices with these properties.",
    native: "The devices of one platform receive the body as it is.",
};
/** The most devices whose templates and handles the form offers. */
const offered = 100;

export class MessageForm {
    #hub;
    #deliveries;
    #form = document.getElementById("message-form");
    #fields = this.#form.elements;
    #properties = document.getElementById("properties");
    #request = document.getElementById("message-request");
    #response = document.getElementById("message-response");
    #submission = new Submission(this.#form, () => this.#send());
    /** The names of the properties of registered templates. */
    #known = [];
    /** The client's tracking id of the send whose progress is shown. */
    #awaited = null;
    #isTold = false;
    /** Whether the user has edited the properties, so that they must not be replaced. */
    #isTouched = false;

    constructor(hub, deliveries, wire) {
        this.#hub = hub;
        this.#deliveries = deliveries;
        const formats = Object.values(platforms).filter(({ body }) => body);
        this.#fields.format.append(...formats.map(({ name, format }) => new Option(`${name} (${format})`, format)));
        this.#fields.format.addEventListener("change", () => this.#showExample());
        this.#form.addEventListener("input", () => this.#show());
        document.getElementById("add-property").addEventListener("click", () => this.#addProperty().focus());
        document.getElementById("use-properties").addEventListener("click", () => this.#useProperties(this.#known));
        this.#properties.addEventListener("input", () => {
            this.#isTouched = true;
        });
        wire.addEventListener("send", ({ detail }) => this.#heardOfSend(detail.send));
        this.#setProperties([["message", "Hello"]]);
        this.#showExample();
    }

    /** Offers the handles and the properties of the registered devices. */
    async refresh() {
        const { devices } = await this.#hub.inspect("GET", `devices?limit=${offered}`);
        this.#known = propertiesFor(devices);
        const options = (id, values) => {
            document.getElementById(id).replaceChildren(...[...new Set(values)].map((value) => new Option("", value)));
        };
        options("known-properties", this.#known);
        options("known-tags", devices.flatMap(({ tags }) => tags));
        options("known-handles", devices.map(({ handle }) => handle));
        options("known-installations", devices.map(({ installationId }) => installationId).filter(Boolean));
        document.getElementById("use-properties").hidden = this.#known.length === 0;
        const isNew = `${Object.keys(this.#given)}` !== `${this.#known}`;
        if (!this.#isTouched && isNew && this.#known.length > 0) this.#useProperties(this.#known);
    }

    /** Prepares a send to a device of the list. */
    sendTo(device) {
        const { installationId, platform, handle, registrations } = device;
        const isTemplate = installationId && registrations.some(({ template }) => template);
        this.#fields.content.value = isTemplate ? "template" : "native";
        this.#fields.target.value = "device";
        this.#fields.installation.value = installationId ?? "";
        this.#fields.handle.value = handle;
        if (platforms[platform]?.body) this.#fields.format.value = platforms[platform].format;
        this.#showExample();
        this.#isTouched = true;
        if (isTemplate) this.#useProperties(propertiesFor([device]));
    }

    get #isTemplate() {
        return this.#fields.content.value === "template";
    }

    /** The platform of a native send. */
    get #platform() {
        return Object.values(platforms).find(({ format }) => format === this.#fields.format.value);
    }

    /** The properties of a template send, by name. */
    get #given() {
        const rows = Array.from(this.#properties.children, (row) => {
            const [name, value] = row.querySelectorAll("input");
            return [name.value.trim(), value.value];
        });
        return Object.fromEntries(rows.filter(([name]) => name));
    }

    /** Replaces the properties; keeps their values. */
    #useProperties(names) {
        const given = this.#given;
        this.#setProperties(names.map((name) => [name, given[name] ?? (shownWords.test(name) ? "Hello" : "")]));
    }

    #setProperties(pairs) {
        this.#properties.replaceChildren();
        for (const [name, value] of pairs) this.#addProperty(name, value);
        this.#show();
    }

    /** Adds a row and returns its field for the name. */
    #addProperty(name = "", value = "") {
        const field = (label, text, list) => {
            const input = element("input", { value: text, autocomplete: "off", spellcheck: false, dir: "auto" });
            input.setAttribute("aria-label", label);
            if (list) input.setAttribute("list", list);
            return input;
        };
        const remove = element("button", { type: "button", className: "symbol" }, icon("close"));
        const named = field("Name of a property", name, "known-properties");
        const label = () => remove.setAttribute("aria-label", `Remove the property ${named.value}`);
        named.addEventListener("input", label);
        label();
        const row = element("li", {}, named, field("Value", value), remove);
        remove.addEventListener("click", () => {
            row.remove();
            this.#isTouched = true;
            document.getElementById("add-property").focus();
            this.#show();
        });
        this.#properties.append(row);
        this.#show();
        return named;
    }

    #showExample() {
        const { body, headers = "" } = this.#platform;
        this.#fields.body.value = typeof body === "string" ? body : JSON.stringify(body, null, 2);
        this.#fields.headers.value = headers;
        this.#show();
    }

    /** Shows the fields that the choices need, and the request. */
    async #show() {
        const { content, target, time } = this.#fields;
        const choices = [content.value, target.value, time.value];
        for (const part of this.#form.querySelectorAll("[data-if]")) {
            part.hidden = !part.dataset.if.split(" ").every((choice) => choices.includes(choice));
        }
        document.getElementById("content-note").textContent = notes[content.value];
        document.getElementById("time-note").textContent = time.value === "test"
            ? "The hub sends to at most ten devices, and responds with the outcome of each." : "";
        const { path, headers, body } = this.#message;
        try {
            this.#request.textContent = asCurl(await this.#hub.url(path), headers, body);
        } catch {
            // Shown again when the hub responds.
        }
    }

    /** The request of the form: path, headers and body. */
    get #message() {
        const { target, time, tags, installation, handle, format, body, headers: lines, due } = this.#fields;
        const isTemplate = this.#isTemplate;
        const isDirect = target.value === "device" && !isTemplate;
        const headers = {
            "Content-Type": `${(!isTemplate && this.#platform.contentType) || "application/json"};charset=utf-8`,
            "ServiceBusNotification-Format": isTemplate ? "template" : format.value,
        };
        if (target.value === "tags") headers["ServiceBusNotification-Tags"] = tags.value.trim();
        if (isDirect) headers["ServiceBusNotification-DeviceHandle"] = handle.value.trim();
        else if (target.value === "device") {
            headers["ServiceBusNotification-Tags"] = `$InstallationId:{${installation.value.trim()}}`;
        }
        if (time.value === "later" && due.value) {
            headers["ServiceBusNotification-ScheduleTime"] = new Date(due.value).toISOString().slice(0, 19);
        }
        for (const line of isTemplate ? [] : lines.value.split("\n")) {
            const [name, ...value] = line.split(":");
            if (name.trim()) headers[name.trim()] = value.join(":").trim();
        }
        const flags = [isDirect && "direct", time.value === "test" && "test"].filter(Boolean).join("&");
        const place = time.value === "later" ? "schedulednotifications" : "messages";
        const content = isTemplate ? JSON.stringify(this.#given) : body.value;
        return { path: `${place}/${flags && `?${flags}`}`, headers, body: content };
    }

    get #problem() {
        const { target, time, tags, installation, handle, due } = this.#fields;
        const isDevice = target.value === "device";
        if (target.value === "tags" && !tags.value.trim()) return ["Enter a tag expression.", tags];
        const device = this.#isTemplate ? installation : handle;
        if (isDevice && !device.value.trim()) {
            return [`Enter the ${this.#isTemplate ? "id of an installation" : "handle of a device"}.`, device];
        }
        if (time.value !== "later") return null;
        if (isDevice && !this.#isTemplate) {
            return ["The service does not schedule sends to a handle. Use a tag such as $InstallationId:{…}.", handle];
        }
        return due.value ? null : ["Choose a time within the next seven days.", due];
    }

    async #send() {
        const problem = this.#problem;
        if (problem) {
            this.#submission.complain(...problem);
            return;
        }
        this.#submission.say("busy", "Sending…");
        this.#response.replaceChildren();
        const { path, headers, body } = this.#message;
        const id = `console-${randomName(16)}`;
        this.#awaited = id;
        this.#isTold = false;
        try {
            const response = await this.#hub.call("POST", path, { headers: { ...headers, TrackingId: id }, body });
            const text = await response.text();
            if (text) this.#response.prepend(code("Response of the hub", text.replaceAll("><", ">\n<")));
            if (!this.#isTold) this.#submission.say("good", `The hub responded with ${response.status}.`);
        } catch (error) {
            this.#awaited = null;
            throw new HubError(sentence(await this.#reason(id) ?? error.message), error);
        }
    }

    /** Returns the reason for a refusal that the service does not return; otherwise `null`. */
    async #reason(id) {
        try {
            const { requests } = await this.#hub.inspect("GET", "requests?refused");
            return requests.findLast(({ clientTrackingId }) => clientTrackingId === id)?.reason ?? null;
        } catch {
            return null;
        }
    }

    /** Shows the devices that the send reached, and what the hub warns of. */
    async #heardOfSend(send) {
        if (!send.clientTrackingId || send.clientTrackingId !== this.#awaited) return;
        if (send.state === "Scheduled") this.#tell(`The hub sends it at ${absolute(send.scheduledFor, "en")}.`);
        if (!isFinal(send)) return;
        this.#awaited = null;
        const list = element("div", { className: "arrivals" });
        const deliveries = await this.#deliveries.showOfSend(list, send);
        this.#response.append(list);
        const told = deliveries.flatMap(({ reason, warnings = [] }) => [reason, ...warnings]).filter(Boolean);
        const [reason, ...others] = new Set(told);
        const failures = deliveries.filter(({ outcome }) => outcome !== "Success").length;
        const more = others.length > 0 ? ` And ${others.length} more, below.` : "";
        const end = { Canceled: "Cancelled.", Abandoned: "Abandoned." }[send.state] ?? reachText(send);
        const failed = failures > 0 ? ` ${failures} failed.` : "";
        const why = reason ? ` ${sentence(reason)}${more}` : "";
        this.#tell(`${end}${failed}${why}`, failures > 0 ? "bad" : "good");
    }

    /** Shows progress, which may come before the response to the request. */
    #tell(text, mood = "good") {
        this.#isTold = true;
        this.#submission.say(mood, text);
    }
}

/** The properties that the templates of devices use, those with the words to show first. */
function propertiesFor(devices) {
    const bodies = devices.flatMap(({ registrations }) => registrations.map(({ template }) => template?.body ?? ""));
    const names = [...new Set(bodies.flatMap((body) => propertiesOfTemplate(body)))];
    return names.sort((one, other) => shownWords.test(other) - shownWords.test(one));
}
