package import NewsflashEvents
import NewsflashPlanning
package import NewsflashPublishing
package import NewsflashRendering
import NotificationHubs

/// The content and the audiences of an event's notifications.
package struct RehearsedPush: Sendable {
    /// The text for subscribers of one language.
    package struct Text: Sendable, Equatable {
        /// The offered locale.
        package var locale: String
        /// The language of the event's text that it comes from.
        package var textFrom: String
        /// The headline as shown: cleaned and shortened, within the text pattern of its kind.
        package var headline: String
        /// Whether headline or summary was shortened.
        package var isTruncated: Bool
    }

    /// The event with the texts that were sent. A kill without texts has those of its story.
    package let event: NewsEvent
    /// The requests that hubs accepted, one for each audience.
    package let sends: [PlannedSend]
    /// Whether it was sent to the audiences notified before, regardless of its own categories.
    package let goesToTold: Bool
    /// Whether its texts were not sent: ``texts`` contains the notice.
    package let isSecure: Bool
    /// Whether it was made silent, regardless of its urgency.
    package let isSilenced: Bool
    /// One for each offered language; only for the event's languages if it is only for their subscribers.
    package let texts: [Text]
    /// The events whose subscribers it was sent to, oldest first, if ``goesToTold`` is true.
    package internal(set) var audienceFrom: [String] = []

    /// The highest interruption level of its requests.
    package var interruption: InterruptionLevel? {
        InterruptionLevel.allCases.last { level in sends.contains { $0.interruption == level } }
    }

    /// The user tags that the event named, or that were notified before, sorted.
    package var userTags: [String] {
        Set(sends.lazy.filter(\.isForUsers).flatMap { $0.expression.tags.map(\.description) }).sorted()
    }

    /// The event's languages whose texts were shortened.
    package var truncated: [String] {
        let cut = texts.filter(\.isTruncated).map(\.textFrom)
        let cutInBody = sends.filter { $0.isTruncated && $0.locale != nil }.compactMap(\.textFrom)
        return Set(cut + cutInBody).sorted()
    }
}

extension RehearsedPush {
    /// Summarizes the requests that hubs accepted.
    ///
    /// - Parameters:
    ///   - note: The latest plan of the event.
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

extension RehearsedPush.Text {
    fileprivate init(_ text: RenderedText) {
        self.init(
            locale: text.locale,
            textFrom: text.textFrom,
            headline: text.headline,
            isTruncated: text.isTruncated
        )
    }
}
