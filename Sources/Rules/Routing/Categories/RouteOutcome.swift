/// Where an event goes.
package enum RouteOutcome: Sendable, Equatable {
    /// To these categories.
    case routed(Route)
    /// Nowhere: no code made a category, or one is unknown where that is not allowed.
    case unmapped(Route)

    /// What was found out either way.
    package var route: Route {
        switch self {
        case .routed(let route), .unmapped(let route): route
        }
    }
}

/// How an event's codes became categories; enough to explain it to the newsroom.
package struct Route: Sendable, Equatable {
    /// The categories, sorted, each once.
    package internal(set) var categories: [String] = []
    /// Which code made which category, in the order of the event's codes.
    package internal(set) var matches: [CategoryMatch] = []
    /// Codes that no rule knows, as the event writes them.
    package internal(set) var unknown: [String] = []
    /// Codes that IPTC has retired; mapped by their last parents.
    package internal(set) var retired: [String] = []
    /// Categories that went because a narrower one is there.
    package internal(set) var narrowed: [String] = []

    /// What an outcome record should warn of.
    package var warnings: [RouteWarning] {
        unknown.map(RouteWarning.unknownCode) + retired.map(RouteWarning.retiredCode)
    }
}

/// One code that made one category.
package struct CategoryMatch: Sendable, Equatable {
    /// The event's code, or the codes of an `all` rule.
    package let code: String
    /// What it made.
    package let category: String
    /// The configured code that was met on the way up, the name of a family's rule, or `unknown`.
    package let via: String
}

/// Something about an event's codes that the desk should know.
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
