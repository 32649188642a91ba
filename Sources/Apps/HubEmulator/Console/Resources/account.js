// The account signed in on a phone. It is registered through the gateway in the two steps of the notify-users tutorial, in
// addition to the phone's own registration for breaking news.

import { Gateway } from "./gateway.js";
import { newHandle } from "./handles.js";

/** The names of platforms in requests to the gateway. */
const allPlatforms = ["apns", "fcmv1", "wns"];
/** The number of attempts to fetch a text that the gateway does not have yet. */
const patience = 8;

export class Account extends EventTarget {
    #phone;
    #gateway = null;
    /** `out`, `asking`, `in`, `failed`; `locked` after a reload, which discards the password. */
    phase = "out";
    error = null;
    url = "";
    user = "";
    registrationID = null;
    handle = null;
    /** The last request of each step, for the inspector. */
    steps = [];

    constructor(phone, saved) {
        super();
        this.#phone = phone;
        if (!saved) return;
        Object.assign(this, { phase: "locked", ...saved });
    }

    /** The state that is stored across reloads, without the password. */
    get saved() {
        const { url, user, registrationID, handle } = this;
        return user ? { url, user, registrationID, handle } : null;
    }

    get isIn() {
        return this.phase === "in";
    }

    /** Signs in and registers for personal notifications. */
    async signIn(url, user, password) {
        if (user !== this.user || url !== this.url) this.registrationID = null;
        Object.assign(this, { url, user });
        this.#say("asking");
        try {
            this.#gateway = new Gateway(url, user, password);
            await this.#register();
        } catch (error) {
            this.#gateway = null;
            this.#fail(error);
        }
    }

    /** Registers again if signed in, as an app does at each start. */
    async renew() {
        if (!this.#gateway) return;
        try {
            await this.#register();
        } catch (error) {
            this.#fail(error);
        }
    }

    #fail({ status, message }) {
        this.#say("failed", status > 0 ? `The gateway responded with ${status}: ${message}` : message);
    }

    /** Performs the two steps; repeats them once if the id is no longer valid. */
    async #register() {
        this.handle ??= newHandle(this.#phone.platform, `${this.#phone.id}-personal`);
        try {
            await this.#registerOnce();
        } catch (error) {
            if (error.status !== 410) throw error;
            this.registrationID = null;
            await this.#registerOnce();
        }
        this.#say("in");
    }

    async #registerOnce() {
        this.steps = [];
        if (!this.registrationID) {
            const response = await this.#ask("POST", `api/register?handle=${encodeURIComponent(this.handle)}`);
            this.registrationID = await response.json();
        }
        const { platform, tags } = this.#phone;
        const body = { Platform: platform, Handle: this.handle, Tags: tags };
        await this.#ask("PUT", `api/register/${encodeURIComponent(this.registrationID)}`, { body });
    }

    async #ask(method, path, options) {
        const step = { method, path, body: options?.body, status: 0 };
        this.steps.push(step);
        try {
            const response = await this.#gateway.call(method, path, options);
            step.status = response.status;
            return response;
        } catch (error) {
            step.status = error.status ?? 0;
            throw error;
        }
    }

    /** Discards the registration after a change of the platform, which changes the handle. */
    changedPlatform() {
        this.handle = null;
        this.registrationID = null;
    }

    /** Signs out and stops personal notifications on this phone. */
    async signOut() {
        const [gateway, id] = [this.#gateway, this.registrationID];
        this.#gateway = null;
        Object.assign(this, { user: "", registrationID: null, handle: null, steps: [] });
        this.#say("out");
        // Errors are ignored: the registration may already be deleted.
        if (gateway && id) await gateway.call("DELETE", `api/register/${encodeURIComponent(id)}`).catch(() => {});
    }

    /** Sends a message to all phones of a user. */
    async notify(user, text) {
        for (const pns of allPlatforms) {
            const query = new URLSearchParams({ pns, to_tag: user });
            await this.#gateway.call("POST", `api/notifications?${query}`, { body: text });
        }
    }

    /**
     * Fetches the text of a secure push with the user's credentials: `{ state: "found", text }`, or another state:
     * `signedOut`, `notFound`, `withdrawn`, `unavailable`.
     */
    async secureText(id, language) {
        if (!this.#gateway) return { state: "signedOut" };
        for (let attempt = 0; attempt < patience; attempt += 1) {
            try {
                const headers = { "Accept-Language": language };
                const response = await this.#gateway.call("GET", `api/notifications/${encodeURIComponent(id)}`, { headers });
                return { state: "found", text: await response.json() };
            } catch ({ status }) {
                if (status === 404) return { state: "notFound" };
                if (status === 410) return { state: "withdrawn" };
                if (status !== 503) break;
            }
            await new Promise((resolve) => setTimeout(resolve, 500 * (attempt + 1)));
        }
        return { state: "unavailable" };
    }

    #say(phase, error = null) {
        Object.assign(this, { phase, error });
        this.dispatchEvent(new Event("changed"));
    }
}
