// Browser storage. If it is blocked, even access to its name throws; the page then stores nothing.

/** Returns a stored list, or an empty one. */
export function stored(storage, key) {
    try {
        const list = JSON.parse(globalThis[storage].getItem(key) ?? "[]");
        return Array.isArray(list) ? list : [];
    } catch {
        return [];
    }
}

/** Stores a value if possible. */
export function store(storage, key, value) {
    try {
        globalThis[storage].setItem(key, typeof value === "string" ? value : JSON.stringify(value));
    } catch {
        // The value is lost on a reload.
    }
}
