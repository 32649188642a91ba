/// What one key of the configuration comes to, and where that was said.
package struct ConfigurationValue: Sendable, Equatable {
    /// What a key has.
    package enum Content: Sendable, Equatable {
        case text(String)
        case list([String])
        /// A secret; it is known and not told.
        case hidden
        /// Nothing is given, and nothing holds in its place.
        case none
    }

    /// Who said it.
    package enum Origin: Sendable, Equatable {
        /// The configuration's file, in this line.
        case file(line: Int)
        /// A variable of the environment, which goes before the file.
        case variable(String)
        /// A file of its own, as secrets have.
        case secretFile(String)
        /// Nobody, so that this holds.
        case standard
    }

    /// The steps to the key, such as `kafka` and `group`.
    package var path: [String]
    package var content: Content
    package var origin: Origin
    /// What is compared of it; also of a secret, which is shown to nobody.
    private let comparable: [String]

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The steps to the key.
    ///   - content: What it has.
    ///   - origin: Who said it.
    init(_ path: [String], _ content: Content, _ origin: Origin) {
        self.path = path
        self.origin = origin
        switch content {
        case .text(let text): comparable = [text.canonical]
        case .list(let texts): comparable = [texts.map(\.canonical).joined(separator: ",")]
        case .hidden, .none: comparable = []
        }
        self.content = SecretKey.covers(path) && content != .none ? .hidden : content
    }

    /// The key as people write it, such as `kafka.group`.
    package var key: String { path.joined(separator: ".") }

    /// Whether both say the same, in whatever words: `60s` is `1m`, and a list may stand in one line.
    package func saysTheSame(as other: ConfigurationValue) -> Bool {
        path == other.path && comparable == other.comparable
    }
}

/// Keys whose values are secrets, where somebody has written one into the file all the same.
private enum SecretKey {
    private static let words = ["password", "secret", "pem", "token", "jaas", "oauthbearer.config"]

    static func covers(_ path: [String]) -> Bool {
        guard path.starts(with: ["kafka", "properties"]), let name = path.last, path.count > 2 else { return false }
        return words.contains { name.contains($0) }
    }
}

extension String {
    /// The same for what means the same.
    fileprivate var canonical: String {
        if let duration = Duration(configured: self) { return "\(duration)" }
        if let bytes = Int(configuredBytes: self) { return "\(bytes)" }
        return filter { $0 != " " }
    }
}
