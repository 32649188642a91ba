/// How many pushes may make themselves heard; what is over goes out silently.
package struct LoudCap: Sendable, Equatable {
    /// What is counted together.
    package enum Scope: Sendable, Equatable {
        /// All stories, of the category or, for a cap on every category, of all of them.
        case all
        /// The pushes of one story to one category.
        case story
    }

    /// The newsroom's category; `nil` for every one (`*`).
    package var category: String?
    package var rate: Rate
    package var scope: Scope

    package init(category: String?, rate: Rate, scope: Scope = .all) {
        self.category = category
        self.rate = rate
        self.scope = scope
    }

    /// Whether pushes to a category count.
    ///
    /// - Parameter category: One of the newsroom's.
    /// - Returns: Whether the cap is on it or on every one.
    package func covers(_ category: String) -> Bool {
        self.category == nil || self.category == category
    }
}
