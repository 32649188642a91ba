// The account part of a phone: signing in, and messages to other users.

import { element } from "./dom.js";

export class AccountView {
    #phone;
    #newsroom;
    #node;

    /** `node` is the element for the account below the phone. */
    constructor(phone, newsroom, node) {
        this.#phone = phone;
        this.#newsroom = newsroom;
        this.#node = node;
        this.#find(".sign-in").addEventListener("submit", (event) => {
            event.preventDefault();
            this.#signIn();
        });
        this.#find(".message").addEventListener("submit", (event) => {
            event.preventDefault();
            this.#send();
        });
        this.#find(".sign-out").addEventListener("click", () => {
            phone.account.signOut();
            this.#find(".account-user").focus();
        });
        const { gateway } = newsroom;
        this.#find(".account-url").value = phone.account.url || (gateway?.url ?? "");
        this.#find(".account-user").value = phone.account.user;
        this.#offerUsers();
        phone.account.addEventListener("changed", () => this.refresh());
        phone.addEventListener("changed", () => this.refresh());
        this.refresh();
    }

    /** Updates the possible actions. */
    refresh() {
        const { account, name } = this.#phone;
        const { phase, user, error } = account;
        const state = {
            out: "Sign in", locked: `Sign in again as ${user}`, asking: "Signing in…", in: `Signed in as ${user}`,
            failed: "Not signed in",
        }[phase];
        // Without a gateway, there is nowhere to sign in.
        this.#node.hidden = this.#newsroom.gateway === null && phase === "out";
        this.#node.dataset.phase = phase;
        this.#find(".account-state").textContent = state;
        this.#find("summary").setAttribute("aria-label", `${state}: the device of ${name}`);
        this.#find(".sign-in").hidden = account.isIn;
        this.#find(".message").hidden = !account.isIn;
        if (phase === "failed") this.#say("bad", error);
        else if (phase === "out" || phase === "locked") this.#say("", "");
        if (!account.isIn) return;
        this.#find(".account-password").value = "";
        const to = this.#find(".message-to");
        const others = this.#newsroom.gateway?.users.filter((other) => other.name !== user) ?? [];
        if (!to.value) to.value = others[0]?.name ?? user;
    }

    /** Offers the demo's users as buttons that fill the form. */
    #offerUsers() {
        const { gateway } = this.#newsroom;
        if (!gateway || gateway.users.length === 0) return;
        const line = this.#find(".demo-users");
        line.hidden = false;
        line.append("Demo users: ");
        for (const [index, { name, password }] of gateway.users.entries()) {
            const button = element("button", { type: "button", className: "link" }, `${name}, ${password}`);
            button.setAttribute("aria-label", `Use the name ${name} and the password ${password}`);
            button.addEventListener("click", () => {
                this.#find(".account-url").value = gateway.url;
                this.#find(".account-user").value = name;
                this.#find(".account-password").value = password;
                this.#find(".sign-in [type=submit]").focus();
            });
            if (index > 0) line.append(" · ");
            line.append(button);
        }
    }

    #signIn() {
        const [url, user, password] = ["url", "user", "password"].map((part) => this.#find(`.account-${part}`));
        const missing = [url, user, password].find(({ value }) => !value.trim());
        if (missing) {
            this.#say("bad", "Enter gateway, name and password.");
            missing.focus();
            return;
        }
        if (!URL.canParse(url.value.trim())) {
            this.#say("bad", "The gateway’s address must begin with https://, or http:// on this machine.");
            url.focus();
            return;
        }
        this.#say("", "");
        this.#phone.account.signIn(url.value.trim(), user.value.trim(), password.value);
    }

    async #send() {
        const [to, text] = [this.#find(".message-to"), this.#find(".message-text")];
        const missing = [to, text].find(({ value }) => !value.trim());
        if (missing) {
            this.#say("bad", "Enter a recipient and a message.");
            missing.focus();
            return;
        }
        this.#say("busy", "Sending…");
        try {
            await this.#phone.account.notify(to.value.trim(), text.value.trim());
            text.value = "";
            this.#say("good", `Sent to ${to.value.trim()}.`);
        } catch ({ status, message }) {
            this.#say("bad", status > 0 ? `The gateway responded with ${status}: ${message}` : message);
        }
    }

    #say(mood, text) {
        const result = this.#find(".account-result");
        result.dataset.mood = mood;
        result.textContent = text;
    }

    #find(selector) {
        return this.#node.querySelector(selector);
    }
}
