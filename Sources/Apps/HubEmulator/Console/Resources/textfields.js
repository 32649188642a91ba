// The texts of a story: a tab for each language, with headline and summary.

import { direction, englishName, words } from "./languages.js";
import { element } from "./dom.js";

export class TextFields extends EventTarget {
    #languages = [];
    #current = "en";
    #texts = {};
    #kind = "flash";
    #tabs = document.getElementById("text-tabs");
    #panel = document.getElementById("text-panel");
    #headline = document.getElementById("headline");
    #summary = document.getElementById("summary");
    #note = document.getElementById("text-note");
    /** Whether the user has edited the texts, so that they must not be replaced. */
    isTouched = false;

    constructor() {
        super();
        for (const [part, field] of [["headline", this.#headline], ["summary", this.#summary]]) {
            field.addEventListener("input", () => {
                const text = this.#texts[this.#current] ?? { headline: "", summary: "" };
                this.#texts[this.#current] = { ...text, [part]: field.value };
                this.isTouched = true;
                this.#showTabs();
                this.#tell();
            });
        }
        this.#headline.addEventListener("keydown", (event) => {
            // A headline has a single line, so Enter submits the form.
            if (event.key !== "Enter" || event.isComposing) return;
            event.preventDefault();
            this.#headline.form.requestSubmit();
        });
        this.#tabs.addEventListener("keydown", (event) => this.#walk(event));
    }

    get texts() {
        return this.#texts;
    }

    /** Whether there is a headline in any language. */
    get isEmpty() {
        return Object.values(this.#texts).every(({ headline }) => !headline.trim());
    }

    /** Sets the languages; keeps the current one if possible. */
    setLanguages(languages) {
        this.#languages = languages;
        if (!languages.includes(this.#current)) this.#current = languages[0];
        const tabs = languages.map((tag) => {
            const attributes = { role: "tab", "aria-controls": "text-panel" };
            const tab = element("button", { type: "button", id: `tab-${tag}`, attributes, dataset: { tag } }, tag);
            tab.addEventListener("click", () => this.#choose(tag));
            return tab;
        });
        this.#tabs.replaceChildren(...tabs);
        this.#show();
    }

    setKind(kind) {
        this.#kind = kind;
        this.#showNote();
    }

    /** Replaces the texts. */
    setTexts(texts) {
        this.#texts = structuredClone(texts);
        this.isTouched = false;
        this.#show();
    }

    focus() {
        this.#headline.focus();
    }

    #walk(event) {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const count = this.#languages.length;
        const place = this.#languages.indexOf(this.#current);
        const next = step ? (place + step + count) % count : { Home: 0, End: count - 1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        this.#choose(this.#languages[next]);
        this.#tabs.children[next].focus();
    }

    #choose(tag) {
        this.#current = tag;
        this.#show();
    }

    #show() {
        const { headline = "", summary = "" } = this.#texts[this.#current] ?? {};
        this.#headline.value = headline;
        this.#summary.value = summary;
        for (const field of [this.#headline, this.#summary]) {
            field.lang = this.#current;
            // The cursor in an empty field is on the side where the language begins.
            field.dir = field.value ? "auto" : direction(this.#current);
        }
        this.#panel.setAttribute("aria-labelledby", `tab-${this.#current}`);
        this.#showTabs();
    }

    #showTabs() {
        for (const tab of this.#tabs.children) {
            const { tag } = tab.dataset;
            const isChosen = tag === this.#current;
            const isFilled = Boolean(this.#texts[tag]?.headline?.trim());
            tab.setAttribute("aria-selected", String(isChosen));
            tab.setAttribute("aria-label", `${englishName(tag)}${isFilled ? "" : ", empty"}`);
            tab.title = englishName(tag);
            tab.tabIndex = isChosen ? 0 : -1;
            tab.classList.toggle("filled", isFilled);
        }
        this.#showNote();
    }

    #showNote() {
        const name = englishName(this.#current);
        const isFilled = Boolean(this.#texts[this.#current]?.headline?.trim());
        const lead = (words(this.#current)[this.#kind] ?? "").trim();
        if (!isFilled) {
            this.#note.textContent = `If empty, subscribers in ${name} get the English text, otherwise any available one.`;
        } else if (lead) {
            const quoted = element("bdi", { lang: this.#current }, lead);
            this.#note.replaceChildren("Subscribers see it after “", quoted, "”.");
        } else {
            this.#note.textContent = "Subscribers see it unchanged.";
        }
    }

    #tell() {
        this.dispatchEvent(new Event("input"));
    }
}
