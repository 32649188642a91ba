package import NewsEvents

/// The newsroom's words for each kind of message: `text:` of the configuration.
///
/// A kind without a rule takes the alert's, an alert without a rule is the bare headline.
package struct TextRules: Sendable {
    /// What the configuration says for one kind.
    package enum Source: Sendable, Equatable {
        /// One pattern for every language.
        case all(String)
        /// A pattern for each language, in the configuration's order.
        case byLocale([(locale: String, pattern: String)])

        package static func == (left: Source, right: Source) -> Bool {
            switch (left, right) {
            case (.all(let left), .all(let right)): left == right
            case (.byLocale(let left), .byLocale(let right)): left.elementsEqual(right, by: ==)
            default: false
            }
        }
    }

    /// The most characters (Unicode scalars) of a pattern.
    package static let longestPattern = 1024

    /// Things that the newsroom may want to change and the worker can do without: a missing `kill`, languages without words
    /// of their own, words without a headline or with too little room for it, branches that are never taken.
    package let warnings: [RuleProblem]
    /// What is shown in place of words that may not travel; `nil` where the newsroom has not said it.
    package let notice: SecureNotice?
    /// For each of `TextKind.allCases`.
    private let patterns: [LocalizedPattern]

    /// Checks the patterns.
    ///
    /// - Parameters:
    ///   - sources: What the configuration says for each kind.
    ///   - secure: What it says for events whose words may not travel.
    ///   - locales: The languages that must find a pattern.
    ///   - limits: The room of the headline with the words.
    /// - Throws: ``RuleProblems`` with paths such as `text.flash.fr`.
    package init(
        _ sources: [TextKind: Source],
        secure: Source? = nil,
        locales: OfferedLocales,
        limits: TextLimits = TextLimits()
    ) throws(RuleProblems) {
        var problems: [RuleProblem] = []
        var warnings: [RuleProblem] = []
        var patterns: [TextKind: LocalizedPattern] = [:]
        for kind in TextKind.allCases {
            guard let source = sources[kind] else { continue }
            do throws(RuleProblems) {
                let pattern = try LocalizedPattern(source, path: "text.\(kind.rawValue)", locales: locales)
                warnings += pattern.warnings(path: "text.\(kind.rawValue)", locales: locales)
                // Kinds without words of their own take those of the alert.
                let kinds = TextKind.allCases.filter { $0 == kind || (kind == .alert && sources[$0] == nil) }
                warnings += pattern.warnings(limit: limits.headline, kinds: kinds)
                patterns[kind] = pattern
            } catch {
                problems += error.problems
            }
        }
        var notice: SecureNotice?
        if let secure {
            do throws(RuleProblems) {
                notice = try SecureNotice(secure, locales: locales)
            } catch {
                problems += error.problems
            }
        }
        if sources[.kill] == nil {
            let message = "is missing: a withdrawn story would be told in the words of an alert"
            warnings.append(RuleProblem(path: "text.kill", message: message))
        }
        let bareHeadline = try LocalizedPattern(.all("{headline}"), path: "text.alert", locales: locales)
        guard problems.isEmpty else { throw RuleProblems(problems) }
        self.notice = notice
        self.patterns = TextKind.allCases.map { patterns[$0] ?? patterns[.alert] ?? bareHeadline }
        self.warnings = warnings
    }

    subscript(kind: TextKind) -> LocalizedPattern {
        patterns[kind.place]
    }
}
