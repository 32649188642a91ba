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
    /// The parts that are compared.
    private let comparable: [String]

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The steps to the key.
    ///   - content: What it has.
    ///   - origin: Who said it.
    ///   - form: How it is compared.
    init(_ path: [String], _ content: Content, _ origin: Origin, as form: ConfigurationForm = .text) {
        self.path = path
        self.origin = origin
        switch content {
        case .text(let text): comparable = form.canonical(text)
        case .list(let texts): comparable = form.canonical(texts)
        case .hidden, .none: comparable = []
        }
        self.content = content
    }

    /// The key as people write it, such as `kafka.group`.
    package var key: String { path.joined(separator: ".") }

    /// Whether both say the same, in whatever words its ``ConfigurationForm`` allows.
    package func saysTheSame(as other: ConfigurationValue) -> Bool {
        path == other.path && comparable == other.comparable
    }
}
