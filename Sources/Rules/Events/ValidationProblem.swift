/// A problem in the newsroom's rules, described so that its author can fix it.
package struct ValidationProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The key in the configuration, such as `text.flash.fr` or `categories.World[2]`.
    package let path: String
    /// The problem and what to write instead.
    package let message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// The key and the problem.
    package var description: String { "\(path): \(message)" }
}

/// All problems in one part of the rules.
package struct RuleProblems: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one, in the order of the configuration.
    package let problems: [ValidationProblem]

    package init(_ problems: [ValidationProblem]) {
        self.problems = problems
    }

    /// One problem per line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
