import NewsflashConfiguration
import NewsflashSigning

/// An identifier of the rules in force, for outcomes and dead letters: it shows under which rules a decision was made.
///
/// It covers the values that decide who is notified of what, as read from the file or the environment. Comments, layout and all
/// other sections do not change it. It contains no secret.
struct ConfigurationDigest {
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

    /// Whether a key, or the key that contains it, is in the digest.
    private static func covers(_ path: [String]) -> Bool {
        ConfigurationTable.key(containing: path)?.isInDigest ?? false
    }

    /// The first twelve hexadecimal digits of the SHA-256 of the added values.
    var text: String {
        SHA256Digest.hash(of: bytes).prefix(6)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
    }
}
