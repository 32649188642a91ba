/// One thing wrong with the configuration.
package struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    /// The kinds of problems that callers treat differently.
    package enum Kind: Sendable {
        /// The section has no such key; it may be misspelt.
        case unknownKey
        /// The file is missing, or cannot be read.
        case unreadable
        /// Any other problem, such as an invalid value.
        case other
    }

    /// The key, such as `kafka.bootstrapServers`.
    package var path: String
    /// The line in the file, from 1. For a missing key the line of its section; `nil` for a value from the environment.
    package var line: Int?
    /// The fault of the value, and what to write instead. Never contains a secret.
    package var message: String
    package var kind: Kind

    package init(path: String, line: Int? = nil, message: String, kind: Kind = .other) {
        self.path = path
        self.line = line
        self.message = message
        self.kind = kind
    }

    package var description: String {
        let place = line.map { "line \($0): " } ?? ""
        return path.isEmpty ? "\(place)\(message)" : "\(place)\(path): \(message)"
    }
}

/// All problems of a configuration.
package struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    /// The origin of the configuration, such as its file name.
    package var source: String
    package var problems: [ConfigurationProblem]

    package init(source: String, problems: [ConfigurationProblem]) {
        self.source = source
        self.problems = problems
    }

    package var description: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return "\(source): \(count)\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
