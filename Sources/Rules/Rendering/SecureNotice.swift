import NewsflashEvents
import NewsflashStrictJSON

/// The notice that subscribers see instead of the text of a secure event: `text.secure` of the configuration.
package struct SecureNotice: Sendable, Equatable {
    /// The origin of the text of a target, as named in outcomes and the ledger.
    package static let template = "secure"
    /// The maximum size of the notice in one language, in bytes: all languages are sent together.
    private static let longest = 512

    /// The notice in every offered language, in the form of an event's texts.
    package let news: RenderedNews

    /// Checks the notice.
    ///
    /// - Parameters:
    ///   - source: The configured notice.
    ///   - locales: The languages that need a notice.
    /// - Throws: ``RuleProblems`` with paths such as `text.secure.fr`.
    init(_ source: TextRules.Source, locales: OfferedLocales) throws(RuleProblems) {
        let path = "text.secure"
        let problems = Self.problems(of: source, path: path)
        guard problems.isEmpty else { throw RuleProblems(problems) }
        let words = try LocalizedPattern(source, path: path, locales: locales)
        let notices = locales.offered.enumerated().map { index, locale in
            let pattern = words.patterns[words.place(forLocale: index, foreignText: nil)]
            return RenderedText(
                locale: locale,
                textFrom: locale,
                headline: Self.text(of: pattern),
                summary: nil,
                isTruncated: false
            )
        }
        news = RenderedNews(locales: notices, defaultIndex: locales.defaultIndex)
    }

    private static func text(of pattern: MessagePattern) -> String {
        TextCleaning.clean(pattern.formatted { _ in "" })
    }

    /// The problems of single notices. A notice with an invalid pattern is reported when the patterns are parsed.
    private static func problems(of source: TextRules.Source, path: String) -> [ValidationProblem] {
        let notices: [(path: String, text: String)] =
            switch source {
            case .all(let text): [(path, text)]
            case .byLocale(let entries): entries.map { ("\(path).\($0.locale)", $0.pattern) }
            }
        return notices.compactMap { path, text in
            guard let pattern = try? MessagePattern(text) else { return nil }
            return fault(in: pattern, Self.text(of: pattern)).map { ValidationProblem(path: path, message: $0) }
        }
    }

    private static func fault(in pattern: MessagePattern, _ text: String) -> String? {
        guard pattern.arguments.isEmpty, !pattern.hasChoices else {
            return "must not contain braces: it replaces the text and must reveal nothing about the event"
        }
        if text.isEmpty { return "is empty; write a text that everyone may see, such as \"You have a message\"" }
        return text.utf8.count > longest ? "has \(text.utf8.count) bytes; write at most \(longest)" : nil
    }
}

extension TemplateProperties {
    /// Builds the body of a send without the event's text.
    ///
    /// It contains a token instead of the event, as `id`; `delivery` is `secure`, so that an app fetches the text with the
    /// token. The notice is the value of every property that otherwise contains text, so that no template shows an empty
    /// alert.
    ///
    /// - Parameters:
    ///   - token: The token of the event; see ``SecureTokens``.
    ///   - notice: The notice to show.
    ///   - push: The traits of the push.
    ///   - locale: The language, as written in the configuration, of a send that goes only to its subscribers.
    /// - Returns: A JSON object of strings, at most ``maximumBytes`` long.
    /// - Throws: ``TemplatePayloadError`` if it would be longer.
    package func payload(
        forSecure token: String,
        notice: SecureNotice,
        push: PushTraits,
        locale: String? = nil
    ) throws(TemplatePayloadError) -> TemplatePayload {
        let texts = notice.news.locales
        let main = locale.flatMap { name in texts.firstIndex { $0.locale == name } } ?? notice.news.defaultIndex
        var writer = JSONWriter(reservingCapacity: 512 + texts.count * 128)
        writer.beginObject()
        writer.member("id", token)
        writer.member(Self.deliveryName, EventDelivery.secure.rawValue)
        writer.member("collapse_id", push.collapseID)
        let clockPart = writer.bytes.count
        writer.member("expires", push.expiresText)
        writer.member("ttl", push.timeToLiveText)
        let rest = writer.bytes.count
        writer.member("interruption", push.interruption.appleName)
        writer.member("sound", push.sound)
        writer.member("headline", texts[main].headline)
        writer.member("summary", texts[main].headline)
        for (index, text) in texts.enumerated() {
            writer.member(headlineNames[index], text.headline)
            writer.member(summaryNames[index], text.headline)
        }
        for (name, value) in choices(id: token, notice: notice.news, main: main) { writer.member(name, value) }
        writer.endObject()
        let body = writer.finish()
        guard body.count <= Self.maximumBytes else { throw TemplatePayloadError(bytes: body.count) }
        return TemplatePayload(body: body, isShortened: false, clockPart: clockPart..<rest)
    }
}
