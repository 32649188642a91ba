import StrictJSON

/// Tells the members of one object of a record by their names, and refuses one that stands twice.
///
/// The names are tried from the one behind the last found, since the writer keeps an order.
struct LedgerMembers<Name: LedgerMemberName> {
    private var next = 0
    private var seen: UInt32 = 0
    private let start: Int
    private let names = Name.names

    /// Enters the object that begins at a cursor.
    init(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        start = cursor.position
        try cursor.beginObject(bytes)
    }

    /// Goes to the value of the next known member; unknown ones are passed over.
    ///
    /// - Returns: Nothing behind the last.
    mutating func next(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) -> Name? {
        while let text = try cursor.nextMember(bytes) {
            if let name = name(of: text, bytes) {
                guard seen & 1 << UInt32(name.rawValue) == 0 else {
                    throw cursor.fault(.duplicateMember, at: cursor.position, "the member stands twice")
                }
                seen |= 1 << UInt32(name.rawValue)
                return name
            }
            try cursor.skip(bytes)
        }
        return nil
    }

    /// The fault of an object that lacks a member.
    func missing(_ name: Name, _ cursor: JSONCursor) -> JSONError {
        var fault = cursor.fault(.ledgerMember, at: start, "is missing")
        fault.path = "/\(names[name.rawValue])"
        return fault
    }

    private mutating func name(of text: JSONText, _ bytes: Span<UInt8>) -> Name? {
        var index = next
        for _ in names.indices {
            if index >= names.count { index = 0 }
            if text.equals(names[index], bytes) {
                next = index + 1
                return Name(rawValue: index)
            }
            index += 1
        }
        return nil
    }
}

/// The names of an object's members, in the order in which they are written.
protocol LedgerMemberName: RawRepresentable where RawValue == Int {
    /// At most 32, each at the index of its raw value.
    static var names: [StaticString] { get }
}

enum RecordMember: Int, LedgerMemberName {
    case version, story, phase, revision, passed, final, secure, event, source, kind, digest, changed, term, processed,
        words
    case text, earlier, begun, pushes, audiences, closing, waiting, sum

    static let names: [StaticString] = [
        "v", "story", "phase", "revision", "passed", "final", "secure", "event", "source", "kind", "digest",
        "changed", "term", "processed", "words", "text", "earlier", "begun", "pushes", "audiences", "closing",
        "waiting",
        "sum",
    ]
}

enum ProcessedMember: Int, LedgerMemberName {
    case through, open, ahead

    static let names: [StaticString] = ["through", "open", "ahead"]
}

enum TextMember: Int, LedgerMemberName {
    case language, headline, summary

    static let names: [StaticString] = ["language", "headline", "summary"]
}

enum AudienceMember: Int, LedgerMemberName {
    case hub, format, tags, locale, categories, users, act, kind, revision, at, certainty, followUp

    static let names: [StaticString] = [
        "hub", "format", "tags", "locale", "categories", "users", "act", "kind", "revision", "at", "certainty",
        "followUp",
    ]
}

enum PushMember: Int, LedgerMemberName {
    case at, source, words, categories, silent

    static let names: [StaticString] = ["at", "source", "words", "categories", "silent"]
}

enum ClosingMember: Int, LedgerMemberName {
    case offsets, event, outcome, reason, detail, stage

    static let names: [StaticString] = ["offsets", "event", "outcome", "reason", "detail", "stage"]
}

enum WaitingMember: Int, LedgerMemberName {
    case offset, timestamp, consumed, until, reason, source, hubs, attempts, key, keyBase64, value, valueBase64, headers

    static let names: [StaticString] = [
        "offset", "timestamp", "consumed", "until", "reason", "source", "hubs", "attempts", "key", "key_base64",
        "value",
        "value_base64", "headers",
    ]
}

enum HeaderMember: Int, LedgerMemberName {
    case name, value, valueBase64

    static let names: [StaticString] = ["name", "value", "value_base64"]
}
