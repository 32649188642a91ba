// The view of a phone: the device, and below it the name, categories and settings.

import { AccountView } from "./accountview.js";
import { confirmed, copyOf, element } from "./dom.js";
import { categoryName, englishName, ownName } from "./languages.js";
import { LockScreen } from "./lockscreen.js";
import { platforms } from "./platforms.js";
import { template } from "./templates.js";
import { clockTime } from "./times.js";

export class PhoneView {
    #phone;
    #newsroom;
    #lockScreen;
    node = copyOf("phone-template");

    /** `inspect` shows requests and deliveries of a phone; `remove` removes it. */
    constructor(phone, newsroom, { inspect, remove }) {
        this.#phone = phone;
        this.#newsroom = newsroom;
        this.node.id = phone.id;
        this.#lockScreen = new LockScreen(phone, this.#find(".screen"), ({ delivery }) => inspect(phone, delivery));
        this.#find(".remove").addEventListener("click", () => remove(phone));
        this.#find(".inspect").addEventListener("click", () => inspect(phone));
        this.#find(".clear").addEventListener("click", async () => {
            if (!await confirmed(`Clear all notifications of ${phone.name}?`, "Clear")) return;
            phone.clear();
            // The clicked button is hidden now.
            this.#find(".inspect").focus();
        });
        this.#find(".retry").addEventListener("click", () => phone.register());
        this.#fillSetUp();
        new AccountView(phone, newsroom, this.#find(".account"));
        phone.addEventListener("changed", () => this.refresh());
        phone.addEventListener("registering", () => this.#showRegistering());
        phone.addEventListener("notification", () => this.#showCount());
        this.refresh();
        this.#showRegistering();
    }

    /** Updates everything that depends on the user's choices. */
    refresh() {
        const { name, language, platform, id } = this.#phone;
        const { device, name: service } = platforms[platform];
        this.node.dataset.platform = platform;
        this.node.dataset.language = language.split("-")[0];
        const title = this.#find(".name");
        title.textContent = name;
        title.lang = language;
        title.id = `${id}-name`;
        this.#find("article").setAttribute("aria-labelledby", title.id);
        const own = element("span", { textContent: ownName(language), lang: language });
        this.#find(".meta").replaceChildren(own, ` · ${device}, ${service}`);
        this.#find(".remove").setAttribute("aria-label", `Remove the device of ${name}`);
        this.#find(".subscriptions").setAttribute("aria-label", `Categories of ${name}`);
        this.#find(".inspect").setAttribute("aria-label", `Details of the device of ${name}`);
        this.#find(".clear").setAttribute("aria-label", `Clear the notifications of ${name}`);
        this.#find(".set-template").value = this.#phone.body ?? "";
        this.#find(".set-template").placeholder = template(platform, this.#phone.textLanguage).body;
        this.#fillCategories();
        this.#lockScreen.refresh();
        this.#showCount();
    }

    tick() {
        this.#lockScreen.tick();
    }

    #find(selector) {
        return this.node.querySelector(selector);
    }

    #fillCategories() {
        const group = this.#find(".subscriptions");
        const { tags, language } = this.#phone;
        if (group.childElementCount !== this.#newsroom.categories.length) {
            group.replaceChildren(...this.#newsroom.categories.map(({ tag }) => this.#categorySwitch(tag)));
        }
        for (const button of group.children) {
            const { tag } = button.dataset;
            const { name } = this.#newsroom.categories.find((category) => category.tag === tag);
            button.setAttribute("aria-checked", String(tags.includes(tag)));
            button.textContent = categoryName(name, language);
            button.lang = language;
            button.title = name;
        }
    }

    #categorySwitch(tag) {
        const attributes = { role: "switch", "aria-checked": "false" };
        const button = element("button", { type: "button", className: "pill", attributes, dataset: { tag } });
        button.addEventListener("click", () => {
            const { tags } = this.#phone;
            const chosen = tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag];
            // In the order of the newsroom, not of the clicks.
            const order = this.#newsroom.categories.map((category) => category.tag);
            this.#phone.change({ tags: order.filter((other) => chosen.includes(other)) });
        });
        return button;
    }

    #fillSetUp() {
        const { language: own, platform, name, registersBy } = this.#phone;
        const languages = [...new Set([...this.#newsroom.languages, own])];
        this.#find(".set-language").append(...languages.map((tag) => new Option(englishName(tag), tag)));
        this.#find(".set-platform").append(
            ...Object.entries(platforms).filter(([, { device }]) => device)
                .map(([key, { device, name }]) => new Option(`${device} (${name})`, key)),
        );
        const bind = (selector, key, value) => {
            const control = this.#find(selector);
            control.value = value;
            control.addEventListener("change", () => {
                const chosen = control.value.trim();
                if (chosen) this.#phone.change({ [key]: chosen });
                else control.value = this.#phone[key];
            });
        };
        bind(".set-name", "name", name);
        bind(".set-language", "language", own);
        bind(".set-platform", "platform", platform);
        bind(".set-registering", "registersBy", registersBy);
        const body = this.#find(".set-template");
        body.addEventListener("change", () => this.#phone.change({ body: body.value.trim() || null }));
    }

    #showRegistering() {
        const { phase, at, error, status } = this.#phone.registering;
        const line = this.#find(".registered");
        line.dataset.phase = phase;
        const failure = status > 0 ? `The hub responded with ${status}: ${error}` : error;
        line.querySelector(".state").textContent = {
            new: "Not registered yet",
            registering: "Registering…",
            registered: `Registered ${at ? clockTime(at, "en") : ""}`,
            failed: `Not registered. ${failure}`,
        }[phase];
        this.#find(".retry").hidden = phase !== "failed";
    }

    #showCount() {
        const count = this.#phone.notifications.length;
        const badge = this.#find(".badge");
        badge.hidden = count === 0;
        badge.textContent = String(count);
        badge.title = count === 1 ? "1 notification" : `${count} notifications`;
        this.#find(".clear").hidden = count === 0;
    }
}
