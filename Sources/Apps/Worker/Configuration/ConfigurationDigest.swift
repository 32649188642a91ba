import Signing

/// An identifier of the rules in force, for outcomes and dead letters: it shows under which rules a decision was made.
///
/// It covers the values that decide who is notified of what, as read from the file or the environment. Comments, layout and all
/// other sections do not change it. It contains no secret.
struct ConfigurationDigest {
    private static let sections: Set<String> = [
        "sources", "locales", "send", "categories", "narrower", "unknown", "text", "limits", "policy", "interruption",
    ]
    /// The keys of a hub that decide who is notified of what. The location of its secret is not one of them.
    private static let hubKeys: Set<String> = ["name", "mode", "tags", "as"]

    private var seen: Set<[String]> = []
    private var bytes: [UInt8] = []

    /// Adds a value, once for each key.
    ///
    /// - Parameters:
    ///   - path: The key.
    ///   - values: One text, or the items of a list.
    mutating func add(_ path: [String], _ values: [String]) {
        guard Self.covers(path), seen.insert(path).inserted else { return }
        for part in [path, values] {
            bytes += "\(part.count):".utf8
            // With lengths, so that different lists cannot produce the same bytes.
            for text in part { bytes += "\(text.utf8.count):\(text)".utf8 }
        }
    }

    static func covers(_ path: [String]) -> Bool {
        guard let section = path.first else { return false }
        if section == "hubs" { return path.last.map(hubKeys.contains) ?? false }
        return sections.contains(section)
    }

    /// The first twelve hexadecimal digits of the SHA-256 of the added values.
    var text: String {
        SHA256Digest.hash(of: bytes).prefix(6)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
    }
}
