import StrictJSON

/// The members of an event, as ``FastEventDecoder`` identifies them by name.
enum EventMember: UInt32 {
    case version, id, source, story, revision, kind, urgency, published, embargo, expires
    case audience, delivery, categories, language, text, url, image, approvedBy, mode, note

    /// The bit of this member in a set.
    var bit: UInt32 { 1 << rawValue }

    /// Looks up a name by its length and first letter, so that at most one word is compared.
    init?(_ name: JSONText, _ bytes: Span<UInt8>) {
        guard let first = name.range.first.map({ bytes[$0] }) else { return nil }
        let (member, word): (EventMember, StaticString)
        switch (name.range.count, first) {
        case (1, UInt8(ascii: "v")): (member, word) = (.version, "v")
        case (2, UInt8(ascii: "i")): (member, word) = (.id, "id")
        case (3, UInt8(ascii: "u")): (member, word) = (.url, "url")
        case (4, UInt8(ascii: "k")): (member, word) = (.kind, "kind")
        case (4, UInt8(ascii: "t")): (member, word) = (.text, "text")
        case (4, UInt8(ascii: "m")): (member, word) = (.mode, "mode")
        case (4, UInt8(ascii: "n")): (member, word) = (.note, "note")
        case (5, UInt8(ascii: "s")): (member, word) = (.story, "story")
        case (5, UInt8(ascii: "i")): (member, word) = (.image, "image")
        case (6, UInt8(ascii: "s")): (member, word) = (.source, "source")
        case (7, UInt8(ascii: "u")): (member, word) = (.urgency, "urgency")
        case (7, UInt8(ascii: "e")) where bytes[name.range.lowerBound + 1] == UInt8(ascii: "m"):
            (member, word) = (.embargo, "embargo")
        case (7, UInt8(ascii: "e")): (member, word) = (.expires, "expires")
        case (8, UInt8(ascii: "r")): (member, word) = (.revision, "revision")
        case (8, UInt8(ascii: "l")): (member, word) = (.language, "language")
        case (8, UInt8(ascii: "a")): (member, word) = (.audience, "audience")
        case (8, UInt8(ascii: "d")): (member, word) = (.delivery, "delivery")
        case (9, UInt8(ascii: "p")): (member, word) = (.published, "published")
        case (10, UInt8(ascii: "c")): (member, word) = (.categories, "categories")
        case (10, UInt8(ascii: "a")): (member, word) = (.approvedBy, "approvedBy")
        default: return nil
        }
        guard !name.hasEscapes, name.equals(word, bytes) else { return nil }
        self = member
    }
}
