import Signing

/// Names the rules in force in outcomes and dead letters, so that a decision can be told from those before it.
///
/// It covers what decides who is told what: the values of those sections as they were read, from the file or from the
/// environment. Comments, layout and everything else of the file change nothing, and no secret is among them.
struct ConfigurationDigest {
    private static let sections: Set<String> = [
        "sources", "locales", "send", "categories", "narrower", "unknown", "text", "limits", "policy", "interruption",
    ]
    /// Of a hub what says who is told what; where its secret lies makes no difference.
    private static let hubKeys: Set<String> = ["name", "mode", "tags", "as"]

    private var seen: Set<[String]> = []
    private var bytes: [UInt8] = []

    /// Takes up a value that was read, once for each key.
    ///
    /// - Parameters:
    ///   - path: The key.
    ///   - values: One text, or those of a list.
    mutating func add(_ path: [String], _ values: [String]) {
        guard Self.covers(path), seen.insert(path).inserted else { return }
        for part in [path, values] {
            bytes += "\(part.count):".utf8
            // With its length, so that no two lists look alike.
            for text in part { bytes += "\(text.utf8.count):\(text)".utf8 }
        }
    }

    private static func covers(_ path: [String]) -> Bool {
        guard let section = path.first else { return false }
        if section == "hubs" { return path.last.map(hubKeys.contains) ?? false }
        return sections.contains(section)
    }

    /// The first twelve hexadecimal digits of the SHA-256 of what was taken up.
    var text: String {
        SHA256Digest.hash(of: bytes).prefix(6)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
    }
}
