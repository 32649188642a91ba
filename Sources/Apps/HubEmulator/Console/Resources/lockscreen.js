// The lock screen of a phone: its notifications, the newest first. One with the same collapse id replaces the earlier one.

import { announce, copyOf } from "./dom.js";
import { absolute, lockScreenClock, relative } from "./times.js";

export class LockScreen {
    #phone;
    #screen;
    #list;
    #items = new Map();
    #showDelivery;
    #isWaking = false;

    /** `showDelivery` is called with the notification whose payload the user opens. */
    constructor(phone, screen, showDelivery) {
        this.#phone = phone;
        this.#screen = screen;
        this.#list = screen.querySelector(".notifications");
        this.#showDelivery = showDelivery;
        phone.addEventListener("notification", ({ detail }) => this.#arrive(detail));
        phone.addEventListener("fetched", ({ detail }) => this.#fetched(detail));
        this.refresh();
    }

    /** Redraws everything, after a change of the language or after clearing. */
    refresh() {
        const { language, direction, name, platform } = this.#phone;
        this.#screen.lang = language;
        this.#screen.dir = direction;
        this.#screen.querySelector(".carrier").textContent = { apns: "newsflash", fcmv1: "", wns: "" }[platform];
        this.#list.setAttribute("aria-label", `Notifications of ${name}`);
        this.#list.replaceChildren();
        this.#items.clear();
        for (const shown of [...this.#phone.notifications].reverse()) this.#draw(shown);
        this.tick();
        this.#showEmpty();
    }

    /** Updates the clock and all relative times. */
    tick() {
        const { language, notifications } = this.#phone;
        const { date, time } = lockScreenClock(language);
        write(this.#screen.querySelector(".date"), date);
        write(this.#screen.querySelector(".clock .time"), time);
        for (const shown of notifications) {
            const item = this.#items.get(shown.key);
            if (item) write(item.querySelector("time"), relative(shown.time, language));
        }
    }

    /** Shows an arrived notification. */
    #arrive({ arrived, dropped, isLive }) {
        const item = this.#draw(arrived);
        if (dropped) {
            this.#items.get(dropped.key).remove();
            this.#items.delete(dropped.key);
        }
        this.#showEmpty();
        if (!isLive) return;
        item.classList.add(arrived.isUpdate ? "updated" : "arrived");
        item.addEventListener("animationend", () => item.classList.remove("updated", "arrived"), { once: true });
        // A passive notification does not light up the screen, as on a real phone.
        if (arrived.level !== "passive") this.#wake();
        const change = arrived.isUpdate ? "replaced: " : "";
        announce(`${this.#phone.name}: ${change}${arrived.title ?? ""}. ${arrived.body ?? ""}`, this.#phone.language);
    }

    /** Shows the text of a secure push, or the reason why it is missing. */
    #fetched(shown) {
        this.#draw(shown);
        if (shown.secrecy === "found") announce(`${this.#phone.name}: ${shown.body}`, this.#phone.language);
    }

    /** Lights up the screen; once for all notifications that arrive before the next frame. */
    #wake() {
        if (this.#isWaking) return;
        this.#isWaking = true;
        requestAnimationFrame(() => {
            this.#isWaking = false;
        });
        this.#screen.classList.remove("waking");
        // Reading the layout restarts the animation.
        void this.#screen.offsetWidth;
        this.#screen.classList.add("waking");
    }

    #draw(shown) {
        const { language, words } = this.#phone;
        let item = this.#items.get(shown.key);
        if (!item) {
            item = this.#newItem(shown.key);
            this.#list.prepend(item);
        }
        item.dataset.level = shown.level;
        item.dataset.kind = shown.kind ?? "";
        const isWithdrawn = shown.kind === "kill";
        const isUrgent = shown.level === "time-sensitive" || shown.level === "critical";
        item.dataset.secrecy = shown.secureID ? shown.secrecy ?? "asking" : "";
        write(item.querySelector(".level"), isUrgent ? words.timeSensitive : "");
        write(item.querySelector(".personal"), shown.isPersonal ? words.personal : shown.secureID ? words.secure : "");
        write(item.querySelector(".secrecy"), shown.secureID ? words.secrecy[shown.secrecy] ?? "" : "");
        write(item.querySelector(".change"), isWithdrawn ? words.withdrawn : shown.isUpdate ? words.updated : "");
        write(item.querySelector(".title"), shown.title || "Newsflash");
        write(item.querySelector(".body"), shown.body ?? "");
        write(item.querySelector(".summary"), shown.summary && shown.summary !== shown.body ? shown.summary : "");
        write(item.querySelector(".absolute"), absolute(shown.time, language));
        const time = item.querySelector("time");
        time.dateTime = shown.time;
        time.title = absolute(shown.time, language);
        write(time, relative(shown.time, language));
        return item;
    }

    #newItem(key) {
        const item = copyOf("notification-template");
        const card = item.querySelector(".card");
        card.addEventListener("click", () => {
            card.setAttribute("aria-expanded", String(card.getAttribute("aria-expanded") !== "true"));
        });
        item.querySelector(".raw").addEventListener("click", () => {
            this.#showDelivery(this.#phone.notifications.find((shown) => shown.key === key));
        });
        this.#items.set(key, item);
        return item;
    }

    #showEmpty() {
        const empty = this.#screen.querySelector(".empty");
        empty.hidden = this.#phone.notifications.length > 0;
        empty.textContent = this.#phone.tags.length > 0
            ? "No notifications. Send one to everyone, or to a tag that is switched on below."
            : "No notifications. No tag is switched on below.";
    }
}

function write(node, text) {
    if (node.textContent !== text) node.textContent = text;
}
