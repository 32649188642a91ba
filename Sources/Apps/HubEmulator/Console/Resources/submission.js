// A form that sends: one send at a time, with the result beside its button.

export class Submission {
    #button;
    #result;
    #isSending = false;

    /** `send` is called for each submission; if it throws, the error is the result. */
    constructor(form, send) {
        this.#button = form.querySelector("[type=submit]");
        this.#result = form.querySelector(".result");
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#run(send);
        });
    }

    async #run(send) {
        if (this.#isSending) return;
        this.#isSending = true;
        // Not disabled, because that would remove the keyboard focus.
        this.#button.setAttribute("aria-disabled", "true");
        try {
            await send();
        } catch ({ status, message, retryAfter }) {
            const answer = status > 0 ? `The hub responded with ${status}: ` : "";
            this.say("bad", `${answer}${message}${retryAfter ? ` Retry after ${retryAfter} s.` : ""}`);
        }
        this.#isSending = false;
        this.#button.removeAttribute("aria-disabled");
    }

    set label(text) {
        this.#button.textContent = text;
    }

    /** Shows a result; the mood is `good`, `bad` or `busy`. */
    say(mood, text) {
        this.#result.dataset.mood = mood;
        this.#result.textContent = text;
    }

    /** Shows what is missing, and moves the focus to its field. */
    complain(text, field) {
        this.say("bad", text);
        field.focus();
    }
}
