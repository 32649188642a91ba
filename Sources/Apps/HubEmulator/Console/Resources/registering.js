// The requests that register an app at the hub: an installation (JSON) or a registration (Atom).

import { template } from "./templates.js";

const deviceHandle = {
    apns: ["AppleTemplateRegistrationDescription", "DeviceToken"],
    fcmv1: ["FcmV1TemplateRegistrationDescription", "FcmV1RegistrationId"],
    wns: ["WindowsTemplateRegistrationDescription", "ChannelUri"],
};
const connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

/** The request that registers a phone; the hub receives exactly this body. */
export function registeringRequest(phone, language) {
    return phone.registersBy === "registration" ? registration(phone, language) : installation(phone, language);
}

/** The request that deletes the registration of a phone. */
export function leavingRequest({ registersBy, id, registrationID }) {
    return registersBy === "registration"
        ? { method: "DELETE", path: `registrations/${registrationID}`, headers: { "If-Match": "*" } }
        : { method: "DELETE", path: `installations/${id}`, headers: {} };
}

function installation({ id, platform, handle, tags, body }, language) {
    const { body: standard, headers } = template(platform, language);
    const news = { body: body ?? standard };
    if (platform === "wns") news.headers = headers;
    const document = { installationId: id, platform, pushChannel: handle, tags, templates: { news } };
    return {
        method: "PUT",
        path: `installations/${id}`,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(document, null, 2),
    };
}

function registration({ registrationID, platform, handle, tags, body }, language) {
    const { body: standard, headers } = template(platform, language);
    const [name, handleName] = deviceHandle[platform];
    // The service requires this order of elements.
    const extras = {
        apns: `\n      <TemplateName>news</TemplateName>${headerList("Apns", headers)}`,
        fcmv1: `\n      <TemplateName>news</TemplateName>`,
        wns: `${headerList("Wns", headers)}\n      <TemplateName>news</TemplateName>`,
    };
    const entry = `<?xml version="1.0" encoding="utf-8"?>
<entry xmlns="http://www.w3.org/2005/Atom">
  <content type="application/xml">
    <${name} xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns="${connect}">
      <Tags>${escaped(tags.join(","))}</Tags>
      <${handleName}>${escaped(handle)}</${handleName}>
      <BodyTemplate>${escaped(body ?? standard)}</BodyTemplate>${extras[platform]}
    </${name}>
  </content>
</entry>`;
    return {
        method: "PUT",
        path: `registrations/${registrationID}`,
        headers: { "Content-Type": "application/atom+xml;type=entry;charset=utf-8" },
        body: entry,
    };
}

function headerList(kind, headers) {
    const entries = Object.entries(headers).map(([name, value]) => {
        return `
        <${kind}Header>
          <Header>${escaped(name)}</Header>
          <Value>${escaped(value)}</Value>
        </${kind}Header>`;
    });
    return entries.length === 0 ? "" : `\n      <${kind}Headers>${entries.join("")}\n      </${kind}Headers>`;
}

function escaped(text) {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
