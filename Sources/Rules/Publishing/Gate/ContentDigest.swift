package import NewsEvents
import Rendering
import Timestamps

/// A digest of what readers would notice of an event: its words after cleaning, its audience, its times and links.
///
/// Two revisions with the same digest have nothing new to tell. See ``ByteSum``: the same in every process, so that it may be
/// stored.
package struct ContentDigest: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes a digest that was stored.
    package init(value: UInt64) {
        self.value = value
    }

    package init(of event: borrowing NewsEvent) {
        // The order of texts and categories says nothing to readers.
        let texts = event.text.span
        texts.forEachPlace(by: { texts[$0].language < texts[$1].language }) { place in
            mix(texts[place].language)
            mix(TextCleaning.clean(texts[place].headline))
            mix(TextCleaning.clean(texts[place].summary ?? ""))
        }
        mix(each: event.categories)
        // Most events name nobody, and their digests are those of before there were such.
        if !event.users.isEmpty { for user in event.users.sorted() { mix(user) } }
        if event.delivery != .open { mix(event.delivery.rawValue) }
        mix(event.url ?? "")
        mix(event.image ?? "")
        mix(event.embargo)
        mix(event.expires)
    }

    /// Takes in texts in their order, each once.
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
        mix(ByteSum.of(text))
    }

    private mutating func mix(_ instant: Timestamp?) {
        mix(instant.map { UInt64(bitPattern: $0.nanoseconds) } ?? 0)
    }

    private mutating func mix(_ word: UInt64) {
        value = ByteSum.step(value, word)
    }
}
