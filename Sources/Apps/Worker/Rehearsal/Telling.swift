package import NewsEvents
import NotificationHubs
package import Publishing
package import Rendering

/// What readers were told of an event, and which.
package struct Telling: Sendable {
    /// What readers of one language are shown.
    package struct Text: Sendable, Equatable {
        /// The language that was offered.
        package var locale: String
        /// The language of the event that its text comes from.
        package var textFrom: String
        /// As subscribers see it: after cleaning and cutting, with the words that the kind puts around it.
        package var headline: String
        /// Whether headline or summary had to be cut.
        package var isTruncated: Bool
    }

    /// With the words that were told: a kill that brings none has those of its story.
    package let event: NewsEvent
    /// The requests that hubs accepted, one for each audience.
    package let sends: [PlannedSend]
    /// Whether it went to those who were told before, whatever its own categories say.
    package let goesToTold: Bool
    /// Whether its words did not travel: ``texts`` are the notice.
    package let isSecure: Bool
    /// Whether it had to be silent, whatever its urgency says.
    package let isSilenced: Bool
    /// One for each offered language, or for those of the event alone if it is only for their readers.
    package let texts: [Text]
    /// The events whose readers it went to, the oldest first, where ``goesToTold`` is true.
    package internal(set) var audienceFrom: [String] = []

    /// The loudest of its requests.
    package var interruption: InterruptionLevel? {
        InterruptionLevel.allCases.last { level in sends.contains { $0.interruption == level } }
    }

    /// The tags of readers whom the event named, or who were told by name, in order.
    package var userTags: [String] {
        Set(sends.lazy.filter(\.isForUsers).flatMap { $0.expression.tags.map(\.description) }).sorted()
    }

    /// The languages of the event whose texts were cut.
    package var truncated: [String] {
        let cut = texts.filter(\.isTruncated).map(\.textFrom)
        let cutInBody = sends.filter { $0.isTruncated && $0.locale != nil }.compactMap(\.textFrom)
        return Set(cut + cutInBody).sorted()
    }
}

extension Telling {
    /// Looks at the requests that hubs accepted.
    ///
    /// - Parameters:
    ///   - note: The event as it was planned the last time.
    ///   - sends: The accepted requests.
    ///   - news: The newsroom's rules.
    init(_ note: RehearsalPlanner.Note, accepted sends: [PlannedSend], by news: NewsSettings) {
        let story = note.story
        var event = note.event
        if event.text.isEmpty, let words = story?.text { event.text = words }
        self.event = event
        self.sends = sends
        let isForTold = event.kind == .kill || event.kind == .correction
        goesToTold = isForTold && story?.wasNotified == true
        isSilenced = note.loudness == .silent
        isSecure = sends.first?.template == SecureNotice.template
        if isSecure, let notice = news.text.notice {
            texts = notice.news.locales.map(Text.init)
            return
        }
        texts = Self.texts(of: event, as: sends.first.flatMap { TextKind(rawValue: $0.template) } ?? .alert, by: news)
    }

    private static func texts(of event: NewsEvent, as kind: TextKind, by news: NewsSettings) -> [Text] {
        let renderer = Renderer(locales: news.locales, rules: news.text, limits: news.limits)
        let own = event.readers == .own && event.kind != .kill ? renderer.ownLocales(of: event) : nil
        let texts = renderer.render(event, as: kind)?.locales ?? []
        return texts.filter { own?.contains($0.locale) ?? true }.map(Text.init)
    }
}

extension Telling.Text {
    fileprivate init(_ text: RenderedText) {
        self.init(
            locale: text.locale,
            textFrom: text.textFrom,
            headline: text.headline,
            isTruncated: text.isTruncated
        )
    }
}
