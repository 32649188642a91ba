import NewsflashStrictJSON

@testable import NewsflashEvents

/// One withdrawal in each format that the worker reads, as the members of its document.
enum WithdrawalFormat: String, CaseIterable, Sendable {
    case event, ninjs1, ninjs2, ninjs3, superdesk, ap, fields, cloudEvent, binaryCloudEvent

    static let story = "s-1"

    /// Its decoder; a value of more than 20,000 bytes is too large for it.
    var decoder: EventDecoder { Self.decoders[self] ?? EventDecoder(defaultSource: "urn:source") }

    /// The decoders, each made once for tens of thousands of records.
    private static let decoders = Dictionary(
        uniqueKeysWithValues: allCases.map { format in
            (
                format,
                EventDecoder(defaultSource: "urn:source", format: format.format, maximumBytes: maximumBytes)
            )
        }
    )

    static let maximumBytes = 20_000

    private var format: SourceFormat {
        switch self {
        case .event, .cloudEvent, .binaryCloudEvent: .event
        case .ninjs1, .ninjs2, .ninjs3: .ninjs
        case .superdesk: .superdesk
        case .ap: .ap
        case .fields: .fields(Self.mapping)
        }
    }

    /// The member with the act.
    var act: String {
        switch self {
        case .event, .cloudEvent, .binaryCloudEvent: "kind"
        case .ninjs3: "pubStatus"
        case .ninjs1, .ninjs2, .superdesk, .ap: "pubstatus"
        case .fields: "type"
        }
    }

    /// The member with the story.
    var storyMember: String {
        switch self {
        case .event, .cloudEvent, .binaryCloudEvent: "story"
        case .ninjs1, .ninjs2, .ninjs3: "uri"
        case .superdesk: "guid"
        case .ap: "altids"
        case .fields: "article"
        }
    }

    /// Returns the members of the document, each with its JSON.
    func members(_ act: WithdrawalAct) -> [(name: String, json: String)] {
        let word = "\"\(word(of: act))\""
        let time = #""2026-03-02T08:00:00Z""#
        switch self {
        case .event, .cloudEvent, .binaryCloudEvent:
            return [
                ("v", "1"), ("id", #""k-1""#), ("story", #""s-1""#), ("revision", "2"), ("kind", word),
                ("published", time), ("categories", #"["world"]"#), ("text", #"{"en":{"headline":"Withdrawn"}}"#),
            ]
        case .ninjs1, .superdesk:
            return [
                (storyMember, #""s-1""#), ("version", #""2""#), ("versioncreated", time), ("pubstatus", word),
                ("headline", #""Words""#), ("subject", #"[{"code":"world"}]"#), ("ednote", #""see below""#),
            ]
        case .ninjs2:
            return [
                ("uri", #""s-1""#), ("version", #""2""#), ("versioncreated", time), ("pubstatus", word),
                ("headlines", #"[{"value":"Words"}]"#), ("subjects", #"[{"uri":"world"}]"#), ("type", #""text""#),
            ]
        case .ninjs3:
            return [
                ("uri", #""s-1""#), ("version", #""2""#), ("versionCreated", time), ("pubStatus", word),
                ("headlines", #"[{"value":"Words"}]"#), ("edNote", #""see below""#), ("type", #""text""#),
            ]
        case .ap:
            return [
                ("uri", #""https://api.ap.org/media/v/content/s-1?qt=a&et=b""#), ("altids", #"{"itemid":"s-1"}"#),
                ("version", "1"), ("versioncreated", time), ("pubstatus", word), ("headline", #""Words""#),
            ]
        case .fields:
            return [
                ("guid", #""g-2""#), ("article", #"{"id":"s-1"}"#), ("modified", "1772438400"), ("type", word),
                ("title", #""Words""#), ("time", time), ("section", #""world""#),
            ]
        }
    }

    private func word(of act: WithdrawalAct) -> String {
        switch (self, act) {
        case (.event, _), (.cloudEvent, _), (.binaryCloudEvent, _), (.fields, _): act.rawValue
        case (_, .hold): "withheld"
        case (_, .kill), (_, .cancel): "canceled"
        }
    }

    /// Returns the record of a document with the given members.
    func record(_ members: [(name: String, json: String)]) -> (value: [UInt8], headers: [EventHeader]) {
        let object = "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
        let attributes = [
            ("specversion", "1.0"), ("id", "k-1"), ("source", "urn:cms"),
            ("type", "org.example.news.breaking.other.v1"),
            ("subject", "s-1"),
        ]
        switch self {
        case .event, .ninjs1, .ninjs2, .ninjs3, .superdesk, .fields: return (Array(object.utf8), [])
        case .ap: return (Array(#"{"data":{"item":\#(object)}}"#.utf8), [])
        case .cloudEvent:
            let envelope = attributes.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",")
            return (Array("{\(envelope),\"data\":\(object)}".utf8), [])
        case .binaryCloudEvent:
            return (Array(object.utf8), attributes.map { EventHeader(name: "ce_\($0.0)", value: Array($0.1.utf8)) })
        }
    }

    private static let mapping: FieldMapping = {
        func rule(_ pointer: String, time: FieldRule.Time? = nil) -> [FieldRule] {
            [FieldRule(FieldPointer(pointer), time: time)]
        }
        let map = ["Breaking": "flash", "CANCEL": "kill"]
        return FieldMapping(
            members: [
                .id: rule("/guid"), .story: rule("/article/id"), .revision: rule("/modified", time: .epochSeconds),
                .kind: [FieldRule(FieldPointer("/type"), map: map, default: "update")],
                .published: rule("/time"), .embargo: rule("/embargo"), .expires: rule("/expires"),
                .users: rule("/to/*"), .delivery: rule("/delivery"), .categories: rule("/section"),
                .urgency: rule("/urgency"), .language: rule("/language"), .note: rule("/note"), .url: rule("/url"),
                .mode: rule("/mode"),
            ],
            texts: .one(FieldMapping.Text(headline: rule("/title")))
        )
    }()
}

/// The words for a withdrawal; only feeds have one for `cancel`, which is not a kind of an event.
enum WithdrawalAct: String, CaseIterable, Sendable {
    case kill, hold, cancel
}

extension DecodeOutcome {
    /// Whether the record withdraws or holds its story, and cannot notify anybody.
    var restricts: Bool {
        switch self {
        case .event(let event, _): !event.kind.isNews && event.story == WithdrawalFormat.story
        case .rejected(let rejection):
            rejection.holdsStory && rejection.story == WithdrawalFormat.story && rejection.id?.isEmpty == false
                && rejection.detail.hasSuffix(EventRejection.holdNotice)
        case .tombstone: false
        }
    }

    /// Whether the outcome contains the error.
    var isReported: Bool {
        switch self {
        case .event(_, let warnings): warnings.contains { $0.rawValue == "withdrawal.faulty" && $0.detail != "" }
        case .rejected: true
        case .tombstone: false
        }
    }
}
