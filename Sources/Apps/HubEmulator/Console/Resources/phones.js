// All phones of the page: stores them across reloads and passes deliveries to them.

import { categories, words } from "./languages.js";
import { store, stored } from "./memory.js";
import { Phone } from "./phone.js";
import { platforms } from "./platforms.js";

const storageKey = "newsflash.phones";
/** The ids of removed phones that other programs registered. */
const removedKey = "newsflash.removed";
const page = 500;

export class Phones extends EventTarget {
    #hub;
    #newsroom;
    #last = 0;
    /** Whether earlier deliveries have been processed; later ones are live. */
    #hasCaughtUp = false;
    #catchingUp = null;
    #isStale = false;
    list = [];

    constructor(hub, newsroom) {
        super();
        this.#hub = hub;
        this.#newsroom = newsroom;
    }

    /** Restores stored and already registered phones; if there are none, creates the wanted ones. */
    start(wanted) {
        const isPhone = ({ id, tags }) => typeof id === "string" && Array.isArray(tags);
        const known = stored("localStorage", storageKey).filter(isPhone);
        const removed = stored("sessionStorage", removedKey);
        const others = this.#newsroom.phones.filter(({ id }) => {
            return !removed.includes(id) && known.every((phone) => phone.id !== id);
        });
        for (const saved of [...others, ...known]) this.#append(new Phone(saved, this.#surroundings));
        if (others.length > 0) this.#save();
        if (this.list.length > 0) return;
        for (const language of wanted) this.add({ language });
    }

    /** Adds a phone that differs from the existing ones. */
    add(choices = {}) {
        const count = this.list.length;
        const language = choices.language ?? this.#newLanguage();
        const names = words(language).reader;
        const isFree = (name) => this.list.every((phone) => phone.name !== name);
        const name = names.find(isFree) ?? `${names[0]} ${count + 1}`;
        const platform = Object.keys(platforms)[count % 3];
        const phone = new Phone(
            { name, platform, tags: this.#newsroom.tags(sensible(count)), ...choices, language }, this.#surroundings,
        );
        this.#append(phone);
        phone.register();
        this.#save();
        return phone;
    }

    async remove(phone) {
        await phone.remove();
        this.list = this.list.filter((other) => other !== phone);
        store("sessionStorage", removedKey, [...stored("sessionStorage", removedKey), phone.id]);
        this.#save();
        this.dispatchEvent(new CustomEvent("removed", { detail: phone }));
    }

    /** Registers all phones again, because the hub may have restarted. */
    registerAll() {
        for (const phone of this.list) if (phone.registering.phase !== "registering") phone.register();
    }

    /** Requests all deliveries since the last known one; one request at a time. */
    catchUp() {
        this.#isStale = true;
        this.#catchingUp ??= this.#ask().finally(() => {
            this.#catchingUp = null;
        });
        return this.#catchingUp;
    }

    /** Removes all deliveries, as the hub did. */
    reset() {
        this.#last = 0;
        for (const phone of this.list) phone.reset();
    }

    async #ask() {
        const isLive = this.#hasCaughtUp;
        while (this.#isStale && this.list.length > 0) {
            this.#isStale = false;
            const query = new URLSearchParams({ after: this.#last, limit: page });
            for (const phone of this.list) {
                query.append("installation", phone.id);
                query.append("handle", phone.handleAtHub);
                for (const id of phone.registrations) query.append("registration", id);
            }
            const { last, deliveries } = await this.#hub.inspect("GET", `deliveries?${query}`);
            if (last < this.#last) {
                // The hub was restarted.
                this.reset();
                this.#isStale = true;
                continue;
            }
            for (const delivery of deliveries) {
                for (const phone of this.list) if (phone.owns(delivery)) phone.receive(delivery, isLive);
            }
            this.#last = last;
            // A page that ends with its last entry may be full, even if it has fewer entries than requested.
            this.#isStale ||= deliveries.at(-1)?.sequence === last;
        }
        this.#hasCaughtUp = true;
    }

    get #surroundings() {
        return { hub: this.#hub, newsroom: this.#newsroom };
    }

    #append(phone) {
        this.list.push(phone);
        phone.addEventListener("changed", () => this.#save());
        // Requests deliveries to the account from before the page had its registration id.
        phone.addEventListener("account", () => this.catchUp().catch(() => {}));
        this.#newsroom.signIn(phone);
        this.dispatchEvent(new CustomEvent("added", { detail: phone }));
    }

    #newLanguage() {
        const { languages } = this.#newsroom;
        return languages.find((tag) => this.list.every((phone) => phone.language !== tag)) ?? languages[0];
    }

    #save() {
        store("localStorage", storageKey, this.list.map((phone) => phone.saved));
    }
}

/** Different categories for each phone; world news reaches the first three. */
function sensible(index) {
    const choices = [
        categories,
        ["world", "business", "science"],
        ["world", "politics", "sports"],
        ["technology", "science"],
        ["world", "sports"],
    ];
    return choices[index % choices.length];
}
