import NotificationHubsCore

/// The kinds of Windows notifications: the value of `X-WNS-Type`.
public enum WNSType: String, Sendable, CaseIterable {
    /// A banner.
    case toast = "wns/toast"
    /// The tile of the app.
    case tile = "wns/tile"
    /// The number on the tile.
    case badge = "wns/badge"
    /// Bytes for the app.
    case raw = "wns/raw"

    /// Derives the kind from a payload's root element, as the SDKs do.
    ///
    /// - Parameter body: XML, optionally with a declaration and comments before the root. Anything else is ``raw``.
    public init(ofBody body: [UInt8]) {
        switch Self.rootElement(of: body[...])?.lowercased() {
        case "toast": self = .toast
        case "tile": self = .tile
        case "badge": self = .badge
        default: self = .raw
        }
    }

    private static func rootElement(of body: ArraySlice<UInt8>) -> String? {
        var rest = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
        while true {
            rest = rest.drop { $0.isWhiteSpace }
            guard rest.first == UInt8(ascii: "<") else { return nil }
            if rest.starts(with: "<!--".utf8) {
                guard let end = end(of: "-->", in: rest) else { return nil }
                rest = rest[end...]
            } else if rest.starts(with: "<?".utf8) {
                guard let end = end(of: "?>", in: rest) else { return nil }
                rest = rest[end...]
            } else {
                let name = rest.dropFirst().prefix {
                    !$0.isWhiteSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
                }
                return String(decoding: name, as: UTF8.self)
            }
        }
    }

    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let mark = Array(mark.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: mark) }.map { $0 + mark.count }
    }
}
