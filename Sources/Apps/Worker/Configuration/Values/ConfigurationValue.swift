/// The value of one configuration key, and its origin.
package struct ConfigurationValue: Sendable, Equatable {
    /// The content of a key.
    package enum Content: Sendable, Equatable {
        case text(String)
        case list([String])
        /// A secret, which is set but not shown.
        case hidden
        /// The key is not set and has no default.
        case none
    }

    /// The origin of a value.
    package enum Origin: Sendable, Equatable {
        /// A line of the configuration file.
        case file(line: Int)
        /// An environment variable, which overrides the file.
        case variable(String)
        /// A separate file, as for secrets.
        case secretFile(String)
        /// The default.
        case standard
    }

    /// The components of the key, such as `kafka` and `group`.
    package var path: [String]
    package var content: Content
    package var origin: Origin
    /// The normalized texts that are compared.
    private let comparable: [String]

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The components of the key.
    ///   - content: The content.
    ///   - origin: The origin.
    ///   - form: How the value is compared.
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

    /// The key in the form `kafka.group`.
    package var key: String { path.joined(separator: ".") }

    /// The label of the hub whose connection string this is. It is not a key of the file; `nil` for keys.
    package var hubOfConnectionString: String? {
        path.count == 3 && path[0] == "hubs" && path[2] == "connectionString" ? path[1] : nil
    }

    /// Whether both have the same meaning according to their ``ConfigurationForm``.
    package func saysTheSame(as other: ConfigurationValue) -> Bool {
        path == other.path && comparable == other.comparable
    }
}
