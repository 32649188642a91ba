// A simulated phone: an app with the subscriber's choices, its registration at the hub, and its notifications.

import { Account } from "./account.js";
import { notification } from "./delivery.js";
import { randomName } from "./dom.js";
import { newHandle } from "./handles.js";
import { direction, words } from "./languages.js";
import { leavingRequest, registeringRequest } from "./registering.js";

/** The most notifications on a lock screen, and the most deliveries in the details. */
const mostNotifications = 50;
const mostDeliveries = 200;

export class Phone extends EventTarget {
    #hub;
    #newsroom;
    /** Whether the choices have changed since the last registration. */
    #isStale = false;
    #running = null;
    #isRemoved = false;
    /** The current registration at the hub, needed to delete it. */
    #known = null;

    /** Restores a phone (`saved`), or creates a new one with the given parts of `saved`. */
    constructor(saved, { hub, newsroom }) {
        super();
        this.#hub = hub;
        this.#newsroom = newsroom;
        const random = randomName(10);
        this.id = saved.id ?? `console-${random}`;
        this.name = saved.name ?? `Device ${random.slice(0, 3)}`;
        this.language = saved.language ?? "en";
        this.platform = saved.platform ?? "apns";
        this.registersBy = saved.registersBy ?? "installation";
        this.registrationID = saved.registrationID ?? null;
        this.tags = saved.tags ?? newsroom.categories.map(({ tag }) => tag);
        this.handle = saved.handle ?? newHandle(this.platform, this.id);
        /** The body of a template of the user's own; `null` for the one that shows news. */
        this.body = saved.body ?? null;
        this.clearedUpTo = saved.clearedUpTo ?? 0;
        this.account = new Account(this, saved.account);
        this.account.addEventListener("changed", () => this.#accountChanged());
        this.notifications = [];
        this.deliveries = [];
        this.registering = { phase: "new", request: null, status: 0, error: null, at: null };
        if (saved.id && (this.registersBy === "installation" || this.registrationID)) this.#known = this.#identity;
    }

    /** The state that is stored across reloads. */
    get saved() {
        const { id, name, language, platform, registersBy, registrationID, tags, handle, body, clearedUpTo } = this;
        const account = this.account.saved;
        return { id, name, language, platform, registersBy, registrationID, tags, handle, body, clearedUpTo, account };
    }

    get direction() {
        return direction(this.language);
    }

    get words() {
        return words(this.language);
    }

    /** The language of the texts that the template uses; `null` if the sender does not offer the phone's language. */
    get textLanguage() {
        const { offered } = this.#newsroom;
        return offered === null || offered.includes(this.language) ? this.language : null;
    }

    /** Applies choices of the user and registers again. */
    change(choices) {
        if (choices.platform && choices.platform !== this.platform) {
            this.handle = newHandle(choices.platform, this.id);
            this.body = null;
            this.account.changedPlatform();
        }
        const isOnlyName = Object.keys(choices).every((key) => key === "name");
        Object.assign(this, choices);
        this.#tell("changed");
        if (!isOnlyName) this.register();
    }

    /** Registers at the hub, as an app does at each start. One request at a time; the latest choices win. */
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

    /** Removes the phone from the hub. */
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
            // Already deleted.
            if (error.status !== 404) throw error;
        }
        if (this.#known.registersBy === "registration") this.registrationID = null;
        this.#known = null;
    }

    get #identity() {
        const { registersBy, id, registrationID } = this;
        return { registersBy, id, registrationID };
    }

    /** The ids of its registrations outside of the installation. */
    get registrations() {
        return [this.registrationID, this.account.registrationID].filter((id) => id !== null);
    }

    /** The handle as the hub writes it: the device tokens of APNs are upper-case there. */
    get handleAtHub() {
        return this.platform === "apns" ? this.handle.toUpperCase() : this.handle;
    }

    /** Whether a delivery was for this phone. A direct send to the handle of a registration has neither id. */
    owns({ installationId, registrationId, handle }) {
        if (installationId) return installationId === this.id;
        if (registrationId) return this.registrations.includes(registrationId);
        return handle === this.handleAtHub;
    }

    /** Processes a delivery; `isLive` if it has just arrived, not during catching up. */
    receive(delivery, isLive) {
        this.deliveries.push(delivery);
        if (this.deliveries.length > mostDeliveries) this.deliveries.shift();
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
        const [dropped] = this.notifications.splice(mostNotifications);
        this.dispatchEvent(new CustomEvent("notification", { detail: { arrived, dropped, isLive } }));
        if (arrived.secureID) this.#fetch(arrived);
    }

    /** Fetches the text of a secure push, which contains only the id. */
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

    /** Fetches earlier secure texts after signing in. */
    #accountChanged() {
        this.#tell("changed");
        if (!this.account.isIn) return;
        for (const shown of this.notifications) {
            if (shown.secureID && shown.secrecy === "signedOut") this.#fetch(shown);
        }
        this.#tell("account");
    }

    /** Clears the lock screen. */
    clear() {
        this.clearedUpTo = this.deliveries.at(-1)?.sequence ?? this.clearedUpTo;
        this.notifications = [];
        this.#tell("changed");
    }

    /** Removes all deliveries, as the hub did. */
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
