// The templates that the app of each platform registers; they use the properties of a send.

import { propertyName } from "./languages.js";

/** The properties of a secure push, whose text the app fetches by the id. */
const secrecy = { delivery: "$(delivery)", id: "$(id)" };

/**
 * The template of an app for a language; `null` selects the texts of the default language.
 * An installation can contain headers for WNS; headers for APNs are possible only in a registration.
 */
export function template(platform, language) {
    const headline = `$(${language ? propertyName("headline", language) : "headline"})`;
    const summary = `$(${language ? propertyName("summary", language) : "summary"})`;
    const story = "$(story, 64)";
    switch (platform) {
        case "apns":
            return {
                body: JSON.stringify({
                    aps: {
                        alert: { title: "$(category)", body: headline },
                        "thread-id": "$(story)",
                        "mutable-content": 1,
                    },
                    summary,
                    kind: "$(kind)",
                    story: "$(story)",
                    url: "$(url)",
                    ...secrecy,
                }),
                headers: { "apns-push-type": "alert", "apns-collapse-id": story },
            };
        case "fcmv1":
            return {
                body: JSON.stringify({
                    message: {
                        data: {
                            title: "$(category)",
                            body: headline,
                            summary,
                            kind: "$(kind)",
                            story: "$(story)",
                            url: "$(url)",
                            ...secrecy,
                        },
                        android: { priority: "high", collapse_key: "$(story)" },
                    },
                }),
                headers: {},
            };
        case "wns":
            return {
                body:
                    `<toast launch="{$(url) + '#' + $(delivery) + ':' + $(id)}"><visual><binding template="ToastGeneric">` +
                    `<text>{'ms-resource:' + $(category)}</text><text>${headline}</text></binding></visual></toast>`,
                headers: { "X-WNS-Type": "wns/toast", "X-WNS-Tag": story },
            };
    }
}
