/// A part of a pattern whose words depend on an argument: `{kind, select, flash {Breaking} other {News}}`.
struct MessageChoice: Sendable, Equatable {
    /// Words, and the value for which they are taken.
    struct Branch: Sendable, Equatable {
        /// A value, or `other`.
        let selector: String
        let parts: [MessagePattern.Part]
    }

    let argument: PatternArgument
    /// Each selector once, `other` among them.
    let branches: [Branch]

    /// Chooses the words for a value.
    ///
    /// - Parameter value: One value, or several categories with commas between them.
    /// - Returns: The parts of the first branch that names the value or one of the categories, otherwise those of `other`.
    func parts(for value: String) -> [MessagePattern.Part] {
        let values = value.split(separator: ",")
        let branch =
            branches.first { branch in values.contains { $0 == branch.selector } }
            ?? branches.first { $0.selector == "other" }
        return branch?.parts ?? []
    }
}
