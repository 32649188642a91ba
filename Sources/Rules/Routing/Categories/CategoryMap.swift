package import NewsEvents
import NotificationHubs

/// Turns what the desk says into categories: `categories:`, `narrower:` and `unknown:` of the configuration.
///
/// Of a code's way up to its root only the nearest code that a rule names counts; several codes give the union.
package struct CategoryMap: Sendable {
    /// The categories that the rules name, in the order of the configuration; families make more.
    package let categories: [String]
    /// What the newsroom may want to mend although the worker can do without: codes that IPTC retired or never had,
    /// categories that no code reaches.
    package let warnings: [RuleProblem]
    private let unknown: UnknownPolicy
    private let families: [CategoryFamily]
    /// The categories that each code makes by itself; empty for codes that only `all` rules name.
    private let categoriesByCode: [CategoryCode: [String]]
    private let combinations: [(category: String, codes: [CategoryCode])]
    private let widerByNarrower: [String: [String]]

    /// Checks the rules.
    ///
    /// - Parameters:
    ///   - rules: The categories.
    ///   - unknown: What becomes of codes that no rule knows.
    ///   - narrower: For a category those that go when it is there, so that nobody gets two.
    /// - Throws: ``RuleProblems`` with paths such as `categories.World[2]`.
    package init(
        rules: [CategoryRule],
        unknown: UnknownPolicy = .drop,
        narrower: [(category: String, wider: [String])] = []
    ) throws(RuleProblems) {
        var reader = CategoryRuleReader()
        for rule in rules { reader.read(rule) }
        reader.check(unknown)
        for (category, wider) in narrower { reader.read(narrower: category, wider: wider) }
        guard reader.problems.isEmpty else { throw RuleProblems(reader.problems) }
        self.categories = reader.categories
        self.warnings = reader.warnings
        self.unknown = unknown
        self.families = reader.families
        self.categoriesByCode = reader.categoriesByCode
        self.combinations = reader.combinations
        self.widerByNarrower = reader.widerByNarrower
    }

    /// How many categories one event may have at most.
    ///
    /// - Parameter codes: The most codes of an event.
    /// - Returns: A bound, not always reached.
    package func mostCategories(ofCodes codes: Int) -> Int {
        let byCode = categoriesByCode.values.map(\.count).max() ?? 0
        let named = min(categories.count, codes * byCode + combinations.count)
        return named + codes * families.reduce(0) { $0 + $1.mostCategories }
    }

    /// The longest categories that families can make.
    package var longestOfFamilies: [(rule: String, category: String)] {
        families.map { ($0.ruleName, $0.longestCategory) }
    }

    /// Routes an event by its codes.
    ///
    /// - Parameter codes: The codes as the event writes them.
    /// - Returns: The categories, or that there are none; with the rule for each.
    package func route(_ codes: [String]) -> RouteOutcome {
        var route = Route()
        var present: Set<CategoryCode> = []
        for text in codes {
            let isKnown = follow(text, route: &route, present: &present)
            if !isKnown { route.unknown.append(text) }
        }
        for (category, required) in combinations where required.allSatisfy(present.contains) {
            let via = required.map(\.description).joined(separator: " + ")
            route.matches.append(CategoryMatch(code: via, category: category, via: via))
        }
        if case .category(let name) = unknown {
            route.matches += route.unknown.map { CategoryMatch(code: $0, category: name, via: "unknown") }
        }
        let made = Set(route.matches.map(\.category))
        let removed = Set(made.flatMap { widerByNarrower[$0] ?? [] })
        route.categories = made.subtracting(removed).sorted()
        route.narrowed = made.intersection(removed).sorted()
        let isRefused = unknown == .deadLetter && !route.unknown.isEmpty
        return route.categories.isEmpty || isRefused ? .unmapped(route) : .routed(route)
    }

    /// Notes what one code makes and which codes stand above it; says whether any rule knows it.
    private func follow(_ text: String, route: inout Route, present: inout Set<CategoryCode>) -> Bool {
        var isKnown = false
        var made: [String] = []
        var way: CategoryCode?
        let code = CategoryCode(text)
        code.forEachOnTheWayUp { step in
            guard let categories = categoriesByCode[step] else { return }
            isKnown = true
            present.insert(step)
            if !made.isEmpty { return }
            made = categories
            way = step
            let via = step == code ? text : step.description
            route.matches += categories.map { CategoryMatch(code: text, category: $0, via: via) }
        }
        for family in families {
            let categories = family.categories(of: text)
            route.matches += categories.map { CategoryMatch(code: text, category: $0, via: family.ruleName) }
            isKnown = isKnown || !categories.isEmpty
        }
        if code.isRetired(through: way) { route.retired.append(text) }
        return isKnown
    }
}
