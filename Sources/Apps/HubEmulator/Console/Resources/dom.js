// Helpers to create and find elements.

/** Returns a copy of the single element in a <template>. */
export function copyOf(id) {
    return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

/** Creates an element with properties and children: `element("p", { className: "note" }, "text")`. */
export function element(name, properties = {}, ...children) {
    const node = document.createElement(name);
    const { attributes = {}, dataset = {}, ...rest } = properties;
    Object.assign(node, rest);
    Object.assign(node.dataset, dataset);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}

/** Creates an icon from the page's sprite. */
export function icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#icon-${name}`);
    svg.append(use);
    return svg;
}

/** Announces a text to screen readers, without moving the focus. */
export function announce(text, language) {
    const region = document.getElementById("announcements");
    const line = element("p", { textContent: text });
    if (language) line.lang = language;
    region.append(line);
    while (region.childElementCount > 5) region.firstElementChild.remove();
}

/** Asks before something is deleted; `label` is the text of the button that deletes. Returns whether the user agrees. */
export function confirmed(question, label) {
    const dialog = document.getElementById("question");
    document.getElementById("question-text").textContent = question;
    document.getElementById("question-yes").textContent = label;
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    });
}

/** Returns a random hexadecimal name. */
export function randomName(length) {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2)));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, length);
}

/** Creates a block of exact text; `label` is its name for screen readers. */
export function code(label, text) {
    return element("pre", { tabIndex: 0, attributes: { "aria-label": label } }, element("code", { textContent: text }));
}

/** Writes headers as in a request, one a line. */
export function headerLines(headers) {
    return Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`).join("\n");
}

/** Formats JSON over several lines; returns any other text unchanged. */
export function laidOut(text) {
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
        return text;
    }
}

/** Writes a reason as a sentence. */
export function sentence(text) {
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.!?]$/, "$&.");
}

/** Creates a list of facts: `[["Handle", "00FC"]]`. */
export function particulars(facts) {
    const rows = facts.map(([name, text]) => element(
        "div", {}, element("dt", {}, name), element("dd", { dir: "ltr" }, text),
    ));
    return element("dl", { className: "particulars" }, ...rows);
}
