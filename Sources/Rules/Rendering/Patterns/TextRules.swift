package import NewsflashEvents

/// The newsroom's patterns for each kind of message: `text:` of the configuration.
///
/// A kind without a rule uses that of the alert; an alert without a rule is the bare headline.
package struct TextRules: Sendable {
    /// The configuration of one kind.
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

    /// The maximum length of a pattern in characters (Unicode scalars).
    package static let longestPattern = 1024

    /// Problems that the newsroom may want to fix but that do not stop the worker: a missing `kill`, languages without their
    /// own pattern, patterns without a headline or with too little room for it, branches that never apply.
    package let warnings: [ValidationProblem]
    /// The notice that replaces the text of secure events; `nil` if it is not configured.
    package let notice: SecureNotice?
    /// The patterns in the order of `TextKind.allCases`.
    private let patterns: [LocalizedPattern]

    /// Checks the patterns.
    ///
    /// - Parameters:
    ///   - sources: The configured patterns of each kind.
    ///   - secure: The configured notice for secure events.
    ///   - locales: The languages that need a pattern.
    ///   - limits: The maximum lengths of texts; that of the headline includes its pattern.
    /// - Throws: ``RuleProblems`` with paths such as `text.flash.fr`.
    package init(
        _ sources: [TextKind: Source],
        secure: Source? = nil,
        locales: OfferedLocales,
        limits: TextLimits = TextLimits()
    ) throws(RuleProblems) {
        var problems: [ValidationProblem] = []
        var warnings: [ValidationProblem] = []
        var patterns: [TextKind: LocalizedPattern] = [:]
        for kind in TextKind.allCases {
            guard let source = sources[kind] else { continue }
            do throws(RuleProblems) {
                let pattern = try LocalizedPattern(source, path: "text.\(kind.rawValue)", locales: locales)
                warnings += pattern.warnings(path: "text.\(kind.rawValue)", locales: locales)
                // Kinds without their own pattern use that of the alert.
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
            let message = "is missing: a withdrawal would be announced in the words of an alert"
            warnings.append(ValidationProblem(path: "text.kill", message: message))
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

/// The kinds of message with their own patterns: the keys of `text:` in the configuration.
package enum TextKind: String, Sendable, CaseIterable {
    case alert, flash, update, correction, kill

    /// The index in `allCases`.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The kind of message for an event; `nil` for a hold, about which subscribers are not notified.
    ///
    /// - Parameter kind: The event's kind.
    package init?(_ kind: EventKind) {
        switch kind {
        case .alert: self = .alert
        case .flash: self = .flash
        case .update: self = .update
        case .correction: self = .correction
        case .kill: self = .kill
        case .hold: return nil
        }
    }
}
