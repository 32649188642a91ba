// A client of the application back end. It uses the subscriber's name and password, never a key of the hub.

import { HubError } from "./hub.js";

export class Gateway {
    #base;
    #authorization;

    constructor(url, user, password) {
        this.#base = new URL(url);
        if (!this.#base.pathname.endsWith("/")) this.#base.pathname += "/";
        const bytes = new TextEncoder().encode(`${user}:${password}`);
        this.#authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
    }

    /** Sends a request and returns the response; throws a refusal with the gateway's message. */
    async call(method, path, { body, headers = {} } = {}) {
        const request = {
            method, cache: "no-store", credentials: "omit", redirect: "error",
            headers: { ...headers, Authorization: this.#authorization },
        };
        if (body !== undefined) {
            request.body = JSON.stringify(body);
            request.headers["Content-Type"] = "application/json";
        }
        let response;
        try {
            response = await fetch(new URL(path, this.#base), request);
        } catch {
            throw new HubError("The gateway cannot be reached. Is it running, with --allow-origin for this page?");
        }
        if (response.ok) return response;
        const retryAfter = response.headers.get("Retry-After");
        throw new HubError(await words(response), { status: response.status, retryAfter });
    }
}

async function words(response) {
    if (response.status === 401) return "The name or the password is wrong.";
    try {
        const { message, error } = await response.json();
        return message ?? error ?? response.statusText;
    } catch {
        return response.statusText;
    }
}
