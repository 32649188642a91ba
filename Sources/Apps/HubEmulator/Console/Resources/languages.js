// The languages of the app on the simulated phones: names of users, and texts of the app.

/** The six categories of the tutorials' app, by tag. */
export const categories = ["world", "politics", "business", "technology", "science", "sports"];

const languages = {
    en: {
        reader: ["Grace", "Oliver"],
        categories: ["World", "Politics", "Business", "Technology", "Science", "Sports"],
        timeSensitive: "Time sensitive", updated: "Updated", withdrawn: "Withdrawn",
        personal: "For you", secure: "Private",
        secrecy: {
            signedOut: "Sign in to read this.", notFound: "Not for this reader.",
            withdrawn: "Withdrawn.", unavailable: "The text cannot be fetched now.",
        },
        flash: "Breaking: ", correction: "Correction: ", kill: "Withdrawn: ",
    },
    fr: {
        reader: ["Amélie", "Hugo"],
        categories: ["Monde", "Politique", "Économie", "Technologie", "Sciences", "Sports"],
        timeSensitive: "Urgent", updated: "Actualisé", withdrawn: "Retiré",
        personal: "Pour vous", secure: "Privé",
        secrecy: {
            signedOut: "Connectez-vous pour lire.", notFound: "Pas pour ce lecteur.",
            withdrawn: "Retiré.", unavailable: "Le texte est indisponible pour le moment.",
        },
        flash: "Alerte : ", correction: "Rectificatif : ", kill: "Annulation : ",
    },
    ar: {
        reader: ["ليلى", "يوسف"],
        categories: ["العالم", "سياسة", "اقتصاد", "تكنولوجيا", "علوم", "رياضة"],
        timeSensitive: "عاجل", updated: "تم التحديث", withdrawn: "تم السحب",
        personal: "لك", secure: "خاص",
        secrecy: {
            signedOut: "سجّل الدخول للقراءة.", notFound: "ليس لهذا القارئ.",
            withdrawn: "تم السحب.", unavailable: "لا يمكن جلب النص الآن.",
        },
        flash: "عاجل: ", correction: "تصحيح: ", kill: "سُحب الخبر: ",
    },
    cs: {
        reader: ["Klára", "Tomáš"],
        categories: ["Svět", "Politika", "Ekonomika", "Technologie", "Věda", "Sport"],
        timeSensitive: "Časově citlivé", updated: "Aktualizováno", withdrawn: "Staženo",
        personal: "Pro vás", secure: "Soukromé",
        secrecy: {
            signedOut: "Pro čtení se přihlaste.", notFound: "Není pro tohoto čtenáře.",
            withdrawn: "Staženo.", unavailable: "Text teď nelze načíst.",
        },
        flash: "Mimořádná zpráva: ", correction: "Oprava: ", kill: "Zpráva stažena: ",
    },
    he: {
        reader: ["נועה", "איתן"],
        categories: ["עולם", "פוליטיקה", "כלכלה", "טכנולוגיה", "מדע", "ספורט"],
        timeSensitive: "דחוף", updated: "עודכן", withdrawn: "נמשך",
        personal: "עבורך", secure: "פרטי",
        secrecy: {
            signedOut: "יש להתחבר כדי לקרוא.", notFound: "לא לקורא הזה.",
            withdrawn: "נמשך.", unavailable: "לא ניתן להביא את הטקסט כעת.",
        },
        flash: "מבזק: ", correction: "תיקון: ", kill: "הידיעה נמשכה: ",
    },
    de: {
        reader: ["Jonas", "Mia"],
        categories: ["Welt", "Politik", "Wirtschaft", "Technik", "Wissen", "Sport"],
        timeSensitive: "Dringend", updated: "Aktualisiert", withdrawn: "Zurückgezogen",
        personal: "Für dich", secure: "Vertraulich",
        secrecy: {
            signedOut: "Zum Lesen anmelden.", notFound: "Nicht für diesen Leser.",
            withdrawn: "Zurückgezogen.", unavailable: "Der Text ist gerade nicht zu haben.",
        },
        flash: "Eilmeldung: ", correction: "Korrektur: ", kill: "Zurückgezogen: ",
    },
    es: {
        reader: ["Lucía", "Mateo"],
        categories: ["Mundo", "Política", "Economía", "Tecnología", "Ciencia", "Deportes"],
        timeSensitive: "Urgente", updated: "Actualizado", withdrawn: "Retirado",
        personal: "Para ti", secure: "Privado",
        secrecy: {
            signedOut: "Inicia sesión para leerlo.", notFound: "No es para este lector.",
            withdrawn: "Retirado.", unavailable: "Ahora no se puede obtener el texto.",
        },
        flash: "Última hora: ", correction: "Rectificación: ", kill: "Noticia retirada: ",
    },
};

const rightToLeft = new Set(["ar", "dv", "fa", "he", "ku", "ps", "ug", "ur", "yi"]);

/** The languages with texts; the page offers them if the hub specifies no languages. */
export const known = Object.keys(languages);

/** The texts for a language tag; English if the app does not support the language. */
export function words(tag) {
    return languages[tag] ?? languages[tag.split("-")[0]] ?? languages.en;
}

export function direction(tag) {
    return rightToLeft.has(tag.split("-")[0].toLowerCase()) ? "rtl" : "ltr";
}

/** The name of a language in that language, such as `français`. */
export function ownName(tag) {
    return nameIn(tag, tag);
}

/** The name of a language in English, such as `French`. */
export function englishName(tag) {
    return nameIn(tag, "en");
}

/** The name of a property of a language's text: `headline_pt_BR`. */
export function propertyName(part, tag) {
    return `${part}_${tag.replaceAll("-", "_")}`;
}

function nameIn(tag, language) {
    try {
        const name = new Intl.DisplayNames([language], { type: "language" }).of(tag) ?? tag;
        return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
    } catch {
        return tag;
    }
}

/** Translates category names, as an app's resources do; other words remain unchanged. */
export function categoryName(text, tag) {
    return text.split(",").map((part) => {
        const index = categories.indexOf(part.trim().toLowerCase());
        return index < 0 ? part : words(tag).categories[index];
    }).join(", ");
}
