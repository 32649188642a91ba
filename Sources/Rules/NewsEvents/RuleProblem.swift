/// One thing that is wrong with the newsroom's rules, told so that whoever wrote them can mend it.
package struct RuleProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The key in the configuration, such as `text.flash.fr` or `categories.World[2]`.
    package let path: String
    /// What is wrong and what to write instead.
    package let message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// The key and what is wrong with it.
    package var description: String { "\(path): \(message)" }
}

/// Everything that is wrong with one part of the rules, found at once.
package struct RuleProblems: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one, in the order of the configuration.
    package let problems: [RuleProblem]

    package init(_ problems: [RuleProblem]) {
        self.problems = problems
    }

    /// One problem a line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
