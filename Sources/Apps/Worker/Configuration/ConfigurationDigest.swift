import Signing

/// Names the configuration in force in outcomes and dead letters, so that a decision can be told from those before it.
enum ConfigurationDigest {
    /// The first twelve hexadecimal digits of the SHA-256 of the text.
    static func of(_ text: String) -> String {
        SHA256Digest.hash(of: Array(text.utf8)).prefix(6)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            .joined()
    }
}
