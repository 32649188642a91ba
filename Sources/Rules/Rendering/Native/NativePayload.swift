package import NewsEvents

/// The payload of a native push: exact bytes in the words of one platform.
package struct NativePayload: Sendable, Equatable {
    /// JSON, or XML for Windows.
    package let body: [UInt8]
    /// Whether a text was cut, or a picture or an address left out, so that it fits.
    package let isShortened: Bool
    /// Where in ``body`` stands what the clock alone changes; empty where that goes in headers.
    package let clockPart: Range<Int>

    /// The room that is kept for a headline before pictures and addresses, in bytes as they are written.
    private static let leastHeadline = 256

    /// Makes a payload.
    ///
    /// Where texts are too long, the whole is measured without them and the rest of the platform's bytes is theirs: first the
    /// summary gives way, then the headline. Where what is beside them leaves no room for a headline, the picture goes
    /// first, then the categories, then the address.
    ///
    /// - Parameters:
    ///   - form: The platform; not ``SendForm/template``.
    ///   - event: What happened.
    ///   - text: What readers are told.
    ///   - push: What lets platforms replace and forget it, and how much it disturbs.
    ///   - category: The category or categories that the send goes to.
    ///   - ellipsis: Put at the end of a text that is cut.
    /// - Throws: ``NativePayloadError`` where it would be too long even without all that.
    package init(
        _ form: SendForm,
        of event: NewsEvent,
        text: RenderedText,
        push: PushTraits,
        category: String,
        ellipsis: String = "…"
    ) throws(NativePayloadError) {
        let facts = NativeFacts(of: event, category: category)
        try self.init(form, facts, text: text, push: push, ellipsis: ellipsis)
    }

    /// Makes the payload of a push whose words do not travel: of the event it has a token alone, as `secureId`.
    ///
    /// - Parameters:
    ///   - form: The platform; not ``SendForm/template``.
    ///   - token: Stands for the event; see ``SecureTokens``.
    ///   - notice: What is shown, in one language.
    ///   - push: What lets platforms replace and forget it, and how much it disturbs.
    /// - Throws: ``NativePayloadError``, which no such payload brings about.
    package init(
        _ form: SendForm,
        ofSecure token: String,
        notice: RenderedText,
        push: PushTraits
    ) throws(NativePayloadError) {
        // No notice is long enough to be cut.
        try self.init(form, NativeFacts(ofSecure: token), text: notice, push: push, ellipsis: "…")
    }

    private init(
        _ form: SendForm,
        _ facts: NativeFacts,
        text: RenderedText,
        push: PushTraits,
        ellipsis: String
    ) throws(NativePayloadError) {
        let writer = NativeWriter(form: form, push: push)
        var facts = facts
        let whole = writer.body(headline: text.headline, summary: text.summary, facts)
        if whole.bytes.count <= form.maximumBytes {
            self.init(whole, isShortened: false)
            return
        }
        let encoding = form.encoding
        let needed = min(encoding.bytes(of: text.headline), Self.leastHeadline)
        var room = form.maximumBytes - writer.body(headline: "", summary: nil, facts).bytes.count
        for leave in NativeFacts.inOrderOfLeaving where room < needed {
            leave(&facts)
            room = form.maximumBytes - writer.body(headline: "", summary: nil, facts).bytes.count
        }
        guard room >= needed else { throw NativePayloadError(form: form, bytes: whole.bytes.count) }
        let budget = TextBudget(characters: .max, bytes: room, ellipsis: ellipsis, encoding: encoding)
        if budget.admits(text.headline), let summary = text.summary {
            let empty = writer.body(headline: text.headline, summary: "", facts).bytes.count
            let rest = TextBudget(
                characters: .max,
                bytes: form.maximumBytes - empty,
                ellipsis: ellipsis,
                encoding: encoding
            )
            let cut = rest.cut(summary).text
            // An ellipsis alone says nothing.
            if cut.count > ellipsis.count {
                self.init(writer.body(headline: text.headline, summary: cut, facts), isShortened: true)
                return
            }
        }
        let headline = budget.cut(text.headline).text
        self.init(writer.body(headline: headline, summary: nil, facts), isShortened: true)
    }

    private init(_ written: PayloadBytes, isShortened: Bool) {
        self.body = written.bytes
        self.isShortened = isShortened
        self.clockPart = written.clockPart
    }
}

/// Why an event has no payload that a platform would take.
package struct NativePayloadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The platform.
    package let form: SendForm
    /// The size of the payload before anything was shortened.
    package let bytes: Int

    /// What is wrong and what to do.
    package var description: String {
        "the payload for \(form.rawValue) takes \(bytes) bytes and does not fit in \(form.maximumBytes) even with the "
            + "shortest texts; shorten the event's id or story"
    }
}

/// What goes with the texts, for the app.
struct NativeFacts {
    let id: String
    let story: String
    let kind: String
    /// Whether ``id`` is all that may be told.
    let isSecure: Bool
    var category: String?
    var url: String?
    var image: String?

    init(of event: NewsEvent, category: String) {
        id = event.id
        story = event.story
        kind = event.kind.rawValue
        isSecure = false
        self.category = category.isEmpty ? nil : category
        url = event.url
        image = event.image
    }

    init(ofSecure token: String) {
        id = token
        story = ""
        kind = ""
        isSecure = true
    }

    /// What an app can do without, the least needed first.
    static let inOrderOfLeaving: [@Sendable (inout NativeFacts) -> Void] = [
        { $0.image = nil }, { $0.category = nil }, { $0.url = nil },
    ]

    /// Names and values of those that are there.
    var members: [(name: StaticString, value: String)] {
        if isSecure { return [("secureId", id)] }
        var members: [(name: StaticString, value: String)] = [("id", id), ("story", story), ("kind", kind)]
        if let category { members.append(("category", category)) }
        if let url { members.append(("url", url)) }
        if let image { members.append(("image", image)) }
        return members
    }
}
