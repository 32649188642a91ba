// Sample stories from fictitious places: their events by kind, with the texts by language.

const retraction = {
    en: ["We withdraw this report. It was published in error."],
    fr: ["Nous retirons cette information, publiée par erreur."],
    ar: ["نسحب هذا الخبر، فقد نُشر عن طريق الخطأ."],
    cs: ["Tuto zprávu stahujeme, byla vydána omylem."],
    he: ["אנו מושכים ידיעה זו. היא פורסמה בטעות."],
    de: ["Wir ziehen diese Meldung zurück. Sie war ein Irrtum."],
    es: ["Retiramos esta información, publicada por error."],
};

export const samples = [
    {
        name: "quake",
        category: "world",
        kind: "flash",
        flash: {
            en: [
                "Earthquake of magnitude 7.1 off Port Sereno",
                "The coast guard asks everyone within five kilometres of the shore to move to higher "
                    + "ground. The quake struck at 06:12 local time at a depth of 12 kilometres.",
            ],
            fr: [
                "Séisme de magnitude 7,1 au large de Port Sereno",
                "Les garde-côtes demandent à toute personne à moins de cinq kilomètres du rivage de "
                    + "gagner les hauteurs. La secousse s’est produite à 6 h 12, heure locale, à 12 kilomètres "
                    + "de profondeur.",
            ],
            ar: [
                "زلزال بقوة 7.1 درجات قبالة سواحل بورت سيرينو",
                "خفر السواحل يدعو كل من هم على بُعد خمسة كيلومترات من الشاطئ إلى الانتقال إلى أماكن "
                    + "مرتفعة. وقع الزلزال في الساعة 06:12 بالتوقيت المحلي على عمق 12 كيلومترًا.",
            ],
            cs: [
                "Zemětřesení o síle 7,1 u Port Serena",
                "Pobřežní stráž vyzývá všechny do pěti kilometrů od břehu, aby odešli na vyvýšená místa. "
                    + "Otřesy přišly v 6.12 místního času v hloubce 12 kilometrů.",
            ],
            he: [
                "רעידת אדמה בעוצמה 7.1 מול חופי פורט סרנו",
                "משמר החופים קורא לכל מי שנמצא במרחק של עד חמישה קילומטרים מהחוף לעלות למקומות גבוהים. "
                    + "הרעידה התרחשה בשעה 06:12 שעון מקומי, בעומק 12 קילומטרים.",
            ],
            de: [
                "Erdbeben der Stärke 7,1 vor Port Sereno",
                "Die Küstenwache bittet alle, die weniger als fünf Kilometer vom Ufer entfernt sind, "
                    + "höher gelegenes Gelände aufzusuchen. Das Beben ereignete sich um 6.12 Uhr Ortszeit in "
                    + "zwölf Kilometern Tiefe.",
            ],
            es: [
                "Terremoto de magnitud 7,1 frente a Port Sereno",
                "La guardia costera pide a quienes estén a menos de cinco kilómetros de la costa que se "
                    + "dirijan a zonas altas. El sismo se produjo a las 6.12, hora local, a 12 kilómetros de "
                    + "profundidad.",
            ],
        },
        update: {
            en: ["Tsunami warning for the Sereno coast"],
            fr: ["Alerte au tsunami sur la côte de Sereno"],
            ar: ["تحذير من تسونامي على ساحل سيرينو"],
            cs: ["Varování před tsunami pro pobřeží Serena"],
            he: ["אזהרת צונאמי לחופי סרנו"],
            de: ["Tsunami-Warnung für die Küste von Sereno"],
            es: ["Alerta de tsunami en la costa de Sereno"],
        },
        correction: {
            en: ["Sereno earthquake was of magnitude 6.8, not 7.1"],
            fr: ["Le séisme de Sereno était de magnitude 6,8, et non 7,1"],
            ar: ["زلزال سيرينو كان بقوة 6.8 درجات وليس 7.1"],
            cs: ["Zemětřesení u Serena mělo sílu 6,8, nikoli 7,1"],
            he: ["רעידת האדמה בסרנו הייתה בעוצמה 6.8, ולא 7.1"],
            de: ["Beben vor Sereno hatte die Stärke 6,8, nicht 7,1"],
            es: ["El terremoto de Sereno fue de magnitud 6,8, no de 7,1"],
        },
        kill: retraction,
    },
    {
        name: "budget",
        category: "politics",
        kind: "alert",
        alert: {
            en: ["Assembly rejects the budget by one vote"],
            fr: ["L’Assemblée rejette le budget à une voix près"],
            ar: ["البرلمان يرفض الميزانية بفارق صوت واحد"],
            cs: ["Sněmovna o jediný hlas odmítla rozpočet"],
            he: ["הפרלמנט דחה את התקציב על חודו של קול"],
            de: ["Parlament lehnt den Haushalt mit einer Stimme Mehrheit ab"],
            es: ["La Asamblea rechaza el presupuesto por un voto"],
        },
        update: {
            en: ["Government to present a new budget on Thursday"],
            fr: ["Le gouvernement présentera un nouveau budget jeudi"],
            ar: ["الحكومة تقدم ميزانية جديدة يوم الخميس"],
            cs: ["Vláda ve čtvrtek předloží nový rozpočet"],
            he: ["הממשלה תגיש תקציב חדש ביום חמישי"],
            de: ["Regierung legt am Donnerstag einen neuen Haushalt vor"],
            es: ["El Gobierno presentará un nuevo presupuesto el jueves"],
        },
        correction: {
            en: ["The budget fell by two votes, not one"],
            fr: ["Le budget a été rejeté par deux voix, et non une"],
            ar: ["الميزانية سقطت بفارق صوتين لا صوت واحد"],
            cs: ["Rozpočet neprošel o dva hlasy, nikoli o jeden"],
            he: ["התקציב נפל על חודם של שני קולות, ולא אחד"],
            de: ["Dem Haushalt fehlten zwei Stimmen, nicht eine"],
            es: ["El presupuesto cayó por dos votos, no por uno"],
        },
        kill: retraction,
    },
    {
        name: "rates",
        category: "business",
        kind: "alert",
        alert: {
            en: ["Central bank of Valdoria cuts its key rate to 2.25%"],
            fr: ["La banque centrale de Valdorie abaisse son taux directeur à 2,25 %"],
            ar: ["البنك المركزي في فالدوريا يخفض سعر الفائدة إلى 2.25%"],
            cs: ["Centrální banka Valdorie snižuje sazbu na 2,25 %"],
            he: ["הבנק המרכזי של ולדוריה הוריד את הריבית ל־2.25%"],
            de: ["Zentralbank von Valdoria senkt den Leitzins auf 2,25 Prozent"],
            es: ["El banco central de Valdoria baja su tipo de interés al 2,25 %"],
        },
        kill: retraction,
    },
    {
        name: "chip",
        category: "technology",
        kind: "alert",
        alert: {
            en: ["Norvale opens its first chip plant"],
            fr: ["La Norvale inaugure sa première usine de puces"],
            ar: ["نورفال تفتتح أول مصنع لها للرقائق"],
            cs: ["Norvale otevírá svou první továrnu na čipy"],
            he: ["נורבייל פותחת את מפעל השבבים הראשון שלה"],
            de: ["Norvale eröffnet seine erste Chipfabrik"],
            es: ["Norvale inaugura su primera fábrica de chips"],
        },
        kill: retraction,
    },
    {
        name: "probe",
        category: "science",
        kind: "alert",
        alert: {
            en: ["Probe finds water under the ring of Orsen"],
            fr: ["Une sonde découvre de l’eau sous l’anneau d’Orsen"],
            ar: ["مسبار يعثر على ماء تحت حلقة أورسن"],
            cs: ["Sonda našla vodu pod Orsenovým prstencem"],
            he: ["גשושית מצאה מים מתחת לטבעת של אורסן"],
            de: ["Sonde findet Wasser unter dem Ring von Orsen"],
            es: ["Una sonda halla agua bajo el anillo de Orsen"],
        },
        kill: retraction,
    },
    {
        name: "cup",
        category: "sports",
        kind: "alert",
        alert: {
            en: ["Valdoria beat Norvale 3–2 to win the Lakes Cup"],
            fr: ["La Valdorie bat la Norvale 3-2 et remporte la Coupe des lacs"],
            ar: ["فالدوريا تهزم نورفال 3-2 وتحرز كأس البحيرات"],
            cs: ["Valdorie porazila Norvale 3:2 a vyhrála Jezerní pohár"],
            he: ["ולדוריה ניצחה את נורבייל 3:2 וזכתה בגביע האגמים"],
            de: ["Valdoria gewinnt den Seenpokal mit 3:2 gegen Norvale"],
            es: ["Valdoria vence 3-2 a Norvale y gana la Copa de los Lagos"],
        },
        kill: retraction,
    },
];

/** The texts of a sample for a kind of event, by language; `null` if it has none of this kind. */
export function sampleTexts(sample, kind) {
    const texts = sample?.[kind];
    if (!texts) return null;
    return Object.fromEntries(
        Object.entries(texts).map(([tag, [headline, summary = ""]]) => [tag, { headline, summary }]),
    );
}
