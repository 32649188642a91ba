package import NewsflashEvents
import NewsflashRendering
import NewsflashTimestamps

/// A digest of the content of an event: its text after cleaning, its audience, its times and links.
///
/// Two revisions with the same digest have the same content for subscribers. It is the same in every process, so that it may be
/// stored; see ``Checksum``.
package struct ContentDigest: Hashable, Sendable {
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    package private(set) var value = ContentDigest.start

    /// Restores a stored digest.
    package init(value: UInt64) {
        self.value = value
    }

    package init(of event: borrowing NewsEvent) {
        // The order of texts and categories does not matter.
        for text in event.text.sorted(by: { $0.language < $1.language }) {
            mix(text.language)
            mix(TextCleaning.clean(text.headline))
            mix(TextCleaning.clean(text.summary ?? ""))
        }
        mix(each: event.categories)
        // Most events have no users. Skipping an empty list keeps their digests the same as before users existed.
        if !event.users.isEmpty { for user in event.users.sorted() { mix(user) } }
        if event.delivery != .open { mix(event.delivery.rawValue) }
        mix(event.url ?? "")
        mix(event.image ?? "")
        mix(event.embargo)
        mix(event.expires)
    }

    /// The digest of headlines alone, after cleaning: it finds the same text in another story.
    static func ofHeadlines(_ texts: [EventText]) -> UInt64 {
        var digest = start
        for text in texts.sorted(by: { $0.language < $1.language }) {
            digest = Checksum.step(digest, Checksum.of(TextCleaning.clean(text.headline)))
        }
        return digest
    }

    /// Adds texts in their order, each once.
    private mutating func mix(each texts: [String]) {
        var last: String?
        for text in texts.sorted() where text != last {
            mix(text)
            last = text
        }
    }

    private mutating func mix(_ text: String) {
        value = Checksum.step(value, Checksum.of(text))
    }

    private mutating func mix(_ instant: Timestamp?) {
        value = Checksum.step(value, instant.map { UInt64(bitPattern: $0.nanoseconds) } ?? 0)
    }
}
