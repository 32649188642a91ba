package import NewsEvents
import Rendering
import Timestamps

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
        let texts = event.text.span
        texts.forEachPlace(by: { texts[$0].language < texts[$1].language }) { place in
            mix(texts[place].language)
            mix(TextCleaning.clean(texts[place].headline))
            mix(TextCleaning.clean(texts[place].summary ?? ""))
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
        let texts = texts.span
        texts.forEachPlace(by: { texts[$0].language < texts[$1].language }) { place in
            digest = Checksum.step(digest, Checksum.of(TextCleaning.clean(texts[place].headline)))
        }
        return digest
    }

    /// Adds texts in their order, each once.
    private mutating func mix(each texts: [String]) {
        let texts = texts.span
        var last: Int?
        texts.forEachPlace(by: { texts[$0] < texts[$1] }) { place in
            if let last, texts[last] == texts[place] { return }
            mix(texts[place])
            last = place
        }
    }

    private mutating func mix(_ text: String) {
        value = Checksum.step(value, Checksum.of(text))
    }

    private mutating func mix(_ instant: Timestamp?) {
        value = Checksum.step(value, instant.map { UInt64(bitPattern: $0.nanoseconds) } ?? 0)
    }
}

extension Span {
    /// The maximum number of elements that are ordered without a sorted list of indices.
    private static var few: Int { 16 }

    /// Calls a body for each index in an order. Equal elements keep their order.
    ///
    /// An event has few texts and categories, and searching for the next one needs no allocation, unlike a sorted copy.
    ///
    /// - Parameters:
    ///   - precedes: Whether the element at the first index comes before that at the second.
    ///   - body: Called once for each index.
    @inline(__always)
    func forEachPlace(by precedes: (Int, Int) -> Bool, _ body: (Int) -> Void) {
        guard count <= Self.few else {
            for place in indices.sorted(by: precedes) { body(place) }
            return
        }
        // One bit for each index that was visited.
        var done: UInt = 0
        for _ in indices {
            var next: Int?
            for place in indices where (done & 1 << UInt(place)) == 0 {
                if let found = next, !precedes(place, found) { continue }
                next = place
            }
            guard let next else { return }
            done |= 1 << UInt(next)
            body(next)
        }
    }
}
