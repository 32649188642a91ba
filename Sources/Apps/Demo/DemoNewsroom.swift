import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs

/// The newsroom of the demo: six categories, four languages, and the events of a day.
package enum DemoNewsroom {
    static let categories = ["World", "Politics", "Business", "Technology", "Science", "Sports"]
    package static let locales = ["en", "fr", "ar", "cs"]

    static func configuration(bootstrapServers: String) -> String {
        """
        version: 1
        kafka:
          bootstrapServers: "\(bootstrapServers)"
          group: demo
          sessionTimeout: 6s
          properties: { fetch.wait.max.ms: "50" }
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

/// A part of the demo does not work.
struct DemoError: Error, CustomStringConvertible {
    let description: String
}

/// The phones of the demo's subscribers, registered as by an app, each with another push service.
enum DemoPhones {
    private static let readers = ["en": "Grace", "fr": "Amélie", "ar": "ليلى", "cs": "Klára"]
    private static let platforms: [PushPlatform] = [.apns, .fcmv1, .wns]
    /// The categories that the subscribers chose, in turn.
    private static let choices = [
        DemoNewsroom.categories, ["World", "Politics", "Sports"], ["World", "Business", "Science", "Politics"],
    ]

    /// Returns a phone for each language.
    static func phones(_ languages: [String]) -> [SimulatedPhone] {
        languages.enumerated().map { index, language in
            let platform = platforms[index % platforms.count]
            return SimulatedPhone(
                id: "console-demo-\(index + 1)-\(language)",
                name: readers[language] ?? "Reader \(index + 1)",
                language: language,
                platform: platform,
                handle: handle(index, platform),
                tags: choices[index % choices.count]
            )
        }
    }

    /// Registers the phones at a running hub.
    ///
    /// - Throws: `DemoError` if the hub refuses a phone.
    static func register(_ phones: [SimulatedPhone], at hub: HubEmulator) throws {
        let connection = try HubConnectionString(hub.connectionStrings.first ?? "")
        let url = connection.endpoint.url + "/newsroom"
        let token = SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: url),
            expiry: (Timestamp.now() + .seconds(300)).seconds,
            keyName: connection.keyName,
            key: connection.key
        )
        for phone in phones {
            let answer = hub.answer(
                EmulatedRequest(
                    method: "PUT",
                    target: "/newsroom/installations/\(phone.id)?api-version=2020-06",
                    headers: [
                        .init("Host", String(url.dropFirst("http://".count).prefix { $0 != "/" })),
                        .init("Authorization", token.headerValue), .init("Content-Type", "application/json"),
                    ],
                    body: InstallationJSON.write(try installation(phone))
                )
            )
            guard answer.response.status == 200 else {
                throw DemoError(description: "the hub refused a phone: status \(answer.response.status)")
            }
        }
    }

    private static func installation(_ phone: SimulatedPhone) throws -> Installation {
        let channel: PushChannel =
            switch phone.platform {
            case .fcmv1: .fcmv1(registrationID: phone.handle)
            case .wns: .wns(uri: phone.handle)
            default: .apns(deviceToken: phone.handle)
            }
        return Installation(
            id: phone.id,
            channel: channel,
            tags: try phone.tags.map { try Tag($0) },
            templates: [template(phone)]
        )
    }

    /// Returns the template of an app that shows the worker's properties in the subscriber's language.
    private static func template(_ phone: SimulatedPhone) -> InstallationTemplate {
        let headline = "$(headline_\(phone.language))"
        switch phone.platform {
        case .fcmv1:
            return InstallationTemplate(
                name: "news",
                body: #"{"message":{"data":{"title":"$(category)","body":"\#(headline)","kind":"$(kind)","#
                    + #""story":"$(story)","url":"$(url)","delivery":"$(delivery)","id":"$(id)"},"android":{"priority":"high","collapse_key":"$(collapse_id)","#
                    + #""ttl":"{$(ttl) + 's'}"}}}"#
            )
        case .wns:
            return InstallationTemplate(
                name: "news",
                body:
                    #"<toast launch="{$(url) + '#' + $(delivery) + ':' + $(id)}"><visual><binding template="ToastGeneric">"#
                    + "<text>{'ms-resource:' + $(category)}</text><text>\(headline)</text></binding></visual></toast>",
                headers: [NamedValue("X-WNS-Type", "wns/toast"), NamedValue("X-WNS-Tag", "$(collapse_id)")]
            )
        default:
            return InstallationTemplate(
                name: "news",
                body: #"{"aps":{"alert":{"title":"$(category)","body":"\#(headline)"},"mutable-content":1,"#
                    + #""thread-id":"$(story)"},"kind":"$(kind)","story":"$(story)","url":"$(url)","#
                    + #""delivery":"$(delivery)","id":"$(id)"}"#
            )
        }
    }

    private static func handle(_ index: Int, _ platform: PushPlatform) -> String {
        switch platform {
        case .fcmv1: "demo-\(index + 1):APA91b0123456789"
        case .wns: "https://wns2-par02p.notify.windows.com/?token=demo-\(index + 1)"
        default: String(repeating: "0", count: 62) + (index < 15 ? "0" : "") + String(index + 1, radix: 16)
        }
    }
}
