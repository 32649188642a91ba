// Small things for making and finding elements.

/** A copy of the one element in a <template>. */
export function copyOf(id) {
    return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

/** An element with properties and children: `element("p", { className: "note" }, "text")`. */
export function element(name, properties = {}, ...children) {
    const node = document.createElement(name);
    const { attributes = {}, dataset = {}, ...rest } = properties;
    Object.assign(node, rest);
    Object.assign(node.dataset, dataset);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}

/** An icon of the page's sprite. */
export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#icon-${name}`);
    svg.append(use);
    return svg;
}

/** Says something to readers of the screen, without moving them. */
export function announce(text, language) {
    const region = document.getElementById("announcements");
    const line = element("p", { textContent: text });
    if (language) line.lang = language;
    region.append(line);
    while (region.childElementCount > 5) region.firstElementChild.remove();
}

/** A name that is taken by nobody. */
export function randomName(length) {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2)));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, length);
}

/** JSON over several lines where the text is JSON, else the text. */
export function laidOut(text) {
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
        return text;
    }
}
