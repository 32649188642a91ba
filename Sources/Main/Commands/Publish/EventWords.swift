import CommandLineArguments
import NewsEvents
import Timestamps

/// The options that make an event from words.
struct EventWords: ParsableArguments {
    @Option(help: "Make an event of this kind from the words below, in place of reading files.")
    var kind: EventKind?

    @Option(help: "The story: the same for every event on it.")
    var story: String?

    @Option(help: ArgumentHelp("A code for the audience, such as world or medtop:16000000.", valueName: "code"))
    var category: [String] = []

    @Option(help: ArgumentHelp("A headline with its language.", valueName: "language=text"))
    var headline: [String] = []

    @Option(help: ArgumentHelp("A summary with its language.", valueName: "language=text"))
    var summary: [String] = []

    @Option(help: "From 1, the highest, to 9; left out, by the kind.")
    var urgency: Int?

    @Option(help: ArgumentHelp("Where a tap leads.", valueName: "https://…"))
    var url: String?

    @Option(help: ArgumentHelp("A picture.", valueName: "https://…"))
    var image: String?

    @Option(help: ArgumentHelp("Not to be sent after, such as 2026-03-02T12:00:00Z.", valueName: "time"))
    var expires: String?

    @Option(help: ArgumentHelp("Not to be sent before.", valueName: "time"))
    var embargo: String?

    @Option(help: "Grows with every event on the story; left out, from the time.")
    var revision: Int64?

    @Option(help: "Names the event; left out, from the time.")
    var id: String?

    @Option(help: "Whom it may reach: live readers, the test hub, or nobody.")
    var mode: EventMode?

    /// Whether any of the words was given.
    var areGiven: Bool {
        let texts = [story, url, image, expires, embargo, id]
        return kind != nil || !category.isEmpty || !headline.isEmpty || !summary.isEmpty || urgency != nil
            || revision != nil || mode != nil || texts.contains { $0 != nil }
    }

    /// Makes the event.
    ///
    /// That it fits the schema is for the reader to say, so that words are held to the same rules as files.
    ///
    /// - Parameters:
    ///   - now: When it is published; makes id and revision where they are not given.
    ///   - source: Who says so.
    /// - Returns: The event.
    /// - Throws: `ValidationError` for what is missing or cannot be read; quotes no text of the news.
    func event(now: Timestamp, source: String) throws(ValidationError) -> NewsEvent {
        guard let kind else { throw ValidationError("'--kind' is missing: it makes an event of the other words.") }
        guard let story else {
            throw ValidationError(
                "'--story' is missing: it is the same for every event on a story, such as urn:desk:42."
            )
        }
        return NewsEvent(
            id: id ?? "cli-\(now.nanoseconds / 1000)",
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

    /// Reads the headlines of an option, such as `en=the words`, at most one for each language.
    static func texts(headlines: [String], of option: String) throws(ValidationError) -> [EventText] {
        var texts: [EventText] = []
        for (index, argument) in headlines.enumerated() {
            let (language, text) = try pair(argument, of: option, number: index + 1)
            guard !texts.contains(where: { $0.language == language }) else {
                throw ValidationError("'\(option)' stands twice for \(language): give one a language.")
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
                throw ValidationError("'--summary' for \(language) has no '--headline \(language)=…' beside it.")
            }
            guard texts[place].summary == nil else {
                throw ValidationError("'--summary' stands twice for \(language): give one a language.")
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
        // Longer than any language tag: the first = belongs to the words then.
        guard let equals = argument.firstIndex(of: "="), (1...35).contains(argument[..<equals].utf8.count) else {
            throw ValidationError("'\(option)' number \(number) has no language: write \(option) en='the words'.")
        }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    private static func instant(_ text: String?, of option: String) throws(ValidationError) -> Timestamp? {
        guard let text else { return nil }
        guard let instant = Timestamp(rfc3339: text) else {
            throw ValidationError(
                "'\(option) \(text)' is no time: write it with its offset, such as 2026-03-02T09:40:00+01:00."
            )
        }
        return instant
    }
}

extension EventKind: ExpressibleByArgument {}

extension EventMode: ExpressibleByArgument {}

extension Int64: ExpressibleByArgument {}
