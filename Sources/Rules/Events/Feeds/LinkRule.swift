import NewsflashBasics

/// The place of the link to the page of a feed's item.
package enum LinkRule: Sendable, Equatable {
    /// The alternative id with a role: `altids.web`.
    case alternative(String)
    /// A member of `extra`, as in Superdesk: `extra.web_url`.
    case extra(String)
    /// The link with a relation, as in AP: `links.canonical`.
    case link(String)
    /// A text that begins with `https://` and contains `{story}` or `{id}`.
    case pattern(String)

    /// Reads a rule of the configuration; `nil` if it is invalid.
    package init?(_ text: String) {
        if text.hasPrefix("https://") {
            self = .pattern(text)
            return
        }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        switch parts[0] {
        case "altids": self = .alternative(parts[1])
        case "extra": self = .extra(parts[1])
        case "links": self = .link(parts[1])
        default: return nil
        }
    }

    /// Inserts the story and the id of an event into a pattern, percent-encoded.
    static func fill(_ pattern: String, story: String, id: String) -> String {
        var result = ""
        var rest = pattern[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            if rest.hasPrefix("{story}") {
                result += story.percentEncoded
                rest = rest.dropFirst("{story}".count)
            } else if rest.hasPrefix("{id}") {
                result += id.percentEncoded
                rest = rest.dropFirst("{id}".count)
            } else {
                result += "{"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}

extension String {
    /// The text as one segment of a URL: all characters except the unreserved ones (RFC 3986, section 2.3) are encoded.
    fileprivate var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): bytes.append(byte)
            case _ where byte.isLetterOrDigit: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
