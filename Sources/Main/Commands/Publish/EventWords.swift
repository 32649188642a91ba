import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashTimestamps

/// The options that make an event from words on the command line.
struct EventWords: ParsableArguments {
    @Option(help: "Make an event of this kind from the options below instead of reading files.")
    var kind: EventKind?

    @Option(help: "The story: the same for every event on it.")
    var story: String?

    @Option(help: ArgumentHelp("A category code, such as world or medtop:16000000.", valueName: "code"))
    var category: [String] = []

    @Option(help: ArgumentHelp("A headline with its language.", valueName: "language=text"))
    var headline: [String] = []

    @Option(help: ArgumentHelp("A summary with its language.", valueName: "language=text"))
    var summary: [String] = []

    @Option(help: "The urgency from 1, the highest, to 9; without it, that of the kind.")
    var urgency: Int?

    @Option(help: ArgumentHelp("The page that a tap opens.", valueName: "https://…"))
    var url: String?

    @Option(help: ArgumentHelp("The picture.", valueName: "https://…"))
    var image: String?

    @Option(help: ArgumentHelp("Do not send after this time, such as 2026-03-02T12:00:00Z.", valueName: "time"))
    var expires: String?

    @Option(help: ArgumentHelp("Do not send before this time.", valueName: "time"))
    var embargo: String?

    @Option(help: "The revision, which must grow with every event on the story; without it, from the time.")
    var revision: Int64?

    @Option(help: "The id of the event; without it, from the time.")
    var event: String?

    @Option(help: "The receivers: live subscribers, the test hub, or nobody.")
    var mode: EventMode?

    /// Whether any of the options was given.
    var areGiven: Bool {
        let texts = [story, url, image, expires, embargo, event]
        return kind != nil || !category.isEmpty || !headline.isEmpty || !summary.isEmpty || urgency != nil
            || revision != nil || mode != nil || texts.contains { $0 != nil }
    }

    /// Makes the event.
    ///
    /// Does not check the schema. The decoder does that, so that options and files have the same rules.
    ///
    /// - Parameters:
    ///   - now: The time of publication, from which a missing id and revision are made.
    ///   - source: The URI of the source.
    /// - Returns: The event.
    /// - Throws: `ValidationError` if an option is missing or cannot be parsed; it contains no text of the news.
    func event(now: Timestamp, source: String) throws(ValidationError) -> NewsEvent {
        guard let kind else { throw ValidationError("'--kind' is missing: an event from options needs a kind.") }
        guard let story else {
            throw ValidationError(
                "'--story' is missing: it is the same for every event on a story, such as urn:desk:42."
            )
        }
        return NewsEvent(
            id: event ?? "cli-\(now.nanoseconds / 1000)",
            source: source,
            story: story,
            revision: revision ?? now.milliseconds,
            kind: kind,
            urgency: urgency,
            published: Timestamp(milliseconds: now.milliseconds),
            embargo: try Self.instant(embargo, of: "--embargo"),
            expires: try Self.instant(expires, of: "--expires"),
            categories: category,
            text: try texts(),
            url: url,
            image: image,
            mode: mode ?? .live
        )
    }

    /// Parses the headlines of an option, such as `en=the words`, at most one for each language.
    static func texts(headlines: [String], of option: String) throws(ValidationError) -> [EventText] {
        var texts: [EventText] = []
        for (index, argument) in headlines.enumerated() {
            let (language, text) = try pair(argument, of: option, number: index + 1)
            guard !texts.contains(where: { $0.language == language }) else {
                throw ValidationError("'\(option)' is given twice for \(language): give one for each language.")
            }
            texts.append(EventText(language: language, headline: text))
        }
        return texts
    }

    private func texts() throws(ValidationError) -> [EventText] {
        var texts = try Self.texts(headlines: headline, of: "--headline")
        for (index, argument) in summary.enumerated() {
            let (language, text) = try Self.pair(argument, of: "--summary", number: index + 1)
            guard let place = texts.firstIndex(where: { $0.language == language }) else {
                throw ValidationError("'--summary' for \(language) needs a '--headline \(language)=…'.")
            }
            guard texts[place].summary == nil else {
                throw ValidationError("'--summary' is given twice for \(language): give one for each language.")
            }
            texts[place].summary = text
        }
        return texts
    }

    private static func pair(
        _ argument: String,
        of option: String,
        number: Int
    ) throws(ValidationError) -> (language: String, text: String) {
        // A language tag has at most 35 bytes. If the first = is after that, it belongs to the text.
        guard let equals = argument.firstIndex(of: "="), (1...35).contains(argument[..<equals].utf8.count) else {
            throw ValidationError("'\(option)' number \(number) has no language: write \(option) en='the words'.")
        }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    private static func instant(_ text: String?, of option: String) throws(ValidationError) -> Timestamp? {
        guard let text else { return nil }
        guard let instant = Timestamp(rfc3339: text) else {
            throw ValidationError(
                "'\(option) \(text)' is not a time: write it with its offset, such as 2026-03-02T09:40:00+01:00."
            )
        }
        return instant
    }
}

extension EventKind: ExpressibleByArgument {}

extension EventMode: ExpressibleByArgument {}

extension Int64: ExpressibleByArgument {}
