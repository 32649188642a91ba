package import NewsEvents
import Rendering
import Timestamps

/// A digest of what readers would notice of an event: its words after cleaning, its audience, its times and links.
///
/// Two revisions with the same digest have nothing new to tell. FNV-1a, 64 bits: the same in every process, so that it may
/// be stored.
package struct ContentDigest: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes a digest that was stored.
    package init(value: UInt64) {
        self.value = value
    }

    package init(of event: NewsEvent) {
        for text in event.text.sorted(by: { $0.language < $1.language }) {
            mix(text.language)
            mix(TextCleaning.clean(text.headline))
            mix(text.summary.map { TextCleaning.clean($0) } ?? "")
        }
        // Their order says nothing to readers.
        for category in Set(event.categories).sorted() { mix(category) }
        mix(event.url ?? "")
        mix(event.image ?? "")
        mix(event.embargo?.rfc3339 ?? "")
        mix(event.expires?.rfc3339 ?? "")
    }

    private mutating func mix(_ text: String) {
        for byte in text.utf8 { mix(byte) }
        mix(0xFF)
    }

    private mutating func mix(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
