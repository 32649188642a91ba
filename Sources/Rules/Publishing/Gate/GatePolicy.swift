package import NewsEvents
package import Timestamps

/// The newsroom's rules on time.
package struct GatePolicy: Sendable, Equatable {
    /// How long an event that names no `expires` is worth telling, from `published`.
    package var life: [EventKind: Duration]
    /// How far ahead `published` may lie before it is a mistake instead of a clock that is fast.
    package var clockSkew: Duration
    /// How far ahead of the present an `embargo` may lie; further is a mistake, such as the year 9999 for "never".
    package var maximumEmbargo: Duration
    /// How long an event may be worth telling at most: an `expires` lies no further after `published`, or after the
    /// embargo where there is one.
    package var maximumLife: Duration

    /// The lives of the tutorials' newsroom: a flash an hour, a correction a day, a kill two.
    package static let defaultLife: [EventKind: Duration] = [
        .flash: .seconds(3600),
        .alert: .seconds(7200),
        .update: .seconds(7200),
        .correction: .seconds(86_400),
        .hold: .seconds(172_800),
        .kill: .seconds(172_800),
    ]

    package init(
        life: [EventKind: Duration] = defaultLife,
        clockSkew: Duration = .seconds(300),
        maximumEmbargo: Duration = .seconds(60 * 86_400),
        maximumLife: Duration = .seconds(7 * 86_400)
    ) {
        self.life = life
        self.clockSkew = clockSkew
        self.maximumEmbargo = maximumEmbargo
        self.maximumLife = maximumLife
    }

    /// The instant after which the event is not sent.
    package func deadline(of event: NewsEvent) -> Timestamp {
        if let expires = event.expires { return expires }
        let start = max(event.published, event.embargo ?? event.published)
        return start + (life[event.kind] ?? .seconds(7200))
    }
}
