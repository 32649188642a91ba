import NewsflashSigning
import NewsflashStrictJSON
import NewsflashTimestamps

/// The instruction of a record for its story: withdraw it, hold it, or notify subscribers.
///
/// It is determined before the rest of the record is checked, because an instruction that restricts is obeyed even if the
/// record has faults. It needs only the story.
struct RecordOrder {
    enum Act {
        /// A kill or a hold.
        case withdraw(EventKind)
        /// An act that is unclear and may restrict, with the reason. Its story is held.
        case unclear(DecodeError)
        case notify
    }

    let act: Act
    /// The story in the form that events have; `nil` if it is unreadable.
    let story: String?

    /// Reads the instruction of a document.
    ///
    /// - Parameters:
    ///   - document: The members of an event, even if they have faults.
    ///   - unclear: The reason why the act is unknown, if the reader of a feed's item found one.
    ///   - fallback: The story in an envelope, for a document whose own story is unreadable.
    init(of document: JSONValue, unclear: DecodeError? = nil, story fallback: String? = nil) {
        story = Self.story(document[member: "story"]?.string) ?? Self.story(fallback)
        let kind = document[member: "kind"]
        if let unclear {
            act = .unclear(unclear)
        } else if let kind = kind?.string.flatMap(EventKind.init(rawValue:)) {
            act = kind == .kill || kind == .hold ? .withdraw(kind) : .notify
        } else {
            act = .unclear(DecodeError(.schema, "/kind: \(kind == nil ? "is missing" : "is unknown")"))
        }
    }

    private static func story(_ text: String?) -> String? {
        guard let text, text.utf8.count <= EventSchemaReader.longestStory, StringSyntax.identifier.fits(text) else {
            return nil
        }
        return text
    }
}

extension EventRejection {
    /// The end of the detail of a rejection that holds its story.
    package static let holdNotice = "; the story is held until a newer revision"

    /// Returns the rejection of a record that may restrict its story.
    ///
    /// - Parameters:
    ///   - story: The story; if it is `nil`, nothing is held.
    ///   - revision: The revision of the hold; `nil` for that of the rejection.
    ///   - id: The id for a record that has none, so that two holds have different ids.
    /// - Returns: The rejection, which holds the story; its detail ends with ``holdNotice``.
    func holding(_ story: String?, revision: Int64? = nil, id: @autoclosure () -> String) -> EventRejection {
        guard let story else { return self }
        var rejection = self
        rejection.revision = revision ?? rejection.revision
        rejection.holdsStory = true
        rejection.story = story
        if rejection.id == nil { rejection.id = id() }
        let room = 1024 - Self.holdNotice.utf8.count
        if rejection.detail.utf8.count > room {
            rejection.detail = String(decoding: rejection.detail.utf8.prefix(room), as: UTF8.self)
        }
        rejection.detail += Self.holdNotice
        return rejection
    }

    /// Changes the rejection so that it holds nothing.
    mutating func release() {
        guard holdsStory else { return }
        holdsStory = false
        if detail.hasSuffix(Self.holdNotice) { detail = String(detail.dropLast(Self.holdNotice.count)) }
    }
}

/// Conversion of ids and stories of feeds to the form that events require.
enum FeedName {
    /// Returns a name itself, or its digest if it is too long for an event or is not printable ASCII without blanks.
    static func shaped(_ name: String, most: Int) -> String {
        guard name.utf8.count > most || !StringSyntax.identifier.fits(name) else { return name }
        return digest(Array(name.utf8))
    }

    /// The id of an item: its story or name, its revision, and a word for its act unless it notifies.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - number: Its revision as text; `nil` if it has none.
    ///   - act: A word for its act, such as `canceled`: the same revision may be withheld, released and canceled.
    /// - Returns: An id such as `uri#2!canceled`.
    static func id(_ name: String, number: String?, act: String?) -> String {
        let ending = act.map { "!\($0)" } ?? ""
        let whole = number.map { "\(name)#\($0)" } ?? name
        return shaped(whole, most: EventSchemaReader.longestID - ending.utf8.count) + ending
    }

    /// The id of a withdrawal that has none: the same each time the record is read.
    ///
    /// - Parameters:
    ///   - kind: Kill or hold. Each record of a hold is another act, even if its bytes are the same.
    ///   - document: The record's document.
    ///   - writtenAt: The record's time.
    /// - Returns: A digest.
    static func id(of kind: EventKind, _ document: JSONValue, writtenAt: Timestamp?) -> String {
        var writer = JSONWriter()
        writer.value(document)
        let time = kind == .kill ? "" : writtenAt.map { String($0.milliseconds) } ?? ""
        return digest(Array("\(kind.rawValue) \(time) ".utf8) + writer.bytes)
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let digest = SHA256Digest.hash(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "sha256:" + String(decoding: digest, as: UTF8.self)
    }
}
