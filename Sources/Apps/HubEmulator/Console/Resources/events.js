// The live events of the hub: server-sent events, with a new connection after a lost one.

const kinds = ["send", "deliveries", "outcome", "faults", "refusals", "reset"];
const slowest = 10_000;

export class LiveEvents extends EventTarget {
    #url;
    #source = null;
    #wait = 500;
    #timer = 0;

    constructor(url) {
        super();
        this.#url = url;
    }

    /** Whether the stream is open now. */
    get isOpen() {
        return this.#source?.readyState === EventSource.OPEN;
    }

    start() {
        this.#open();
        // After a wake-up of the computer, do not wait for the timer.
        addEventListener("online", () => this.#reopen());
        document.addEventListener("visibilitychange", () => {
            if (!document.hidden && !this.isOpen) this.#reopen();
        });
    }

    #reopen() {
        clearTimeout(this.#timer);
        this.#wait = 500;
        this.#open();
    }

    #open() {
        this.#source?.close();
        const source = new EventSource(this.#url);
        this.#source = source;
        source.onopen = () => {
            this.#wait = 500;
            // Listeners request what they missed.
            this.dispatchEvent(new Event("open"));
        };
        source.onerror = () => {
            source.close();
            this.dispatchEvent(new Event("lost"));
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.#open(), this.#wait);
            this.#wait = Math.min(this.#wait * 2, slowest);
        };
        for (const kind of kinds) {
            source.addEventListener(kind, ({ data }) => {
                const detail = data ? JSON.parse(data) : null;
                this.dispatchEvent(new CustomEvent(kind, { detail }));
            });
        }
    }
}
