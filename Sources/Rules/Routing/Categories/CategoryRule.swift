/// One line of `categories:` in the configuration.
package struct CategoryRule: Sendable, Equatable {
    /// When the rule makes its category.
    package enum Condition: Sendable, Equatable {
        /// One of the codes is there, or is the nearest on the way up from one that is.
        case any([String])
        /// Every code is there, or is above one that is.
        case all([String])
        /// Each code of a family, `geo:*`, makes a category of its own, `geo.{code}`.
        case each(family: String, tag: String)
    }

    /// The category, which is what tags are made of; for a family only a name for the rule.
    package let name: String
    /// When the rule holds.
    package let condition: Condition

    package init(name: String, condition: Condition) {
        self.name = name
        self.condition = condition
    }

    /// Makes a rule of codes of which any will do.
    ///
    /// - Parameters:
    ///   - name: The category.
    ///   - codes: Words of the desk, `medtop:` and `subj:` codes; the case of ASCII letters does not count.
    package init(name: String, codes: [String]) {
        self.init(name: name, condition: .any(codes))
    }
}

/// What becomes of codes that no rule knows: `unknown:` in the configuration.
package enum UnknownPolicy: Sendable, Equatable {
    /// They are left out.
    case drop
    /// The event is not sent at all.
    case deadLetter
    /// They make this category.
    case category(String)
}
