// A breaking-news event (schemas/breaking-news-event-v1), and the send that the worker would make of it.

import { propertyName, words } from "./languages.js";

export const kinds = ["flash", "alert", "update", "correction", "kill"];

/** Creates an event for the topic. */
export function newsEvent({ id, story, revision, kind, categories, texts, url, isSecure = false, now = new Date() }) {
    const text = {};
    for (const [tag, { headline, summary }] of Object.entries(texts)) {
        if (!headline.trim()) continue;
        text[tag] = { headline: headline.trim() };
        if (summary.trim()) text[tag].summary = summary.trim();
    }
    const event = { v: 1, id, source: "urn:newsflash:console", story, revision, kind, published: now.toISOString() };
    if (categories.length > 0) event.categories = categories.map((category) => category.tag);
    if (Object.keys(text).length > 0) event.text = text;
    if (url) event.url = url;
    if (isSecure) event.delivery = "secure";
    return event;
}

/** Creates the template send that the worker would make of an event: tags, and texts for every language. */
export function templateSend(event, { categories, locales }) {
    const standard = locales.includes("en") ? "en" : locales[0];
    const properties = {
        id: event.id,
        story: event.story,
        revision: String(event.revision),
        kind: event.kind,
        category: categories.map((category) => category.name).join(","),
        url: event.url ?? "",
        image: "",
    };
    const write = (headlineName, summaryName, tag) => {
        const { headline, summary } = chosenText(event.text ?? {}, tag, standard);
        properties[headlineName] = headline && (words(tag)[event.kind] ?? "") + headline;
        properties[summaryName] = summary ?? properties[headlineName];
    };
    write("headline", "summary", standard);
    for (const tag of locales) write(propertyName("headline", tag), propertyName("summary", tag), tag);
    return {
        headers: {
            "Content-Type": "application/json;charset=utf-8",
            "ServiceBusNotification-Format": "template",
            "ServiceBusNotification-Tags": categories.map((category) => category.tag).join(" || "),
            // The same for every event of a story, so that a later one replaces the earlier ones.
            "apns-collapse-id": event.story.slice(0, 64),
        },
        body: properties,
    };
}

/** The text for a subscriber: in the language, its base language, the default language, or any. */
function chosenText(text, tag, standard) {
    return text[tag] ?? text[tag.split("-")[0]] ?? text[standard] ?? Object.values(text)[0] ?? { headline: "" };
}
