import Timestamps

extension Instant {
    /// The same time on both clocks. Our clock was read first, so converted instants are rather too early than too late.
    private static let reference = (own: Instant.now, clocks: ContinuousClock.now)

    /// Converts an instant; the result may be earlier by the time between the two clock readings of ``reference``.
    init(_ instant: ContinuousClock.Instant) {
        self = Self.reference.own + Self.reference.clocks.duration(to: instant)
    }

    /// The instant passed to ``init(_:)``.
    var clocks: ContinuousClock.Instant {
        Self.reference.clocks + (self - Self.reference.own)
    }
}
