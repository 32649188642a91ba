import StrictJSON

/// An order of a record for its story: to withdraw it, to hold it, or to notify subscribers.
///
/// Found out before anything else of the record is judged, because an order that restricts is obeyed although something about
/// it is wrong. It needs nothing but its story.
struct RecordOrder {
    enum Act {
        /// A kill or a hold.
        case withdraw(EventKind)
        /// An act that cannot be understood and may restrict, with the reason. Its story is held.
        case unclear(Refusal)
        case notify
    }

    let act: Act
    /// The story in the form that events have; `nil` if it cannot be read.
    let story: String?

    /// Reads the order of a document.
    ///
    /// - Parameters:
    ///   - document: The members of an event, whatever is wrong with them.
    ///   - unclear: Why the act is not known, if the reader of a feed's item found that out.
    ///   - fallback: The story that an envelope names, for a document whose own cannot be read.
    init(of document: JSONValue, unclear: Refusal? = nil, story fallback: String? = nil) {
        story = Self.story(document[member: "story"]?.string) ?? Self.story(fallback)
        let kind = document[member: "kind"]
        if let unclear {
            act = .unclear(unclear)
        } else if let kind = kind?.string.flatMap(EventKind.init(rawValue:)) {
            act = kind == .kill || kind == .hold ? .withdraw(kind) : .notify
        } else {
            act = .unclear(Refusal(.schema, "/kind: \(kind == nil ? "is missing" : "is not known")"))
        }
    }

    private static func story(_ text: String?) -> String? {
        guard let text, text.utf8.count <= EventSchemaReader.longestStory, TextForm.identifier.fits(text) else {
            return nil
        }
        return text
    }
}

extension EventRejection {
    /// The end of the detail of a rejection that holds its story.
    package static let holdNotice = "; the story is held until a newer revision"

    /// The rejection of a record that may restrict its story.
    ///
    /// - Parameters:
    ///   - story: The story; if it is `nil` nothing can be held.
    ///   - revision: The revision of the hold; `nil` for that of the rejection.
    ///   - id: The id of a record that has none, so that two holds are not taken for one.
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

    /// Makes it one that holds nothing.
    mutating func release() {
        guard holdsStory else { return }
        holdsStory = false
        if detail.hasSuffix(Self.holdNotice) { detail = String(detail.dropLast(Self.holdNotice.count)) }
    }
}
