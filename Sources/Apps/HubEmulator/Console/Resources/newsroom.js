// The newsroom connected to the hub: categories, languages, and whether a worker is connected.

import { categories, known } from "./languages.js";

const tutorials = categories.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).map((name) => ({ tag: name, name }));

export class Newsroom {
    hub = { name: "", tier: "", registrations: 0, installations: 0 };
    worker = false;
    /** Tags and names; the six categories of the tutorials' app if the hub has none. */
    categories = tutorials;
    /** The languages in which the sender has texts; `null` for any, if the page itself is the sender. */
    offered = null;

    /** Phones registered by another program, such as the demo, for this page to show. */
    phones = [];

    /** The application back end and its users, if connected: `{ url, users: [{ name, password }] }`. */
    gateway = null;

    /** Stores the facts about the emulator. */
    learn(description) {
        this.hub = description;
        this.worker = description.worker === true;
        if (description.categories?.length > 0) this.categories = description.categories;
        this.phones = description.phones ?? [];
        this.gateway = description.gateway ?? null;
        if (description.locales?.length > 0) this.offered = description.locales;
    }

    /** Signs a user in again with the password from the newsroom, because the page itself stores no passwords. */
    signIn({ account }) {
        if (account.phase !== "locked" || account.url !== this.gateway?.url) return;
        const known = this.gateway.users.find(({ name }) => name === account.user);
        if (known) account.signIn(account.url, known.name, known.password);
    }

    /** The possible languages of a phone or a story. */
    get languages() {
        return this.offered ?? known;
    }

    /** The tags of categories with the tutorials' names, in the hub's spelling. */
    tags(names) {
        return this.categories.map(({ tag }) => tag).filter((tag) => names.includes(tag.toLowerCase()));
    }
}
