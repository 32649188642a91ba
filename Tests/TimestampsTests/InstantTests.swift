import NewsflashTimestamps
import Testing

/// Instants of the monotonic clock.
@Suite(.timeLimit(.minutes(1)))
struct InstantTests {
    @Test
    func `an instant moves by durations of either sign`() {
        let start = Instant(nanoseconds: 5)
        var moved = start + .seconds(2)
        #expect(moved.nanoseconds == 2_000_000_005)
        #expect(moved - start == .seconds(2))
        #expect(start - moved == .seconds(-2))
        moved += .milliseconds(-1)
        #expect(moved - .nanoseconds(1) == Instant(nanoseconds: 1_999_000_004))
        #expect(start < moved)
    }

    @Test
    func `an instant is limited to the ends of its range`() {
        let start = Instant(nanoseconds: 5)
        #expect((start + .seconds(Int64.max)).nanoseconds == .max)
        #expect((Instant(nanoseconds: -5) - .seconds(Int64.max)).nanoseconds == .min)
        #expect(
            Instant(nanoseconds: .max) - Instant(nanoseconds: .min) == .nanoseconds(Int64.max) * 2 + .nanoseconds(1)
        )
    }

    @Test
    func `the clock is the continuous one`() {
        let before = Instant.now
        let began = ContinuousClock.now
        while began.duration(to: .now) < .milliseconds(20) {}
        let passed = Instant.now - before
        #expect(passed >= .milliseconds(20))
        #expect(passed < .seconds(20))
    }

    @Test(arguments: [
        (5_000_000, 2_500_000, 2.5), (0, 1_500, -0.0015),
        (Int64.max, Int64.min, 18_446_744_073_709.55),
    ])
    func `milliseconds between two timestamps have a fraction`(later: Int64, earlier: Int64, milliseconds: Double) {
        let length = Timestamp(nanoseconds: later).milliseconds(since: Timestamp(nanoseconds: earlier))
        #expect(abs(length - milliseconds) <= abs(milliseconds) * 1e-12)
    }
}
