package import NewsflashEvents
import NotificationHubs

/// Maps the codes of an event to categories: `categories:`, `narrower:` and `unknown:` of the configuration.
///
/// On a code's way up to its root, only the nearest code with a rule counts; several codes give the union.
package struct CategoryMap: Sendable {
    /// The categories of the rules, in the order of the configuration; families make more.
    package var categories: [String] { tables.categories }
    /// Problems with which the worker can run: codes that IPTC retired or never had, and categories that no code reaches.
    package var warnings: [ValidationProblem] { tables.warnings }
    private let tables: Tables

    /// One object, because maps are copied often.
    private final class Tables: Sendable {
        let categories: [String]
        let warnings: [ValidationProblem]
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

    /// The rules for one code.
    private struct Entry {
        /// The code as in the configuration.
        let code: String
        /// The categories that it makes alone; empty if only `all` rules contain it.
        let categories: [String]
    }

    /// Checks the rules.
    ///
    /// - Parameters:
    ///   - rules: The categories.
    ///   - unknown: The handling of codes without a rule.
    ///   - narrower: For a category, the wider ones that are removed if it is present, so that nobody gets two notifications.
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

    /// The maximum number of categories of one event.
    ///
    /// - Parameter codes: The maximum number of codes of an event.
    /// - Returns: An upper bound.
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
    /// - Parameter codes: The codes of the event. An element can list several codes for one subject; one known code makes it
    ///   known.
    /// - Returns: The categories with the rule for each, or that there are none.
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

    /// Adds the matches of one code, and the codes with rules among it and its ancestors. Returns whether any rule has it.
    private func follow(_ text: String, route: inout Route, present: inout Set<CategoryCode>) -> Bool {
        var isKnown = false
        var hasMade = false
        var way: CategoryCode?
        let code = CategoryCode(text)
        code.forEachOnTheWayUp { step in
            // If no rule needs several codes, the other ancestors do not matter.
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

extension [String] {
    /// The texts in ascending order, without duplicates.
    func sortedOnce() -> [String] {
        if isSortedOnce { return self }
        let sorted = self.sorted()
        if sorted.isSortedOnce { return sorted }
        var once: [String] = []
        once.reserveCapacity(count)
        for text in sorted where once.last != text { once.append(text) }
        return once
    }

    /// Whether the texts are strictly ascending.
    private var isSortedOnce: Bool {
        var place = 1
        while place < count {
            guard self[place - 1] < self[place] else { return false }
            place += 1
        }
        return true
    }
}
