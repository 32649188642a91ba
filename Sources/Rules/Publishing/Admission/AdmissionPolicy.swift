package import NewsflashEvents
package import NewsflashTimestamps

/// The newsroom's rules on which news is sent, when, and how loud.
package struct AdmissionPolicy: Sendable, Equatable {
    /// The life of an event without `expires`, from `published`, by kind.
    package var life = defaultLife
    /// How far in the future `published` may be: more is a mistake, less may be a fast clock.
    package var clockSkew = Duration.seconds(300)
    /// How far in the future an `embargo` may be; more is a mistake, such as the year 9999 for "never".
    package var maximumEmbargo = Duration.seconds(60 * 86_400)
    /// The maximum life of an event, from `published` or the end of its embargo: a later `expires` is cut to this. Feeds use
    /// `expires` for how long an item is of interest, which may be years.
    package var maximumLife = Duration.seconds(7 * 86_400)
    /// The handling of news without an embargo, while that of an earlier revision of its story is in the future.
    package var embargoDropped = DroppedEmbargo.hold
    /// The number of people who must approve an event of a kind; other kinds need no approval.
    package var approvals: [EventKind: Int] = [:]
    /// How long an event waits for its approvals.
    package var approvalWait = Duration.seconds(180)
    /// The quiet hours of subscribers.
    package var quiet: QuietHours?
    /// The limits on loud notifications.
    package var caps: [AudibleLimit] = []
    /// The volume limits.
    package var volumeLimits = VolumeLimitPolicy()

    /// The default lives: a flash one hour, a correction a day, a kill two days.
    package static let defaultLife: [EventKind: Duration] = [
        .flash: .seconds(3600),
        .alert: .seconds(7200),
        .update: .seconds(7200),
        .correction: .seconds(86_400),
        .hold: .seconds(172_800),
        .kill: .seconds(172_800),
    ]

    package init() {}

    /// The instant after which the event is not sent.
    package func deadline(of event: NewsEvent) -> Timestamp {
        deadline(of: event, life: life(of: event.kind))
    }

    /// The life of an event of a kind without `expires`.
    func life(of kind: EventKind) -> Duration { life[kind] ?? .seconds(7200) }

    func deadline(of event: NewsEvent, life: Duration) -> Timestamp {
        let published = max(event.published, event.embargo ?? event.published)
        let expires = event.expires.map { min($0, published + maximumLife) }
        if let replay = event.replay, let start = replay.lifeStart {
            // The `expires` of the desk applies to subscribers, whoever orders the replay.
            if replay.onlyTag == nil, let expires { return expires }
            return max(start, event.embargo ?? start) + life
        }
        return expires ?? published + life
    }
}

/// The handling of news without an embargo, while that of an earlier revision of its story is in the future.
package enum DroppedEmbargo: String, Sendable, CaseIterable {
    /// It waits until a revision has an embargo, past or future, or a person resumes the event.
    case hold
    /// It is sent at once.
    case send
}

/// A maximum count per time interval.
package struct Rate: Sendable, Equatable {
    /// The count, at least one.
    package let count: Int
    package let per: Duration

    /// Creates a rate. A count below one counts as one.
    package init(_ count: Int, per: Duration) {
        self.count = max(count, 1)
        self.per = per
    }
}

/// A limit on loud notifications of a category; others are sent silently.
package struct AudibleLimit: Sendable, Equatable {
    /// The notifications that are counted together.
    package enum Scope: Sendable, Equatable {
        /// All stories of the category or, for a cap on every category, of all categories.
        case all
        /// The notifications of one story to one category.
        case story
    }

    /// The newsroom's category; `nil` for every category (`*`).
    package var category: String?
    package var rate: Rate
    package var scope: Scope

    package init(category: String?, rate: Rate, scope: Scope = .all) {
        self.category = category
        self.rate = rate
        self.scope = scope
    }

    /// Whether notifications to one of the newsroom's categories count.
    package func covers(_ category: String) -> Bool {
        self.category == nil || self.category == category
    }
}

/// The volume limits: events above them wait until a person resumes.
package struct VolumeLimitPolicy: Sendable, Equatable {
    /// The limit on events with the same text.
    package var sameText: Rate?
    /// The limit on events of one source.
    package var perSource: Rate?
    /// The limit on events of all sources.
    package var all: Rate?

    package init(sameText: Rate? = nil, perSource: Rate? = nil, all: Rate? = nil) {
        self.sameText = sameText
        self.perSource = perSource
        self.all = all
    }
}
