/// One line of `categories:` in the configuration.
package struct CategoryRule: Sendable, Equatable {
    /// The condition under which the rule makes its category.
    package enum Condition: Sendable, Equatable {
        /// One of the codes is present, or is the nearest ancestor of a present code.
        case any([String])
        /// Every code is present, or is an ancestor of a present code.
        case all([String])
        /// Each code of a family, `geo:*`, makes its own category, `geo.{code}`.
        case each(family: String, tag: String)
    }

    /// The category, from which tags are made; for a family only the name of the rule.
    package let name: String
    /// The condition of the rule.
    package let condition: Condition

    package init(name: String, condition: Condition) {
        self.name = name
        self.condition = condition
    }

    /// Creates a rule that any one of its codes fulfils.
    ///
    /// - Parameters:
    ///   - name: The category.
    ///   - codes: Words of the desk, `medtop:` and `subj:` codes; ASCII case is ignored.
    package init(name: String, codes: [String]) {
        self.init(name: name, condition: .any(codes))
    }
}

/// The handling of codes without a rule: `unknown:` in the configuration.
package enum UnknownPolicy: Sendable, Equatable {
    /// They are ignored.
    case drop
    /// The event is not sent.
    case deadLetter
    /// They make this category.
    case category(String)
}
