package import NewsEvents
import NotificationHubs

/// Turns what the desk says into categories: `categories:`, `narrower:` and `unknown:` of the configuration.
///
/// Of a code's way up to its root only the nearest code that a rule names counts; several codes give the union.
package struct CategoryMap: Sendable {
    /// The categories that the rules name, in the order of the configuration; families make more.
    package var categories: [String] { tables.categories }
    /// What the newsroom may want to mend although the worker can do without: codes that IPTC retired or never had,
    /// categories that no code reaches.
    package var warnings: [RuleProblem] { tables.warnings }
    private let tables: Tables

    /// One object, since maps are handed from hand to hand.
    private final class Tables: Sendable {
        let categories: [String]
        let warnings: [RuleProblem]
        let unknown: UnknownPolicy
        let families: [CategoryFamily]
        let entries: [CategoryCode: Entry]
        let combinations: [(category: String, codes: [CategoryCode])]
        let widerByNarrower: [String: [String]]

        init(_ reader: CategoryRuleReader, unknown: UnknownPolicy) {
            self.categories = reader.categories
            self.warnings = reader.warnings
            self.unknown = unknown
            self.families = reader.families
            self.entries = Dictionary(
                uniqueKeysWithValues: reader.categoriesByCode.map { code, categories in
                    (code, Entry(code: code.description, categories: categories))
                }
            )
            self.combinations = reader.combinations
            self.widerByNarrower = reader.widerByNarrower
        }
    }

    /// What the rules say of a code.
    private struct Entry {
        /// As a configuration writes it.
        let code: String
        /// What it makes by itself; empty where only `all` rules name it.
        let categories: [String]
    }

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
        self.tables = Tables(reader, unknown: unknown)
    }

    /// How many categories one event may have at most.
    ///
    /// - Parameter codes: The most codes of an event.
    /// - Returns: A bound, not always reached.
    package func mostCategories(ofCodes codes: Int) -> Int {
        let byCode = tables.entries.values.map(\.categories.count).max() ?? 0
        let named = min(categories.count, codes * byCode + tables.combinations.count)
        return named + codes * tables.families.reduce(0) { $0 + $1.mostCategories }
    }

    /// Returns whether the rules can make a category of some event's codes.
    package func canMake(_ category: String) -> Bool {
        categories.contains(category) || tables.families.contains { $0.canMake(category) }
    }

    /// The longest categories that families can make.
    package var longestOfFamilies: [(rule: String, category: String)] {
        tables.families.map { ($0.ruleName, $0.longestCategory) }
    }

    /// Routes an event by its codes.
    ///
    /// - Parameter codes: The codes as the event has them. Of several codes of one subject any known one makes it known.
    /// - Returns: The categories, or that there are none; with the rule for each.
    package func route(_ codes: [String]) -> RouteOutcome {
        var route = Route()
        route.matches.reserveCapacity(codes.count)
        var present: Set<CategoryCode> = []
        for text in codes {
            var isKnown = false
            for code in CategoryAlternatives.codes(in: text) {
                isKnown = follow(String(code), route: &route, present: &present) || isKnown
            }
            if !isKnown { route.unknown.append(text) }
        }
        for (category, required) in tables.combinations where required.allSatisfy(present.contains) {
            let via = required.map(\.description).joined(separator: " + ")
            route.matches.append(CategoryMatch(code: via, category: category, via: via))
        }
        if case .category(let name) = tables.unknown {
            route.matches += route.unknown.map { CategoryMatch(code: $0, category: name, via: "unknown") }
        }
        let made = route.matches.map(\.category).sortedOnce()
        if tables.widerByNarrower.isEmpty {
            route.categories = made
        } else {
            let removed = Set(made.flatMap { tables.widerByNarrower[$0] ?? [] })
            route.categories = made.filter { !removed.contains($0) }
            route.narrowed = made.filter(removed.contains)
        }
        let isRefused = !route.unknown.isEmpty && tables.unknown == .deadLetter
        return route.categories.isEmpty || isRefused ? .unmapped(route) : .routed(route)
    }

    /// Notes what one code makes and which codes stand above it; says whether any rule knows it.
    private func follow(_ text: String, route: inout Route, present: inout Set<CategoryCode>) -> Bool {
        var isKnown = false
        var hasMade = false
        var way: CategoryCode?
        let code = CategoryCode(text)
        code.forEachOnTheWayUp { step in
            // Nobody asks which codes are there where no rule wants several.
            if hasMade, tables.combinations.isEmpty { return }
            guard let entry = tables.entries[step] else { return }
            isKnown = true
            if !tables.combinations.isEmpty { present.insert(step) }
            if hasMade { return }
            hasMade = !entry.categories.isEmpty
            way = step
            let via = step == code ? text : entry.code
            for category in entry.categories {
                route.matches.append(CategoryMatch(code: text, category: category, via: via))
            }
        }
        for family in tables.families {
            let categories = family.categories(of: text)
            route.matches += categories.map { CategoryMatch(code: text, category: $0, via: family.ruleName) }
            isKnown = isKnown || !categories.isEmpty
        }
        if code.isRetired(through: way) { route.retired.append(text) }
        return isKnown
    }
}
