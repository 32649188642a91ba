/// A part of a pattern that depends on an argument: `{kind, select, flash {Breaking} other {News}}`.
struct MessageChoice: Sendable, Equatable {
    /// The words for one value.
    struct Branch: Sendable, Equatable {
        /// A value, or `other`.
        let selector: String
        let parts: [MessagePattern.Part]
    }

    let argument: PatternArgument
    /// The branches, with each selector once and with `other`.
    let branches: [Branch]

    /// Chooses the branch for a value.
    ///
    /// - Parameter value: One value, or several categories separated by commas.
    /// - Returns: The parts of the first branch for the value or one of the categories, otherwise those of `other`.
    func parts(for value: String) -> [MessagePattern.Part] {
        let values = value.split(separator: ",")
        let branch =
            branches.first { branch in values.contains { $0 == branch.selector } }
            ?? branches.first { $0.selector == "other" }
        return branch?.parts ?? []
    }
}
