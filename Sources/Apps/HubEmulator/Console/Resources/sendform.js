// The desk: creates and sends an event of a story and shows its outcome.

import { element, headerLines, randomName } from "./dom.js";
import { sampleTexts, samples } from "./samples.js";
import { reachText } from "./sends.js";
import { Stories } from "./story.js";
import { TextFields } from "./textfields.js";
import { Submission } from "./submission.js";
import { latency } from "./times.js";

const notes = {
    flash: "The first report of a major event. Lights up the screen.",
    alert: "Important news.",
    update: "More facts. Silently replaces the story’s notification.",
    correction: "Corrects what was sent. Replaces the story’s notification.",
    kill: "Withdraws the story: the retraction replaces its notification, for everyone who received it.",
};

function within(milliseconds) {
    return milliseconds < 1 ? "within a millisecond" : `in ${latency(milliseconds)}`;
}

export class SendForm {
    #newsroom;
    #sender;
    #phones;
    #wire;
    #faults;
    #stories = new Stories();
    #fields = new TextFields();
    #form = document.getElementById("send-form");
    #story = document.getElementById("story");
    #categories = document.getElementById("categories");
    #link = document.getElementById("link");
    #secure = document.getElementById("secure");
    #request = document.getElementById("request");
    #submission = new Submission(this.#form, () => this.#send());
    /** The name of the new, unpublished story. */
    #newName = "";
    /** The event whose progress is shown, and whether its outcome is already shown. */
    #awaited = null;
    #isTold = false;

    constructor({ newsroom, sender, phones, wire, faults }) {
        this.#newsroom = newsroom;
        this.#sender = sender;
        this.#phones = phones;
        this.#wire = wire;
        this.#faults = faults;
    }

    start() {
        this.#drawCategories();
        this.#listStories();
        this.#choose(`sample:${this.#stories.nextSample.name}`);
        this.refreshLanguages();
        this.#story.addEventListener("change", () => this.#choose(this.#story.value));
        document.getElementById("kinds").addEventListener("change", () => this.#kindChanged());
        this.#fields.addEventListener("input", () => this.#showRequest());
        for (const part of [this.#categories, this.#link, this.#secure]) {
            part.addEventListener("input", () => this.#showRequest());
        }
        this.#wire.addEventListener("send", ({ detail }) => this.#heardOfSend(detail));
        this.#wire.addEventListener("outcome", ({ detail }) => this.#heardOfOutcome(detail));
        this.refreshRoute();
    }

    /** Shows the current route of news. */
    refreshRoute() {
        document.getElementById("request-summary").textContent = this.#newsroom.worker
            ? "Event for the topic" : "Request to the hub";
        // Without a gateway, apps cannot fetch the text.
        document.getElementById("secure-field").hidden = !this.#newsroom.worker || this.#newsroom.gateway === null;
        this.#showRequest();
    }

    /** Offers the languages of the newsroom and of all phones. */
    refreshLanguages() {
        const languages = [...new Set([...this.#newsroom.languages, ...this.#languagesOfPhones])];
        this.#fields.setLanguages(languages);
        this.#showRequest();
    }

    get #languagesOfPhones() {
        return this.#newsroom.offered === null ? this.#phones.list.map(({ language }) => language) : [];
    }

    get #kind() {
        return this.#form.elements.kind.value;
    }

    #drawCategories() {
        const labels = this.#newsroom.categories.map(({ tag, name }) => element(
            "label", { className: "pill" }, element("input", { type: "checkbox", name: "category", value: tag }), name,
        ));
        this.#categories.replaceChildren(...labels);
    }

    #listStories() {
        const fresh = element("optgroup", { label: "New" });
        for (const { name, kind, ...sample } of samples) {
            fresh.append(new Option(sample[kind].en[0], `sample:${name}`));
        }
        fresh.append(new Option("Empty story", "blank"));
        const running = this.#stories.list.filter(({ isOver }) => !isOver);
        const followed = element("optgroup", { label: "Follow up" });
        for (const { story, headline, revision } of running) {
            followed.append(new Option(`${headline} (${revision})`, `story:${story}`));
        }
        this.#story.replaceChildren(fresh, ...(running.length > 0 ? [followed] : []));
    }

    /** Selects a story: a sample, an empty one, or a published one. */
    #choose(value) {
        this.#story.value = value;
        const known = this.#followed;
        const sample = this.#sample;
        this.#newName = this.#stories.newName(sample);
        const kind = known ? this.#stories.nextKind(known) : sample?.kind ?? "alert";
        this.#form.elements.kind.value = kind;
        const tags = known?.categories ?? (sample ? this.#newsroom.tags([sample.category]) : []);
        for (const box of this.#boxes) box.checked = tags.includes(box.value);
        this.#fields.setTexts(sampleTexts(sample, kind) ?? known?.texts ?? {});
        this.#kindChanged();
    }

    get #followed() {
        const value = this.#story.value;
        return value.startsWith("story:") ? this.#stories.find(value.slice("story:".length)) : undefined;
    }

    get #sample() {
        const chosen = this.#story.value;
        const name = this.#followed?.sample ?? (chosen.startsWith("sample:") ? chosen.slice("sample:".length) : null);
        return samples.find((sample) => sample.name === name);
    }

    get #boxes() {
        return this.#categories.querySelectorAll("input");
    }

    #kindChanged() {
        const kind = this.#kind;
        const texts = sampleTexts(this.#sample, kind);
        if (texts && !this.#fields.isTouched) this.#fields.setTexts(texts);
        this.#fields.setKind(kind);
        document.getElementById("kind-note").textContent = notes[kind];
        this.#submission.label = `Send the ${kind}`;
        for (const box of this.#boxes) box.disabled = kind === "kill" && this.#followed !== undefined;
        this.#showRequest();
    }

    /** The event described by the form. */
    get #act() {
        const known = this.#followed;
        const chosen = new Set(Array.from(this.#boxes).filter(({ checked }) => checked).map(({ value }) => value));
        return {
            story: known?.story ?? this.#newName,
            revision: (known?.revision ?? 0) + 1,
            kind: this.#kind,
            categories: this.#newsroom.categories.filter(({ tag }) => chosen.has(tag)),
            texts: this.#fields.texts,
            url: this.#link.value.trim(),
            isSecure: this.#secure.checked && this.#newsroom.gateway !== null,
            locales: [...new Set([...this.#newsroom.languages, ...this.#languagesOfPhones])],
            sample: this.#sample,
        };
    }

    #showRequest() {
        if (!this.#newName) return;
        const { path, headers, body } = this.#sender.request({ ...this.#act, id: "…" });
        this.#request.textContent = `POST /${path}\n${headerLines(headers)}\n\n${JSON.stringify(body, null, 2)}`;
    }

    #problem(act) {
        if (act.categories.length === 0) return ["Choose at least one category.", this.#boxes[0]];
        if (this.#fields.isEmpty) return ["Write a headline in at least one language.", this.#fields];
        if (act.url && !/^https:\/\/\S+$/.test(act.url)) return ["The link must begin with https://.", this.#link];
        return null;
    }

    async #send() {
        const act = { ...this.#act, id: `console-${randomName(12)}` };
        const problem = this.#problem(act);
        if (problem) {
            this.#submission.complain(...problem);
            return;
        }
        this.#submission.say("busy", "Sending…");
        this.#awaited = act.id;
        this.#isTold = false;
        try {
            const { milliseconds } = await this.#sender.send(act);
            // The event stream may have been faster than the response.
            if (!this.#isTold) {
                const { worker } = this.#newsroom;
                const place = worker ? "Published to the topic" : "Accepted by the hub";
                const status = worker && this.#faults.waitingStatus;
                const wait = status ? ` The worker waits, because the hub responds with ${status}.` : "";
                this.#submission.say(wait ? "busy" : "good", `${place} ${within(milliseconds)}.${wait}`);
            }
        } catch (error) {
            this.#awaited = null;
            throw error;
        }
        this.#goOn(act);
    }

    /** Selects the next event of the story, so that pressing Enter repeatedly sends the whole story. */
    #goOn(act) {
        const texts = Object.values(act.texts);
        const headline = act.texts.en?.headline ?? texts.find(({ headline }) => headline)?.headline ?? "";
        this.#stories.note({ ...act, categories: act.categories.map(({ tag }) => tag), headline });
        this.#link.value = "";
        this.#listStories();
        const isOver = act.kind === "kill";
        this.#choose(isOver ? `sample:${this.#stories.nextSample.name}` : `story:${act.story}`);
    }

    /** Shows the number of devices that the send reached. */
    #heardOfSend({ event, send }) {
        if (event !== this.#awaited || !["Completed", "NoTargetFound"].includes(send.state)) return;
        this.#isTold = true;
        this.#submission.say("good", `Accepted by the hub ${within(send.acceptedMs)}. ${reachText(send)}`);
    }

    /** Shows the outcome reported by the worker. */
    #heardOfOutcome({ event, outcome, reason }) {
        if (event !== this.#awaited || outcome === "sent") return;
        this.#isTold = true;
        const isOver = outcome !== "held" && outcome !== "deferred";
        this.#submission.say(isOver ? "bad" : "busy", reason ? `${outcome}: ${reason}` : outcome);
    }
}
