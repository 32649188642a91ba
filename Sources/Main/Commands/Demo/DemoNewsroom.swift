import NewsEvents
import Publishing
import Timestamps

/// The newsroom of the demo: six categories, four languages, and the events of a day.
enum DemoNewsroom {
    static let categories = ["World", "Politics", "Business", "Technology", "Science", "Sports"]
    static let locales = ["en", "fr", "ar", "cs"]

    static func configuration(bootstrapServers: String) -> String {
        """
        version: 1
        kafka:
          bootstrapServers: "\(bootstrapServers)"
          group: demo
          sessionTimeout: 6s
          properties: { fetch.wait.max.ms: "5" }
        hub: newsroom
        locales: { offered: [en, fr, ar, cs], default: en }
        send: { as: template, tags: "{category}" }
        categories:
          World:      [world, "medtop:16000000", "medtop:03000000", "medtop:17000000"]
          Politics:   [politics, "medtop:11000000"]
          Business:   [business, "medtop:04000000", "medtop:09000000"]
          Technology: [technology, "medtop:20000756"]
          Science:    [science, "medtop:13000000", "medtop:06000000", "medtop:07000000"]
          Sports:     [sports, sport, "medtop:15000000"]
        unknown: drop
        text:
          alert:      "{headline}"
          flash:      { en: "Breaking: {headline}", fr: "Alerte : {headline}", ar: "عاجل: {headline}", cs: "Mimořádná zpráva: {headline}" }
          correction: { en: "Correction: {headline}", fr: "Rectificatif : {headline}", ar: "تصحيح: {headline}", cs: "Oprava: {headline}" }
          kill:       { en: "Withdrawn: {headline}", fr: "Annulation : {headline}", ar: "سُحب الخبر: {headline}", cs: "Zpráva stažena: {headline}" }
          secure:     { en: "News for subscribers", fr: "Une nouvelle pour les abonnés", ar: "خبر للمشتركين", cs: "Zpráva pro předplatitele" }
        secure: { keyFile: made-up-at-the-start }
        admin: { listen: "off" }
        log: { level: error }
        """
    }

    static let scenes: [DemoScene] = [
        DemoScene(
            "quake",
            1,
            .flash,
            ["medtop:20000151"],
            [
                "en": "Earthquake of magnitude 7.1 off Port Sereno",
                "fr": "Séisme de magnitude 7,1 au large de Port Sereno",
                "ar": "زلزال بقوة 7.1 درجة قبالة بورت سيرينو",
                "cs": "Zemětřesení o síle 7,1 u Port Serena",
            ]
        ),
        DemoScene(
            "budget",
            1,
            .alert,
            ["politics"],
            [
                "en": "Assembly rejects the budget by one vote",
                "fr": "L’Assemblée rejette le budget à une voix près",
                "ar": "البرلمان يرفض الميزانية بفارق صوت واحد",
            ]
        ),
        DemoScene(
            "rates",
            1,
            .alert,
            ["business"],
            [
                "en": "Central bank of Valdoria cuts its key rate to 2.25%",
                "cs": "Centrální banka Valdorie snižuje sazbu na 2,25 %",
            ]
        ),
        DemoScene("chip", 1, .alert, ["technology"], ["en": "Norvale opens its first chip plant"]),
        DemoScene("probe", 1, .alert, ["science"], ["en": "Probe finds water under the ring of Orsen"]),
        DemoScene(
            "cup",
            1,
            .alert,
            ["sports"],
            [
                "en": "Valdoria beat Norvale 3–2 to win the Lakes Cup", "fr": "Valdoria remporte la Coupe des lacs",
            ]
        ),
        DemoScene("quake", 2, .update, ["world"], ["en": "Tsunami warning for the Sereno coast"]),
        DemoScene("quake", 2, .update, ["world"], ["en": "Tsunami warning for the Sereno coast"], expected: .duplicate),
        DemoScene(
            "quake",
            3,
            .correction,
            ["world"],
            [
                "en": "Sereno earthquake was of magnitude 6.8, not 7.1",
                "fr": "Le séisme de Sereno était de magnitude 6,8 et non 7,1",
                "ar": "بلغت قوة زلزال سيرينو 6.8 درجة وليس 7.1",
            ]
        ),
        DemoScene(
            "budget",
            2,
            .kill,
            [],
            [
                "en": "The vote was postponed; we reported a result in error",
                "fr": "Le vote a été reporté ; nous avons annoncé un résultat par erreur",
                "ar": "أُجّل التصويت، وقد أعلنّا النتيجة خطأً",
            ]
        ),
        DemoScene("budget", 3, .update, ["politics"], ["en": "Reactions to the vote"], expected: .suppressed),
        DemoScene("stars", 1, .alert, ["astrology"], ["en": "Mercury in retrograde again"], expected: .invalid),
        DemoScene(unreadable: "{\"v\":1,\"id\":\"demo-"),
    ]
}

/// One event of the demo's desk, and its expected outcome.
struct DemoScene: Sendable {
    let story: String?
    let expected: OutcomeKind
    let title: String
    private let event: NewsEvent?
    private let bytes: [UInt8]

    init(
        _ story: String,
        _ revision: Int64,
        _ kind: EventKind,
        _ categories: [String],
        _ headlines: KeyValuePairs<String, String>,
        expected: OutcomeKind = .sent
    ) {
        self.story = story
        self.expected = expected
        self.title = headlines.first?.value ?? ""
        self.bytes = []
        self.event = NewsEvent(
            id: "",
            source: "urn:demo:desk",
            story: "urn:demo:\(story)",
            revision: revision,
            kind: kind,
            published: Timestamp(nanoseconds: 0),
            categories: categories,
            text: headlines.map { EventText(language: $0.key, headline: $0.value) }
        )
    }

    /// Creates a record that is not an event.
    init(unreadable text: String) {
        story = nil
        expected = .invalid
        title = "(a record cut in the middle)"
        event = nil
        bytes = Array(text.utf8)
    }

    func eventID(number: Int) -> String {
        event == nil ? "" : "demo-\(number + 1)"
    }

    /// Returns the record's value, published now.
    func value(number: Int) -> [UInt8] {
        guard var event else { return bytes }
        event.id = eventID(number: number)
        event.published = .now()
        return EventEncoder.encode(event)
    }
}
