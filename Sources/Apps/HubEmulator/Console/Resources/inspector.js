// Behind the glass: the very request with which a phone registered, and what reached it, byte for byte.

import { element, laidOut } from "./dom.js";
import { englishName } from "./languages.js";
import { clockTime } from "./times.js";

export class Inspector {
    #hub;
    #dialog = document.getElementById("inspector");
    #body = document.getElementById("inspector-body");

    constructor(hub) {
        this.#hub = hub;
        document.getElementById("inspector-close").addEventListener("click", () => this.#dialog.close());
        this.#dialog.addEventListener("click", (event) => {
            if (event.target === this.#dialog) this.#dialog.close();
        });
    }

    /** Shows a phone; `delivery` is opened where one is meant. */
    async show(phone, delivery = null) {
        document.getElementById("inspector-title").textContent = `Behind the glass: ${phone.name}`;
        this.#body.replaceChildren(await this.#registering(phone), this.#arrivals(phone, delivery));
        this.#dialog.showModal();
        if (delivery) this.#body.querySelector("details[open]")?.scrollIntoView({ block: "nearest" });
    }

    async #registering(phone) {
        const section = element("section", {}, element("h3", {}, "How it registered"), this.#account(phone));
        const { request, status } = phone.registering;
        if (!request) {
            section.append(element("p", { className: "note" }, "It has not asked the hub yet."));
            return section;
        }
        const url = await this.#hub.url(request.path);
        const headers = { Authorization: "SharedAccessSignature sr=…&sig=…&se=…&skn=…", ...request.headers };
        section.append(
            element("p", { className: "note" }, explanation(phone)),
            code(`${request.method} ${url.pathname}${url.search}\n${headerLines(headers)}\n\n${request.body}`),
            element("p", { className: "note" }, status > 0 ? `The hub answered ${status}.` : "No answer has come."),
        );
        return section;
    }

    /** The two steps at the gateway, of a reader who has signed in. */
    #account({ account }) {
        if (account.steps.length === 0) return null;
        const node = element("div", {}, element("p", { className: "note" }, `Signed in as ${account.user}, at the gateway:`));
        for (const { method, path, body, status } of account.steps) {
            const content = body === undefined ? "" : `\nContent-Type: application/json\n\n${JSON.stringify(body, null, 2)}`;
            node.append(code(`${method} ${new URL(path, account.url)}\nAuthorization: Basic …${content}`));
            if (status > 0) node.append(element("p", { className: "note" }, `The gateway answered ${status}.`));
        }
        return node;
    }

    #arrivals({ deliveries }, chosen) {
        const section = element("section", {}, element("h3", {}, "What reached it"));
        if (deliveries.length === 0) {
            section.append(element("p", { className: "note" }, "Nothing yet."));
        }
        for (const delivery of [...deliveries].reverse()) {
            const isOpen = delivery.sequence === (chosen ?? deliveries.at(-1)).sequence;
            const { time, outcome, platform, handle, headers, payload, send, reason, warnings = [] } = delivery;
            const facts = `${headerLines(headers)}`.trim();
            section.append(element(
                "details", { open: isOpen, className: "delivery" },
                element(
                    "summary", {}, element("time", { dateTime: time }, clockTime(time, "en")),
                    ` send ${send} `, element("span", { className: "outcome", dataset: { outcome } }, outcome),
                ),
                element("p", { className: "note" }, `By ${platform} to the handle ${shortened(handle)}`),
                ...[reason, ...warnings].filter(Boolean).map((text) => element("p", { className: "note" }, text)),
                code(`${facts ? `${facts}\n\n` : ""}${laidOut(payload)}`),
            ));
        }
        return section;
    }
}

/** What the app of each platform does with what comes. */
const apps = {
    apns: " With mutable-content the app’s extension has its turn before the screen shows anything: it puts the "
        + "category into the reader’s language, sets how urgent it is by the kind, and takes back what it showed of "
        + "the story.",
    fcmv1: " A message of data only: the app makes the notification itself, in the reader’s language, one for a story.",
    wns: " The system looks the category up in the app’s resources, and replaces a toast with the same tag.",
};

function explanation({ registersBy, platform, textLanguage, language }) {
    const way = registersBy === "registration"
        ? "A registration, in Atom: the app asked for an id first and keeps it."
        : "An installation, in JSON: the app chose its id, and the same request again changes nothing.";
    const words = textLanguage
        ? ` Its template takes the texts in ${englishName(textLanguage)} out of every send.`
        : ` The sender has no texts in ${englishName(language)}, so its template takes those of the default language.`;
    return way + words + apps[platform];
}

function headerLines(headers) {
    return Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`).join("\n");
}

function shortened(handle) {
    return handle.length > 48 ? `${handle.slice(0, 30)}…${handle.slice(-10)}` : handle;
}

function code(text) {
    return element(
        "pre", { tabIndex: 0, attributes: { "aria-label": "Exact text" } }, element("code", { textContent: text }),
    );
}
