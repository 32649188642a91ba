package import NewsEvents
package import Timestamps

/// The newsroom's rules on time.
package struct GatePolicy: Sendable, Equatable {
    /// How long an event that names no `expires` is worth telling, from `published`.
    package var life: [EventKind: Duration]
    /// How far ahead `published` may lie before it is a mistake instead of a clock that is fast.
    package var clockSkew: Duration

    /// The lives of the tutorials' newsroom: a flash an hour, a correction a day, a kill two.
    package static let defaultLife: [EventKind: Duration] = [
        .flash: .seconds(3600),
        .alert: .seconds(7200),
        .update: .seconds(7200),
        .correction: .seconds(86_400),
        .hold: .seconds(172_800),
        .kill: .seconds(172_800),
    ]

    package init(life: [EventKind: Duration] = defaultLife, clockSkew: Duration = .seconds(300)) {
        self.life = life
        self.clockSkew = clockSkew
    }

    /// The instant after which the event is not sent.
    package func deadline(of event: NewsEvent) -> Timestamp {
        if let expires = event.expires { return expires }
        let start = max(event.published, event.embargo ?? event.published)
        return start + (life[event.kind] ?? .seconds(7200))
    }
}
