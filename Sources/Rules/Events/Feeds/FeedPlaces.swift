import NewsflashBasics
import NewsflashStrictJSON

/// The flavours of ninjs, which differ in their members.
enum NinjsFlavour: String, CaseIterable {
    /// IPTC's generations 1.x to 3.x, which differ in the spelling of their members.
    case ninjs
    case superdesk
    case ap
}

/// The only list of the paths at which items of feeds are read.
///
/// ``NinjsItem`` reads them, faults name them, and the table in `deploy/guides/feeds.md` is made from them.
enum FeedPlaces {
    /// A part of an item that is read.
    enum Part: String, CaseIterable {
        case story, rewritten, version, created, firstCreated, contentCreated, status, signal, note, genre, urgency,
            type
        case representation, embargo, expires, language, headline, summary, categories, link, image

        /// Whether it may contain an instruction, or identifies the story and version.
        var isOfOrder: Bool { ![.summary, .categories, .image].contains(self) }
    }

    /// The form of a value, for faults of members that are ignored.
    enum Form {
        case text, word, time, list, any

        /// The complaint about a value that is not of the form; `nil` if it is.
        func complaint(of value: JSONValue) -> String? {
            switch (self, value) {
            case (.any, _), (.text, .string), (.word, .string), (.word, .number), (.list, .array), (.list, .object): nil
            case (.time, .string(let text)) where FeedTime.instant(text) != nil || FeedTime.isNone(text): nil
            case (.time, _): "must be a date-time, is \(value.string == nil ? value.typeName : "another text")"
            case (.text, _): "must be a string, is \(value.typeName)"
            case (.word, _): "must be a string or a number, is \(value.typeName)"
            case (.list, _): "must be an array or an object, is \(value.typeName)"
            }
        }
    }

    /// The paths of a part, as JSON Pointers in the order in which they are tried.
    static func places(of part: Part, in flavour: NinjsFlavour) -> [String] {
        switch part {
        case .story:
            switch flavour {
            case .ninjs: ["/uri", "/guid"]
            case .superdesk: ["/guid", "/uri"]
            case .ap: ["/altids/itemid", "/itemid", "/uri"]
            }
        case .rewritten: flavour == .superdesk ? ["/evolvedfrom", "/rewrite_of"] : []
        case .version: ["/version"]
        case .created: ["/versionCreated", "/versioncreated"]
        case .firstCreated: ["/firstCreated", "/firstcreated"]
        case .contentCreated: ["/contentCreated", "/contentcreated"]
        case .status: ["/pubStatus", "/pubstatus"]
        case .signal: ["/signal", "/signals", "/editorialtypes"]
        case .note: ["/edNote", "/ednote"]
        case .genre: ["/genres", "/genre"]
        case .urgency: flavour == .ap ? ["/urgency", "/editorialpriority"] : ["/urgency"]
        case .type: ["/type"]
        case .representation: ["/representationType", "/representationtype"]
        case .embargo: ["/embargoedUntil", "/embargoed", "/publish_schedule"]
        case .expires: ["/expires"]
        case .language: ["/language"]
        case .headline: ["/headline", "/headlines", "/title"]
        case .summary: [flavour == .ap ? "/headline_extended" : "/description_text", "/descriptions"]
        case .categories:
            ["/subjects", "/subject"] + (flavour == .superdesk ? ["/service"] : []) + ["/places", "/place"]
        case .link: ["/altIds", "/altids", "/extra/web_url", "/links"]
        case .image: ["/associations"]
        }
    }

    /// Whether the name of a member, in lower case, is that of an embargo: one of ninjs, or any that begins with `embargo`.
    static func isEmbargo(_ name: String) -> Bool {
        name.hasPrefix("embargo") || ["publish_schedule", "notbefore", "not_before"].contains(name)
    }

    /// Whether a member, with its name in lower case, is an embargo. If the name begins with `embargo` and has an unknown
    /// ending, as in `embargoReason`, the value must also look like a time.
    static func isEmbargo(_ name: String, _ value: JSONValue) -> Bool {
        guard isEmbargo(name) else { return false }
        guard name.hasPrefix("embargo") else { return true }
        let rest = name.dropFirst("embargo".count).filter { $0 != "_" && $0 != "-" }
        return timesOfEmbargo.contains(String(rest)) || value.mentionsTime
    }

    /// The endings of names of members that contain the time of an embargo, or state that there is one.
    private static let timesOfEmbargo: Set<String> = [
        "", "ed", "s", "es", "until", "eduntil", "till", "edtill", "to", "edto", "date", "eddate", "datetime", "time",
        "timestamp", "end", "enddate", "endtime", "ends", "endsat", "expires", "expiry", "lift", "liftdate", "lifttime",
        "release", "releasedate", "releasetime", "untildate", "status", "state", "active", "flag", "on", "set",
    ]

    /// The form of the values of a part at a path; a path for several texts has a list.
    static func form(of part: Part, at place: String) -> Form {
        switch part {
        case .headline where place == "/headlines", .summary where place == "/descriptions": .list
        case .story, .note, .type, .representation, .headline, .summary: .text
        case .version, .urgency: .word
        case .created, .firstCreated, .contentCreated, .embargo, .expires: .time
        case .categories: .list
        case .status, .signal, .genre, .rewritten, .language, .link, .image: .any
        }
    }

    /// The parts from which each member of an event is made; the members are in the order of the schema.
    static let members: [(member: String, parts: [Part])] = [
        ("id", [.story, .version, .created]),
        ("story", [.rewritten, .story]),
        ("revision", [.version, .created]),
        ("kind", [.status, .signal, .note, .genre, .urgency]),
        ("urgency", [.urgency]),
        ("published", [.created, .firstCreated, .contentCreated]),
        ("embargo", [.embargo]),
        ("expires", [.expires]),
        ("categories", [.categories]),
        ("language", [.language]),
        ("text", [.headline]),
        ("url", [.link]),
        ("image", [.image]),
        ("note", [.note]),
    ]

    /// The table of a guide: the paths of each member of an event in each flavour.
    static var table: String {
        func cell(_ parts: [Part], _ flavour: NinjsFlavour) -> String {
            var seen: Set<String> = []
            return parts.flatMap { places(of: $0, in: flavour) }.filter { seen.insert($0).inserted }
                .map { "`\($0)`" }.joined(separator: ", ")
        }
        let others: [(member: String, parts: [Part])] = [
            ("`text`, the summary", [.summary]), ("whether it is for push", [.type, .representation, .urgency]),
        ]
        let rows = (members.map { ("`\($0.member)`", $0.parts) } + others).map { member, parts in
            ([member] + NinjsFlavour.allCases.map { cell(parts, $0) }).joined(separator: " | ")
        }
        let head = ["of the event", "in ninjs 1.x to 3.x", "in Superdesk's items", "in AP's items"]
        return ([head.joined(separator: " | "), "--- | --- | --- | ---"] + rows).map { "| \($0) |" }.joined(
            separator: "\n"
        )
    }
}

extension JSONValue {
    /// The value at a path of ``FeedPlaces``, unless it is null.
    func at(_ place: String) -> JSONValue? {
        var value = self
        for step in place.split(separator: "/") {
            guard let next = value.present(String(step)) else { return nil }
            value = next
        }
        return value
    }

    /// The value at a path, regardless of the case of names.
    func atAnyCase(_ place: String) -> JSONValue? {
        var value = self
        for step in place.split(separator: "/") {
            guard let next = value.present(anyCase: String(step)) else { return nil }
            value = next
        }
        return value
    }
}
