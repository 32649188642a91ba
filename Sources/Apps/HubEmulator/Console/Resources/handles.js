// Creates handles of push services in the form that the hub validates.

import { randomName } from "./dom.js";

export function newHandle(platform, id) {
    switch (platform) {
        case "apns": return randomName(64);
        case "fcmv1": return `${id}:APA91b${randomName(64)}`;
        default: return `https://wns2-par02p.notify.windows.com/?token=${randomName(48)}`;
    }
}
