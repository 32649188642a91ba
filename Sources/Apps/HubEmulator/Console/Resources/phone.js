// One simulated phone: an app with a reader's choices, registered at the hub, and what has arrived on it.

import { Account } from "./account.js";
import { notification } from "./delivery.js";
import { randomName } from "./dom.js";
import { newHandle } from "./handles.js";
import { direction, words } from "./languages.js";
import { leavingRequest, registeringRequest } from "./registering.js";

export class Phone extends EventTarget {
    #hub;
    #newsroom;
    /** Whether the reader's choices are newer than what the hub was told. */
    #isStale = false;
    #running = null;
    #isRemoved = false;
    /** Under what the hub knows the phone now, so that it can be told to forget it. */
    #known = null;

    /** Remembers a phone (`saved`), or makes a new one with what `saved` has of it. */
    constructor(saved, { hub, newsroom }) {
        super();
        this.#hub = hub;
        this.#newsroom = newsroom;
        const random = randomName(10);
        this.id = saved.id ?? `console-${random}`;
        this.name = saved.name ?? `Phone ${random.slice(0, 3)}`;
        this.language = saved.language ?? "en";
        this.platform = saved.platform ?? "apns";
        this.registersBy = saved.registersBy ?? "installation";
        this.registrationID = saved.registrationID ?? null;
        this.tags = saved.tags ?? newsroom.categories.map(({ tag }) => tag);
        this.handle = saved.handle ?? newHandle(this.platform, this.id);
        this.clearedUpTo = saved.clearedUpTo ?? 0;
        this.account = new Account(this, saved.account);
        this.account.addEventListener("changed", () => this.#accountChanged());
        this.notifications = [];
        this.deliveries = [];
        this.registering = { phase: "new", request: null, status: 0, error: null, at: null };
        if (saved.id && (this.registersBy === "installation" || this.registrationID)) this.#known = this.#identity;
    }

    /** What is kept over a reload. */
    get saved() {
        const { id, name, language, platform, registersBy, registrationID, tags, handle, clearedUpTo } = this;
        const account = this.account.saved;
        return { id, name, language, platform, registersBy, registrationID, tags, handle, clearedUpTo, account };
    }

    get direction() {
        return direction(this.language);
    }

    get words() {
        return words(this.language);
    }

    /** The language whose texts the template reads; `null` where the hub's sender does not offer the reader's. */
    get textLanguage() {
        const { offered } = this.#newsroom;
        return offered === null || offered.includes(this.language) ? this.language : null;
    }

    /** Takes a choice of the reader over, and tells the hub of it. */
    change(choices) {
        if (choices.platform && choices.platform !== this.platform) {
            this.handle = newHandle(choices.platform, this.id);
            this.account.changedPlatform();
        }
        const isOnlyName = Object.keys(choices).every((key) => key === "name");
        Object.assign(this, choices);
        this.#tell("changed");
        if (!isOnlyName) this.register();
    }

    /** Says hello to the hub, as an app does when it starts; one request at a time, and the last choices win. */
    register() {
        this.#isStale = true;
        this.#running ??= this.#registerUntilCurrent().finally(() => {
            this.#running = null;
        });
    }

    async #registerUntilCurrent() {
        while (this.#isStale && !this.#isRemoved) {
            this.#isStale = false;
            await this.#registerOnce();
        }
    }

    async #registerOnce() {
        this.registering = { ...this.registering, phase: "registering", error: null };
        this.#tell("registering");
        try {
            if (this.#known && this.#known.registersBy !== this.registersBy) await this.#leave();
            if (this.registersBy === "registration" && !this.registrationID) {
                const response = await this.#hub.call("POST", "registrationids");
                this.registrationID = new URL(response.headers.get("Location")).pathname.split("/").pop();
                this.#tell("changed");
            }
            const request = registeringRequest(this, this.textLanguage);
            this.registering.request = request;
            const { status } = await this.#hub.call(request.method, request.path, request);
            this.#known = this.#identity;
            this.registering = { phase: "registered", request, status, error: null, at: new Date() };
        } catch (error) {
            const { status = 0, message } = error;
            this.registering = { ...this.registering, phase: "failed", status, error: message };
        }
        this.#tell("registering");
        await this.account.renew();
    }

    /** Makes the hub forget the phone. */
    async remove() {
        this.#isRemoved = true;
        try {
            await this.#running;
            if (this.#known) await this.#leave();
            await this.account.signOut();
        } catch (error) {
            this.#isRemoved = false;
            throw error;
        }
    }

    async #leave() {
        const { method, path, headers } = leavingRequest(this.#known);
        try {
            await this.#hub.call(method, path, { headers });
        } catch (error) {
            // Gone already is as good.
            if (error.status !== 404) throw error;
        }
        if (this.#known.registersBy === "registration") this.registrationID = null;
        this.#known = null;
    }

    get #identity() {
        const { registersBy, id, registrationID } = this;
        return { registersBy, id, registrationID };
    }

    /** Under what the hub knows the phone beside its installation. */
    get registrations() {
        return [this.registrationID, this.account.registrationID].filter((id) => id !== null);
    }

    /** Whether a delivery was for this phone. */
    owns({ installationId, registrationId }) {
        if (installationId) return installationId === this.id;
        return registrationId !== null && this.registrations.includes(registrationId);
    }

    /** Takes a delivery in; `isLive` when it has just come, rather than being told again. */
    receive(delivery, isLive) {
        this.deliveries.push(delivery);
        const arrived = notification(delivery, this.language);
        if (!arrived || delivery.sequence <= this.clearedUpTo) {
            this.#tell("delivery");
            return;
        }
        const place = arrived.replaces === null
            ? -1
            : this.notifications.findIndex(({ replaces }) => replaces === arrived.replaces);
        arrived.isPersonal = delivery.registrationId === this.account.registrationID && !delivery.installationId;
        arrived.isUpdate = place >= 0;
        arrived.key = place >= 0 ? this.notifications[place].key : arrived.sequence;
        if (place >= 0) this.notifications[place] = arrived;
        else this.notifications.unshift(arrived);
        this.dispatchEvent(new CustomEvent("notification", { detail: { arrived, isLive } }));
        if (arrived.secureID) this.#fetch(arrived);
    }

    /** Fetches the text of a secure push, of which only the id came. */
    async #fetch(arrived) {
        const { state, text } = await this.account.secureText(arrived.secureID, this.language);
        if (!this.notifications.includes(arrived)) return;
        arrived.secrecy = state;
        if (state === "found") {
            const { headline, summary, kind, url } = text;
            Object.assign(arrived, { body: headline, summary, kind, url });
        }
        this.dispatchEvent(new CustomEvent("fetched", { detail: arrived }));
    }

    /** A reader who has just signed in can read what came before. */
    #accountChanged() {
        this.#tell("changed");
        if (!this.account.isIn) return;
        for (const shown of this.notifications) {
            if (shown.secureID && shown.secrecy === "signedOut") this.#fetch(shown);
        }
        this.#tell("account");
    }

    /** Wipes the lock screen. */
    clear() {
        this.clearedUpTo = this.deliveries.at(-1)?.sequence ?? this.clearedUpTo;
        this.notifications = [];
        this.#tell("changed");
    }

    /** Forgets all deliveries, since the hub has. */
    reset() {
        this.deliveries = [];
        this.notifications = [];
        this.clearedUpTo = 0;
        this.#tell("changed");
    }

    #tell(what) {
        this.dispatchEvent(new Event(what));
    }
}
