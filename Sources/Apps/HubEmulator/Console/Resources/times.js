// Localized times.

const formats = new Map();

/** A format of `Intl`, created once, because that takes longer than its use. */
function intl(kind, language, options) {
    const key = `${kind} ${language} ${JSON.stringify(options)}`;
    if (!formats.has(key)) formats.set(key, new Intl[kind](language, options));
    return formats.get(key);
}

const steps = [["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]];

/** A relative time in a language: `now`, `2 min. ago`, `il y a 2 min`. */
export function relative(time, language, now = Date.now()) {
    const format = intl("RelativeTimeFormat", language, { numeric: "auto", style: "short" });
    let amount = Math.max(0, now - Date.parse(time)) / 1000;
    if (amount < 45) return format.format(0, "second");
    for (const [unit, size] of steps) {
        if (Math.round(amount) < size) return format.format(-Math.round(amount), unit);
        amount /= size;
    }
    return absolute(time, language);
}

/** Date and time, with seconds. */
export function absolute(time, language) {
    const style = { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" };
    return intl("DateTimeFormat", language, style).format(new Date(time));
}

/** The time with seconds, for lists. */
export function clockTime(time, language) {
    return intl("DateTimeFormat", language, { timeStyle: "medium", hourCycle: "h23" }).format(new Date(time));
}

/** The two lines of a lock screen: date and time. */
export function lockScreenClock(language, now = new Date()) {
    return {
        date: intl("DateTimeFormat", language, { weekday: "long", day: "numeric", month: "long" }).format(now),
        time: intl("DateTimeFormat", language, { hour: "numeric", minute: "2-digit", hourCycle: "h23" }).format(now),
    };
}

/** A duration: `3 ms`, `1.2 s`. */
export function latency(milliseconds) {
    if (milliseconds === null || milliseconds === undefined || Number.isNaN(milliseconds)) return "";
    if (milliseconds < 1) return "<1 ms";
    return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Calls `body` now and at every full second. */
export function everySecond(body) {
    body();
    setTimeout(() => {
        body();
        setInterval(body, 1000);
    }, 1000 - (Date.now() % 1000));
}
