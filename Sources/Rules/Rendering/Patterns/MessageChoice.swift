/// A place in a pattern where the words depend on an argument: `{kind, select, …}` or `{revision, plural, …}`.
struct MessageChoice: Sendable, Equatable {
    enum Style: String, Sendable, CaseIterable {
        /// By the form that a language takes beside a number, or by the number itself, `=1`.
        case plural
        /// By the value.
        case select
    }

    /// Words, and when they are taken.
    struct Branch: Sendable, Equatable {
        /// A form's name, a value, `=1`, or `other`.
        let selector: String
        let parts: [MessagePattern.Part]
    }

    let argument: PatternArgument
    let style: Style
    /// Each selector once, `other` among them.
    let branches: [Branch]

    /// The words for a value.
    func parts(for value: String, _ rules: PluralRules) -> [MessagePattern.Part] {
        let number = style == .plural ? UInt64(value) : nil
        let wanted =
            switch style {
            case .select: [value]
            case .plural: number.map { ["=\($0)", rules.category(of: $0).rawValue] } ?? []
            }
        for selector in wanted + ["other"] {
            guard let branch = branches.first(where: { $0.selector == selector }) else { continue }
            return branch.parts.map { if case .number = $0 { .literal(value) } else { $0 } }
        }
        return []
    }

    /// What a language would miss or never use, in words; `nil` where the forms are right.
    ///
    /// - Parameter languages: Whose forms the words must have.
    /// - Returns: The first fault.
    func fault(in languages: [(name: String, rules: PluralRules)]) -> String? {
        guard style == .plural else { return nil }
        let given = branches.map(\.selector).filter { !$0.hasPrefix("=") }
        for (name, rules) in languages {
            let missing = rules.categories.map(\.rawValue).filter { !given.contains($0) }
            if !missing.isEmpty {
                return
                    "{\(argument.field.rawValue), plural, …} lacks \(missing.joined(separator: ", ")), which \(name) has"
            }
        }
        let used = languages.flatMap { $0.rules.categories.map(\.rawValue) }
        guard let unused = given.first(where: { !used.contains($0) }), !languages.isEmpty else { return nil }
        let names = languages.map(\.name).joined(separator: ", ")
        return "{\(argument.field.rawValue), plural, …} has words for \(unused), which \(names) never takes"
    }
}
