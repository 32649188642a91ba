package import NewsflashEvents

/// The payload of a native push: the exact bytes in the format of one platform.
package struct NativePayload: Sendable, Equatable {
    /// JSON, or XML for Windows.
    package let body: [UInt8]
    /// Whether a text was cut, or a picture or a link left out, so that it fits.
    package let isShortened: Bool
    /// The range of the time-dependent properties in ``body``; empty if they are in headers.
    package let clockPart: Range<Int>

    /// The room that is reserved for a headline before pictures and links, in encoded bytes.
    private static let leastHeadline = 256

    /// Creates a payload.
    ///
    /// If the texts are too long, the payload is measured without them, and they get the rest of the platform's limit: first
    /// the summary is shortened or dropped, then the headline is cut. If the other members leave no room for a headline, the
    /// picture is dropped first, then the categories, then the declarative form of a web push, then the link.
    ///
    /// - Parameters:
    ///   - form: The platform; not ``PayloadFormat/template``.
    ///   - event: The event.
    ///   - text: The text for subscribers.
    ///   - push: The traits of the push.
    ///   - category: The category or categories that the send goes to.
    ///   - ellipsis: The mark at the end of a text that is cut.
    /// - Throws: ``NativePayloadError`` if it is too long even then.
    package init(
        _ form: PayloadFormat,
        of event: NewsEvent,
        text: RenderedText,
        push: PushTraits,
        category: String,
        ellipsis: String = "…"
    ) throws(NativePayloadError) {
        let facts = NativeFacts(of: event, category: category, language: text.textFrom)
        try self.init(form, facts, text: text, push: push, ellipsis: ellipsis)
    }

    /// Creates the payload of a push without the event's text: it contains only a token of the event, as `secureId`.
    ///
    /// - Parameters:
    ///   - form: The platform; not ``PayloadFormat/template``.
    ///   - token: The token of the event; see ``SecureTokens``.
    ///   - notice: The notice to show, in one language.
    ///   - push: The traits of the push.
    /// - Throws: ``NativePayloadError``; never in practice, because notices are short.
    package init(
        _ form: PayloadFormat,
        ofSecure token: String,
        notice: RenderedText,
        push: PushTraits
    ) throws(NativePayloadError) {
        // A notice is never long enough to be cut.
        try self.init(form, NativeFacts(ofSecure: token), text: notice, push: push, ellipsis: "…")
    }

    private init(
        _ form: PayloadFormat,
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
        /// The room that a payload leaves for a text.
        func left(headline: String, summary: String?) -> Int {
            let bytes = writer.body(headline: headline, summary: summary, facts).bytes.count
            return (form.maximumBytes - bytes) / writer.copies(facts)
        }
        var room = left(headline: "", summary: nil)
        for leave in NativeFacts.inOrderOfLeaving where room < needed {
            leave(&facts)
            room = left(headline: "", summary: nil)
        }
        guard room >= needed else { throw NativePayloadError(form: form, bytes: whole.bytes.count) }
        let budget = TextBudget(characters: .max, bytes: room, ellipsis: ellipsis, encoding: encoding)
        if budget.admits(text.headline), let summary = text.summary {
            let rest = TextBudget(
                characters: .max,
                bytes: left(headline: text.headline, summary: ""),
                ellipsis: ellipsis,
                encoding: encoding
            )
            let cut = rest.cut(summary).text
            // An ellipsis alone is useless.
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

/// The error for an event whose payload exceeds the limit of a platform.
package struct NativePayloadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The platform.
    package let form: PayloadFormat
    /// The size of the payload in bytes, before anything was shortened.
    package let bytes: Int

    /// The problem and what to do.
    package var description: String {
        "the payload for \(form.rawValue) takes \(bytes) bytes and does not fit in \(form.maximumBytes) even with the "
            + "shortest texts; shorten the event's id or story"
    }
}

/// The members for the app, in addition to the texts.
struct NativeFacts {
    let id: String
    let story: String
    let kind: String
    /// Whether ``id`` is the only member that may be sent.
    let isSecure: Bool
    /// The language of the texts; empty if it may not be sent.
    let language: String
    var category: String?
    var url: String?
    /// The link of the declarative form of a web push; `nil` if a service worker must show the notification.
    var declaredURL: String?
    var image: String?

    init(of event: NewsEvent, category: String, language: String) {
        id = event.id
        story = event.story
        kind = event.kind.rawValue
        isSecure = false
        self.language = language
        self.category = category.isEmpty ? nil : category
        url = event.url
        declaredURL = event.url
        image = event.image
    }

    init(ofSecure token: String) {
        id = token
        story = ""
        kind = ""
        isSecure = true
        language = ""
    }

    /// The removals of members that an app does not need, the least needed first.
    static let inOrderOfLeaving: [@Sendable (inout NativeFacts) -> Void] = [
        { $0.image = nil }, { $0.category = nil }, { $0.declaredURL = nil }, { $0.url = nil },
    ]

    /// The names and values of the members that are present.
    var members: [(name: StaticString, value: String)] {
        if isSecure { return [("secureId", id)] }
        var members: [(name: StaticString, value: String)] = [("id", id), ("story", story), ("kind", kind)]
        if let category { members.append(("category", category)) }
        if let url { members.append(("url", url)) }
        if let image { members.append(("image", image)) }
        return members
    }
}

/// The form in which news is sent to a hub: `as:` of the configuration. The raw value is also used in outcomes and the
/// ledger.
package enum PayloadFormat: String, Sendable, CaseIterable {
    /// Properties from which each device's own template makes its notification, on every platform.
    case template
    /// Apple's payload.
    case apns
    /// Firebase's message, HTTP version 1.
    case fcmv1
    /// A toast for Windows.
    case wns
    /// Amazon's message.
    case adm
    /// A message for a browser: for the site's service worker, and in the declarative form.
    case browser

    /// Whether a push in this form contains the text of only one language.
    package var hasOneLanguage: Bool { self != .template }
}

extension PayloadFormat {
    /// The maximum size of a payload in bytes.
    ///
    /// Sources: Apple, Generating a remote notification; Firebase, Set and manage message priority; Windows, Send a WNS
    /// native notification (5 KB, minus a reserve); Amazon, Send a message; web push, RFC 8291: 4096 bytes including what
    /// encryption adds. For templates, the hub's limit.
    package var maximumBytes: Int {
        switch self {
        case .template: TemplateProperties.maximumBytes
        case .apns, .fcmv1: 4096
        case .wns: 5000
        case .adm: 6144
        case .browser: 3993
        }
    }

    /// The encoding of texts in it.
    var encoding: TextEncoding { self == .wns ? .xml : .json }
}

/// The bytes of a payload, and the range of its time-dependent properties.
struct PayloadBytes {
    var bytes: [UInt8]
    /// Empty if nothing depends on the clock.
    var clockPart = 0..<0
}
