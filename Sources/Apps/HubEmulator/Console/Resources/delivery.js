// Converts a delivery to the notification that a phone shows: texts, urgency, and which notification it replaces.

import { categoryName } from "./languages.js";

const levels = ["passive", "active", "time-sensitive", "critical"];
/** The urgency that the app derives from the kind of news if the payload does not contain it. */
const levelOfKind = { flash: "time-sensitive", update: "passive" };

/** Parses a delivery; `null` if a lock screen does not show it. */
export function notification(delivery, language) {
    if (delivery.outcome !== "Success") return null;
    const read = { apns: readAPNs, fcmv1: readFCM, gcm: readFCM, wns: readWNS }[delivery.platform];
    let content = null;
    try {
        content = read?.(delivery, language) ?? null;
    } catch {
        // An invalid payload shows nothing, as on a real phone.
    }
    if (!content || (!content.title && !content.body)) return null;
    const { sequence, time } = delivery;
    return { sequence, time, level: levelOfKind[content.kind] ?? "active", ...content, delivery };
}

function readAPNs({ payload, headers }, language) {
    const { aps, kind, story, url, summary, ...rest } = JSON.parse(payload);
    const alert = aps?.alert;
    if (!alert) return null;
    const level = aps["interruption-level"];
    const content = {
        title: typeof alert === "string" ? "" : alert.title,
        body: typeof alert === "string" ? alert : alert.body,
        kind,
        url,
        summary,
        // The system replaces by the header; without it, the app's extension removes earlier notifications of the story.
        replaces: header(headers, "apns-collapse-id") ?? story ?? null,
        secureID: secureID(rest),
    };
    if (levels.includes(level)) content.level = level;
    // Only then does the system run the app's extension, which translates the categories.
    if (aps["mutable-content"] === 1) content.title = categoryName(content.title ?? "", language);
    return content;
}

function readFCM({ payload }, language) {
    const document = JSON.parse(payload);
    const message = document.message ?? document;
    const { notification: shown, data = {}, android } = message;
    if (shown) {
        return {
            title: shown.title,
            body: shown.body,
            kind: data.kind,
            url: data.url,
            summary: data.summary,
            replaces: android?.notification?.tag ?? null,
            secureID: secureID(data),
        };
    }
    // A data-only message: the app itself creates the notification, with the story as its tag.
    return {
        title: categoryName(data.title ?? "", language),
        body: data.body ?? data.message,
        kind: data.kind,
        url: data.url,
        summary: data.summary,
        replaces: data.story || null,
        secureID: secureID(data),
    };
}

function readWNS({ payload, headers }, language) {
    if (!(header(headers, "X-WNS-Type") ?? "wns/toast").endsWith("toast")) return null;
    const toast = new DOMParser().parseFromString(payload, "application/xml").querySelector("toast");
    const texts = Array.from(toast?.querySelectorAll("text") ?? [], (text) => resource(text.textContent, language));
    const [first = "", ...others] = texts;
    const isSingle = others.length === 0;
    const [, url = "", delivery, id] = /^(.*?)(?:#([a-z]*):(.*))?$/s.exec(toast?.getAttribute("launch") ?? "") ?? [];
    return {
        title: isSingle ? "" : first,
        body: isSingle ? first : others.join("\n"),
        url,
        secureID: secureID({ delivery, id }),
        level: toast?.getAttribute("scenario") === "urgent" ? "time-sensitive" : "active",
        replaces: header(headers, "X-WNS-Tag") ?? null,
    };
}

/** The id for fetching the text of a secure push; `null` for any other push. */
function secureID({ delivery, id, secureId }) {
    return secureId || (delivery === "secure" && id) || null;
}

/** Looks up a text in the app's resources, as the system does; returns any other text unchanged. */
function resource(text, language) {
    return text.startsWith("ms-resource:") ? categoryName(text.slice("ms-resource:".length), language) : text;
}

function header(headers, name) {
    return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
