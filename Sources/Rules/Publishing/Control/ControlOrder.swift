package import Timestamps

/// What the control topic says to the workers of a group.
package enum ControlOrder: Sendable, Equatable {
    /// To hold or release a source, or all of them.
    case source(ControlRecord)
    /// To read the configuration again.
    case reload(ReloadOrder)
    /// To log more or less for a while.
    case logLevel(LogLevelOrder)
    /// Of a version to come: whoever does not know it passes it over.
    case unknown(act: String)

    /// The key of its record: the topic keeps the latest of each.
    package var key: String? {
        switch self {
        case .source(let record): record.key
        case .reload: "reload"
        case .logLevel: "logLevel"
        case .unknown: nil
        }
    }
}

/// An order to read the configuration again, and to judge its rules beside the old ones.
///
/// It is for workers that run when it is given: who starts later has read the present configuration.
package struct ReloadOrder: Sendable, Equatable {
    /// By how many events they are judged; `nil` for what the configuration says.
    package var events: Int?
    /// The kinds of differences that are meant, beside those that the configuration announces.
    package var announced: Set<PlanDifference.Kind>
    /// How many events may differ in other ways, in place of what the configuration says.
    package var limits: [PlanDifference.Kind: Int]
    /// Who gives it.
    package var by: String
    /// For people: why. Never words of news.
    package var reason: String
    package var at: Timestamp

    package init(
        events: Int? = nil,
        announced: Set<PlanDifference.Kind> = [],
        limits: [PlanDifference.Kind: Int] = [:],
        by: String,
        reason: String,
        at: Timestamp
    ) {
        self.events = events
        self.announced = announced
        self.limits = limits
        self.by = by
        self.reason = reason
        self.at = at
    }

    /// The terms of the configuration with those of the order over them.
    package func terms(over terms: CanaryTerms) -> CanaryTerms {
        CanaryTerms(
            // Orders of earlier versions may ask for more.
            events: Swift.min(events ?? terms.events, CanaryTerms.mostEvents),
            announced: terms.announced.union(announced),
            limits: terms.limits.merging(limits) { _, own in own }
        )
    }
}

/// An order to log from another level on, which ends by itself.
package struct LogLevelOrder: Sendable, Equatable {
    /// As the log names it, such as `debug`.
    package var level: String
    /// When the configuration's level holds again.
    package var until: Timestamp
    /// Who gives it.
    package var by: String
    /// For people: why. Never words of news.
    package var reason: String
    package var at: Timestamp

    /// Nobody reads that much for longer.
    package static let longest = Duration.seconds(86_400)

    package init(level: String, until: Timestamp, by: String, reason: String, at: Timestamp) {
        self.level = level
        self.until = until
        self.by = by
        self.reason = reason
        self.at = at
    }
}
