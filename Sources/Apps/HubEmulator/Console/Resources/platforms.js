// The platforms of a hub, with an example of a native send for each that still exists.

const toast = '<toast><visual><binding template="ToastGeneric"><text>Hello</text><text>A native notification.</text>'
    + "</binding></visual></toast>";
const text = { title: "Hello", body: "A native notification." };

/** By the name in the lists of the emulator. `format` is the name in a send; the page can simulate those with a `device`. */
export const platforms = {
    apns: {
        name: "APNs", device: "iPhone", format: "apple",
        headers: "apns-push-type: alert", body: { aps: { alert: text } },
    },
    fcmv1: { name: "FCM v1", device: "Android", format: "fcmv1", body: { message: { notification: text } } },
    wns: {
        name: "WNS", device: "Windows PC", format: "windows",
        headers: "X-WNS-Type: wns/toast", contentType: "application/xml", body: toast,
    },
    browser: { name: "Web Push", format: "browser", body: text },
    adm: { name: "ADM", format: "adm", body: { data: text } },
    xiaomi: { name: "Xiaomi", format: "xiaomi", body: { title: text.title, description: text.body } },
    baidu: { name: "Baidu", format: "baidu", body: { title: text.title, description: text.body } },
    gcm: { name: "GCM, retired", format: "gcm" },
    mpns: { name: "MPNS, retired", format: "windowsphone" },
};

/** The name of a push service. */
export function serviceName(platform) {
    return platforms[platform]?.name ?? platform;
}

/** The names of properties that probably contain the words to show. */
export const shownWords = /headline|title|message|body|text|alert/i;

/** The names of the properties that a template uses, in order: `$(a)`, `.(b, 20)`, `%(c)`, `#(d)`. */
export function propertiesOfTemplate(body) {
    const names = Array.from(body.matchAll(/[$.%#]\(\s*([^\s,:()'{}]+)[^)]*\)/g), ([, name]) => name);
    return [...new Set(names)];
}
