import Testing

@testable import NewsflashTimestamps

@Suite(.timeLimit(.minutes(1)))
struct TimestampArithmeticTests {
    private let first = Timestamp(nanoseconds: .min)
    private let last = Timestamp(nanoseconds: .max)

    @Test func `durations are added and subtracted`() {
        let instant = Timestamp(seconds: 100)

        #expect(instant + .milliseconds(1500) == Timestamp(nanoseconds: 101_500_000_000))
        #expect(instant - .milliseconds(1500) == Timestamp(nanoseconds: 98_500_000_000))
        #expect(instant + .seconds(-200) == Timestamp(seconds: -100))
    }

    @Test func `sums are limited to the ends of the range`() {
        let long = Duration.seconds(20_000_000_000)

        #expect(last + .nanoseconds(1) == last)
        #expect(first - .nanoseconds(1) == first)
        #expect(first + long == last)
        #expect(last - long == first)
        #expect(Timestamp(seconds: 0) + .seconds(9_223_372_036) + .milliseconds(999) == last)
    }

    @Test func `the time between two instants is exact over the whole range`() {
        #expect(Timestamp(seconds: 5) - Timestamp(seconds: 7) == .seconds(-2))
        #expect(last - first == .nanoseconds(Int64.max) + .nanoseconds(Int64.max) + .nanoseconds(1))
    }

    @Test func `seconds and milliseconds beyond the range are limited to its ends`() {
        #expect(Timestamp(seconds: 10_000_000_000) == last)
        #expect(Timestamp(seconds: -10_000_000_000) == first)
        #expect(Timestamp(milliseconds: .max) == last)
        #expect(Timestamp(milliseconds: .min) == first)
    }

    @Test func `whole seconds and milliseconds are rounded down`() {
        #expect(Timestamp(nanoseconds: -1).seconds == -1)
        #expect(Timestamp(nanoseconds: -1).milliseconds == -1)
        #expect(Timestamp(nanoseconds: 1_999_999_999).seconds == 1)
        #expect(Timestamp(nanoseconds: 1_999_999).milliseconds == 1)
    }

    @Test(arguments: [
        (Duration.zero, Int64(0)), (.milliseconds(-1500), -1_500_000_000),
        (.seconds(9_223_372_036), 9_223_372_036_000_000_000),
        (.seconds(9_223_372_036) + .milliseconds(999), Int64.max),
        (.seconds(-9_223_372_036) - .milliseconds(999), Int64.min),
        (.seconds(Int64.max), Int64.max), (.seconds(Int64.min), Int64.min),
    ])
    func `a duration in nanoseconds is limited to the ends of 64 bits`(duration: Duration, nanoseconds: Int64) {
        #expect(duration.wholeNanoseconds == nanoseconds)
        #expect(duration.wholeNanosecondsOfComponents == nanoseconds)
    }

    @Test func `a duration in seconds keeps its fraction`() {
        #expect(Duration.milliseconds(1250).inSeconds == 1.25)
    }

    @Test func `timestamps are ordered by time, and now moves on`() {
        #expect(Timestamp(seconds: 1) < Timestamp(seconds: 2))
        #expect(Timestamp.now() > Timestamp(seconds: 1_700_000_000))
    }
}
