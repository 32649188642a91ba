// A client of the hub's REST API and of the emulator's inspection, both at the origin of this page.

/** A refusal or a lost connection; the message is for people. */
export class HubError extends Error {
    constructor(message, { status = 0, retryAfter = null } = {}) {
        super(message);
        this.status = status;
        this.retryAfter = retryAfter;
    }
}

export class Hub {
    #base = new URL(".", document.baseURI);
    #token = null;
    #described = null;

    /** The facts about the emulator; cached until `fresh` is set. A failure is not cached: the next call asks again. */
    async describe({ fresh = false } = {}) {
        if (fresh || !this.#described) {
            const described = this.inspect("GET", "hub");
            this.#described = described;
            described.catch(() => {
                if (this.#described === described) this.#described = null;
            });
        }
        return this.#described;
    }

    /** Sends a request to the inspection below /_emulator and parses the JSON of the response. */
    async inspect(method, path, body) {
        const request = { method, headers: { Accept: "application/json" }, cache: "no-store" };
        if (body !== undefined) {
            request.body = JSON.stringify(body);
            request.headers["Content-Type"] = "application/json";
        }
        const response = await this.#fetch(new URL(`_emulator/${path}`, this.#base), request);
        const text = await response.text();
        if (!response.ok) throw new HubError(messageOf(text) ?? `HTTP ${response.status}`, { status: response.status });
        return text ? JSON.parse(text) : null;
    }

    /** The URL of the event stream. */
    get eventsURL() {
        return new URL("_emulator/events", this.#base);
    }

    /** The URL of a path of the hub, with the API version. */
    async url(path) {
        const [{ name }, token] = await Promise.all([this.describe(), this.#currentToken()]);
        const url = new URL(`${encodeURIComponent(name)}/${path}`, this.#base);
        url.searchParams.set("api-version", token.apiVersion ?? "2020-06");
        return url;
    }

    /** Sends a request to the hub's REST API, signed as by an app. */
    async call(method, path, { headers = {}, body } = {}) {
        const url = await this.url(path);
        let response = await this.#signed(method, url, headers, body);
        if (response.status === 401) {
            // The hub may have restarted with other keys.
            this.#token = null;
            response = await this.#signed(method, url, headers, body);
        }
        if (response.ok) return response;
        const text = await response.text();
        throw new HubError(messageOf(text) ?? response.statusText, {
            status: response.status,
            retryAfter: response.headers.get("Retry-After"),
        });
    }

    async #signed(method, url, headers, body) {
        const { token } = await this.#currentToken();
        const signed = { ...headers, Authorization: token };
        return this.#fetch(url, { method, headers: signed, body, cache: "no-store" });
    }

    async #currentToken() {
        const expires = Date.parse(this.#token?.expires ?? "");
        if (!this.#token || expires - Date.now() < 60_000) this.#token = await this.inspect("GET", "token");
        return this.#token;
    }

    async #fetch(url, request) {
        try {
            return await fetch(url, { ...request, credentials: "same-origin", redirect: "error" });
        } catch {
            throw new HubError("The connection was cut. It is not known whether the hub accepted the request.");
        }
    }
}

/** Writes a send as a command for a shell, with a variable for the token. */
export function asCurl(url, headers, body) {
    const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
    const lines = Object.entries(headers).map(([name, value]) => quoted(`${name}: ${value}`));
    return [`curl -X POST ${quoted(`${url}`)}`, '-H "Authorization: $TOKEN"', ...lines.map((line) => `-H ${line}`),
        `--data-binary ${quoted(body)}`].join(" \\\n  ");
}

/** The error text of a refusal: XML from the hub, JSON from the inspection. */
function messageOf(text) {
    const detail = /<Detail>([\s\S]*?)<\/Detail>/.exec(text)?.[1];
    if (detail) {
        const plain = new DOMParser().parseFromString(detail, "text/html").body.textContent;
        return plain.replace(/\.?\s*TrackingId:.*$/s, "").trim().replace(/[^.!?]$/, "$&.");
    }
    try {
        return JSON.parse(text).error ?? null;
    } catch {
        return null;
    }
}
