/// The result of routing an event.
package enum RouteOutcome: Sendable, Equatable {
    /// Its categories.
    case routed(Route)
    /// No category: no code made one, or a code is unknown and that is not allowed.
    case unmapped(Route)

    /// The route in either case.
    package var route: Route {
        switch self {
        case .routed(let route), .unmapped(let route): route
        }
    }
}

/// How an event's codes became categories, in enough detail to explain it to the newsroom.
package struct Route: Sendable, Equatable {
    /// The categories, sorted, each once.
    package internal(set) var categories: [String] = []
    /// The code of each category, in the order of the event's codes.
    package internal(set) var matches: [CategoryMatch] = []
    /// Codes without a rule, as in the event.
    package internal(set) var unknown: [String] = []
    /// Codes that IPTC has retired; they are mapped by their last parents.
    package internal(set) var retired: [String] = []
    /// Categories that were removed because a narrower one is present.
    package internal(set) var narrowed: [String] = []

    /// The warnings for the outcome record.
    package var warnings: [RouteWarning] {
        unknown.map(RouteWarning.unknownCode) + retired.map(RouteWarning.retiredCode)
    }
}

/// One code that made one category.
package struct CategoryMatch: Sendable, Equatable {
    /// The event's code, or the codes of an `all` rule.
    package let code: String
    /// The category that it made.
    package let category: String
    /// The code in the configuration that it matched, the name of a family's rule, or `unknown`.
    package let via: String
}

/// A warning for the desk about an event's codes.
package enum RouteWarning: Sendable, Equatable {
    case unknownCode(String)
    case retiredCode(String)

    /// The code of the warning in outcome records.
    package var label: String {
        switch self {
        case .unknownCode: "category.unknown"
        case .retiredCode: "category.retired"
        }
    }
}
