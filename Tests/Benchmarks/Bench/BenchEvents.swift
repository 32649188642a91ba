import NewsflashStrictJSON
import NewsflashTimestamps

/// The published events: one story each, in one to three languages, 600 to 900 bytes or one word more.
///
/// An event depends only on the seed and its number.
struct BenchEvents: Sendable {
    let seed: UInt64

    /// The maximum size of a record in bytes, including key and framing.
    static let largestRecord = 1050
    static let source = "https://cms.example.org/desk"
    static let locales = ["en", "fr", "cs"]

    private static let categories = [
        "world", "politics", "business", "technology", "science", "sports", "medtop:16000000", "medtop:11000000",
        "medtop:04000000", "medtop:15000000",
    ]
    private static let kinds =
        ["flash"] + Array(repeating: "alert", count: 5) + Array(repeating: "update", count: 12)
        + Array(repeating: "correction", count: 2)

    /// Returns the time at which an event is due at a steady rate.
    ///
    /// - Parameters:
    ///   - number: The number of the event, from zero.
    ///   - start: The due time of event 0, in nanoseconds since the epoch.
    ///   - rate: Events due per second.
    /// - Returns: The due time, in nanoseconds since the epoch.
    static func due(_ number: Int, start: Int64, rate: Int64) -> Int64 {
        let number = Int64(number)
        return start &+ number / rate &* 1_000_000_000 &+ number % rate &* 1_000_000_000 / rate
    }

    /// Returns the story of an event, which is the key of its record.
    func story(_ number: Int) -> String { "urn:example:story:s-\(Self.digits(number))" }

    /// Returns the record value of an event.
    ///
    /// - Parameters:
    ///   - number: The number of the event, from zero.
    ///   - published: The value of the member `published`.
    /// - Returns: The JSON.
    func event(_ number: Int, published: Timestamp) -> [UInt8] {
        var random = BenchRandom(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03)
        var draft = Draft(
            number: Self.digits(number),
            story: story(number),
            kind: random.choice(Self.kinds),
            urgency: 1 + random.below(5),
            published: published.rfc3339
        )
        let size = 600 + random.below(301)
        draft.categories = random.sample(1 + random.below(3), of: Self.categories)
        let locales = Self.locales.prefix(1 + random.below(3))
        draft.texts = locales.map { ($0, random.sentence(in: $0, bytes: 45 + random.below(36)), nil) }
        let spare = size - draft.json.count
        guard spare > 0 else { return draft.json }
        let share = spare > 60 * locales.count ? spare / locales.count : spare
        // If space is short, one language gets all of it.
        for index in 0..<(share == spare ? 1 : locales.count) {
            draft.texts[index].summary = random.sentence(in: draft.texts[index].locale, bytes: max(1, share - 13))
        }
        return draft.json
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
    }
}

/// The fields of an event before encoding.
private struct Draft {
    var number: String
    var story: String
    var kind: String
    var urgency: Int
    var published: String
    var categories: [String] = []
    var texts: [(locale: String, headline: String, summary: String?)] = []

    var json: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        writer.member("v", 1)
        writer.member("id", "e-" + number)
        writer.member("source", BenchEvents.source)
        writer.member("story", story)
        writer.member("revision", 1)
        writer.member("kind", kind)
        writer.member("urgency", Int64(urgency))
        writer.member("published", published)
        writer.member("categories", categories)
        writer.member("language", "en")
        writer.name("text")
        writer.beginObject()
        for text in texts {
            writer.name(text.locale)
            writer.beginObject()
            writer.member("headline", text.headline)
            writer.member("summary", text.summary)
            writer.endObject()
        }
        writer.endObject()
        writer.member("url", "https://news.example.org/s-" + number)
        writer.member("approvedBy", ["ed:novak", "ed:adeyemi"])
        writer.endObject()
        return writer.bytes
    }
}
