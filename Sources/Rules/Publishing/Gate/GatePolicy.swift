package import NewsEvents
package import Timestamps

/// The newsroom's rules on what is told, when, and how loud.
package struct GatePolicy: Sendable, Equatable {
    /// How long an event that names no `expires` is worth telling, from `published`.
    package var life = defaultLife
    /// How far ahead `published` may lie before it is a mistake instead of a clock that is fast.
    package var clockSkew = Duration.seconds(300)
    /// How far ahead of the present an `embargo` may lie; further is a mistake, such as the year 9999 for "never".
    package var maximumEmbargo = Duration.seconds(60 * 86_400)
    /// The longest life of an event, from `published` or the end of its embargo: a later `expires` counts as this. Feeds say
    /// with it how long an item is of interest, which may be years.
    package var maximumLife = Duration.seconds(7 * 86_400)
    /// The handling of news without an embargo, while that of an earlier revision of its story is ahead.
    package var embargoDropped = DroppedEmbargo.hold
    /// How many people must have let an event of a kind go; kinds that are not here need nobody.
    package var approvals: [EventKind: Int] = [:]
    /// How long an event waits for the people it needs.
    package var approvalWait = Duration.seconds(180)
    /// When readers sleep.
    package var quiet: QuietHours?
    /// How often readers may be disturbed.
    package var caps: [LoudCap] = []
    /// How much is too much to be news.
    package var brake = BrakePolicy()

    /// The lives of the tutorials' newsroom: a flash an hour, a correction a day, a kill two.
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

    /// How long an event of a kind is worth telling that does not say so itself.
    func life(of kind: EventKind) -> Duration { life[kind] ?? .seconds(7200) }

    func deadline(of event: NewsEvent, life: Duration) -> Timestamp {
        let published = max(event.published, event.embargo ?? event.published)
        let expires = event.expires.map { min($0, published + maximumLife) }
        if let replay = event.replay, let start = replay.lifeStart {
            // What the desk said of its end holds for readers, whoever orders it once more.
            if replay.onlyTag == nil, let expires { return expires }
            return max(start, event.embargo ?? start) + life
        }
        return expires ?? published + life
    }
}

/// The handling of news without an embargo, while that of an earlier revision of its story is ahead.
package enum DroppedEmbargo: String, Sendable, CaseIterable {
    /// It waits until a revision names an embargo, past or to come, or a person resumes the story.
    case hold
    /// It is sent at once.
    case send
}

/// A number of events within a time.
package struct Rate: Sendable, Equatable {
    /// At least one.
    package let count: Int
    package let per: Duration

    /// A count below one counts as one.
    package init(_ count: Int, per: Duration) {
        self.count = max(count, 1)
        self.per = per
    }
}

/// How many pushes may make themselves heard; what is over goes out silently.
package struct LoudCap: Sendable, Equatable {
    /// The pushes that are counted together.
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

    /// Whether pushes to one of the newsroom's categories count.
    package func covers(_ category: String) -> Bool {
        self.category == nil || self.category == category
    }
}

/// How much is too much to be news: what is over holds the line until a human has looked.
package struct BrakePolicy: Sendable, Equatable {
    /// Events with the same words.
    package var sameText: Rate?
    /// Events of one source.
    package var perSource: Rate?
    /// Events of all sources.
    package var all: Rate?

    package init(sameText: Rate? = nil, perSource: Rate? = nil, all: Rate? = nil) {
        self.sameText = sameText
        self.perSource = perSource
        self.all = all
    }
}
