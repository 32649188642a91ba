package import NewsflashTimestamps

/// An order in the control topic to the workers of a group.
package enum ControlOrder: Sendable, Equatable {
    /// Pause or resume a source, or all of them.
    case source(ControlRecord)
    /// Read the configuration again.
    case reload(ReloadOrder)
    /// Log more or less for a while.
    case logLevel(LogLevelOrder)
    /// An order of a future version; workers that cannot decode it ignore it.
    case unknown(act: String)

    /// The key of its record. The topic keeps the latest record of each key.
    package var key: String? {
        switch self {
        case .source(let record): record.key
        case .reload: "reload"
        case .logLevel: "logLevel"
        case .unknown: nil
        }
    }
}

/// An order to read the configuration again, and to compare its rules with the current ones.
///
/// It is for workers that run when it is given. A worker that starts later reads the current configuration anyway.
package struct ReloadOrder: Sendable, Equatable {
    /// The number of events to compare; `nil` for the value in the configuration.
    package var events: Int?
    /// The announced kinds of differences, in addition to those in the configuration.
    package var announced: Set<PlanDifference.Kind>
    /// The number of events that may have other kinds of differences. It replaces the values in the configuration.
    package var limits: [PlanDifference.Kind: Int]
    /// The person who gives the order.
    package var by: String
    /// The reason, for people. It never contains the text of news.
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

    /// The terms of the configuration, overridden by those of the order.
    package func terms(over terms: CanaryTerms) -> CanaryTerms {
        CanaryTerms(
            // Orders of earlier versions may contain more events.
            events: Swift.min(events ?? terms.events, CanaryTerms.mostEvents),
            announced: terms.announced.union(announced),
            limits: terms.limits.merging(limits) { _, own in own }
        )
    }
}

/// An order to change the log level until a given time.
package struct LogLevelOrder: Sendable, Equatable {
    /// The level's name in the log, such as `debug`.
    package var level: String
    /// When the level of the configuration applies again.
    package var until: Timestamp
    /// The person who gives the order.
    package var by: String
    /// The reason, for people. It never contains the text of news.
    package var reason: String
    package var at: Timestamp

    /// The maximum duration: nobody reads that much for longer.
    package static let longest = Duration.seconds(86_400)

    package init(level: String, until: Timestamp, by: String, reason: String, at: Timestamp) {
        self.level = level
        self.until = until
        self.by = by
        self.reason = reason
        self.at = at
    }
}
