// The newsroom behind the hub, as far as the hub knows it: categories, languages, whether a worker sends for it.

import { categories, known } from "./languages.js";

const tutorials = categories.map((tag) => ({ tag, name: tag.charAt(0).toUpperCase() + tag.slice(1) }));

export class Newsroom {
    hub = { name: "", tier: "", registrations: 0, installations: 0 };
    worker = false;
    /** Tags and names; the six of the tutorials' app where the hub names none. */
    categories = tutorials;
    /** The languages that the sender has texts in; `null` where any will do, since the page is the sender. */
    offered = null;

    /** Phones that somebody else has registered for this page to show, as the demo does. */
    phones = [];

    /** The application back end and its users, where somebody tells the page of one: `{ url, users: [{ name, password }] }`. */
    gateway = null;

    /** Takes over what the emulator says of itself. */
    learn(description) {
        this.hub = description;
        this.worker = description.worker === true;
        if (description.categories?.length > 0) this.categories = description.categories;
        this.phones = description.phones ?? [];
        this.gateway = description.gateway ?? null;
        if (description.locales?.length > 0) this.offered = description.locales;
    }

    /** Signs a reader in again whose password the newsroom has told, since the page itself keeps none. */
    signIn({ account }) {
        if (account.phase !== "locked" || account.url !== this.gateway?.url) return;
        const known = this.gateway.users.find(({ name }) => name === account.user);
        if (known) account.signIn(account.url, known.name, known.password);
    }

    /** The languages that a phone or a story may have. */
    get languages() {
        return this.offered ?? known;
    }

    /** The tags of categories by the names of the tutorials, in whatever case the hub has them. */
    tags(names) {
        return this.categories.map(({ tag }) => tag).filter((tag) => names.includes(tag.toLowerCase()));
    }
}
