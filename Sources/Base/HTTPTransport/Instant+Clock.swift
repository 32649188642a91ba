import Timestamps

extension Instant {
    /// The same instant by both clocks; the own one was read first, so that what is converted comes too early, not too late.
    private static let reference = (own: Instant.now, clocks: ContinuousClock.now)

    /// The same instant, or one that lies as little earlier as two looks at the clock are apart.
    init(_ instant: ContinuousClock.Instant) {
        self = Self.reference.own + Self.reference.clocks.duration(to: instant)
    }

    /// The instant that ``init(_:)`` was given.
    var clocks: ContinuousClock.Instant {
        Self.reference.clocks + (self - Self.reference.own)
    }
}
