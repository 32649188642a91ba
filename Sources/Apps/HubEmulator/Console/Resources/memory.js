// What the browser keeps for the page. Where storage is blocked or full, even its name throws: the page then forgets.

/** A list that was kept, or an empty one. */
export function stored(storage, key) {
    try {
        const list = JSON.parse(globalThis[storage].getItem(key) ?? "[]");
        return Array.isArray(list) ? list : [];
    } catch {
        return [];
    }
}

/** Keeps a value, if it can be kept. */
export function store(storage, key, value) {
    try {
        globalThis[storage].setItem(key, typeof value === "string" ? value : JSON.stringify(value));
    } catch {
        // It holds until the page is loaded again.
    }
}
