/// One thing wrong with the configuration.
package struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    /// The key, such as `kafka.bootstrapServers`.
    package var path: String
    /// The line in the file, from 1; that of the section for a key that is missing in it; `nil` for what came from the
    /// environment.
    package var line: Int?
    /// What is wrong with which value, and what to write instead. Never a secret.
    package var message: String

    package init(path: String, line: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    package var description: String {
        let place = line.map { "line \($0): " } ?? ""
        return path.isEmpty ? "\(place)\(message)" : "\(place)\(path): \(message)"
    }
}

/// Everything that is wrong with a configuration, at once.
package struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    /// Where the configuration came from, such as its file name.
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
