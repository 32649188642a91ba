// The inspector: the exact request with which a phone registered, and its deliveries, byte for byte.

import { deliveryItem } from "./deliverylist.js";
import { code, element, headerLines } from "./dom.js";
import { englishName } from "./languages.js";

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

    /** Shows a phone; opens `delivery` if given. */
    async show(phone, delivery = null) {
        document.getElementById("inspector-title").textContent = `Requests and deliveries: ${phone.name}`;
        this.#body.replaceChildren(await this.#registering(phone), this.#arrivals(phone, delivery));
        this.#dialog.showModal();
        if (delivery) this.#body.querySelector("details[open]")?.scrollIntoView({ block: "nearest" });
    }

    async #registering(phone) {
        const section = element("section", {}, element("h3", {}, "Registration"), this.#account(phone));
        const { request, status } = phone.registering;
        if (!request) {
            section.append(element("p", { className: "note" }, "No request has been sent yet."));
            return section;
        }
        const url = await this.#hub.url(request.path);
        const headers = { Authorization: "SharedAccessSignature sr=…&sig=…&se=…&skn=…", ...request.headers };
        section.append(
            element("p", { className: "note" }, explanation(phone)),
            code("Request", `${request.method} ${url.pathname}${url.search}\n${headerLines(headers)}\n\n${request.body}`),
            element("p", { className: "note" }, status > 0 ? `The hub responded with ${status}.` : "No response has arrived."),
        );
        return section;
    }

    /** The two requests to the gateway after signing in. */
    #account({ account }) {
        if (account.steps.length === 0) return null;
        const node = element("div", {}, element("p", { className: "note" }, `Signed in as ${account.user}, at the gateway:`));
        for (const { method, path, body, status } of account.steps) {
            const content = body === undefined ? "" : `\nContent-Type: application/json\n\n${JSON.stringify(body, null, 2)}`;
            node.append(code("Request", `${method} ${new URL(path, account.url)}\nAuthorization: Basic …${content}`));
            if (status > 0) node.append(element("p", { className: "note" }, `The gateway responded with ${status}.`));
        }
        return node;
    }

    #arrivals({ deliveries }, chosen) {
        const section = element("section", {}, element("h3", {}, "Deliveries"));
        if (deliveries.length === 0) {
            section.append(element("p", { className: "note" }, "No deliveries yet."));
        }
        for (const delivery of [...deliveries].reverse()) {
            const isOpen = delivery.sequence === (chosen ?? deliveries.at(-1)).sequence;
            section.append(deliveryItem(delivery, isOpen, `send ${delivery.send}`));
        }
        return section;
    }
}

/** How the app of each platform handles a notification. */
const apps = {
    apns: " With mutable-content, the app’s extension runs before the notification is shown: it translates the "
        + "category, sets the urgency by the kind of news, and removes earlier notifications of the story.",
    fcmv1: " A data-only message: the app itself creates the notification in its language, one for each story.",
    wns: " The system looks up the category in the app’s resources and replaces a toast with the same tag.",
};

function explanation({ registersBy, platform, textLanguage, language }) {
    const way = registersBy === "registration"
        ? "A registration, in Atom: the app first requested an id, which it stores."
        : "An installation, in JSON: the app chose the id; repeating the request changes nothing.";
    const words = textLanguage
        ? ` Its template uses the texts in ${englishName(textLanguage)} from every send.`
        : ` The sender has no texts in ${englishName(language)}, so its template uses the default language.`;
    return way + words + apps[platform];
}
