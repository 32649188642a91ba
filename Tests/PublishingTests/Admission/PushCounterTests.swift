import NewsflashEvents
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

/// The counts of volume limits from the ledgers of other partitions, before and after a resume.
@Suite(.timeLimit(.minutes(1)))
struct PushCounterTests {
    private static let start = Moment(instant: Instant(nanoseconds: 0), wall: Timestamp(seconds: 1_772_440_800))

    private static func tally() -> PushCounter {
        var policy = AdmissionPolicy()
        policy.volumeLimits.perSource = Rate(2, per: .seconds(600))
        policy.volumeLimits.sameText = Rate(2, per: .seconds(600))
        return PushCounter(policy)
    }

    private static func push(_ seconds: Int, source: String = "desk", words: UInt64 = 7) -> StoryFacts.Push {
        StoryFacts.Push(
            at: start.wall + .seconds(seconds),
            source: source,
            words: words,
            categories: [],
            isLoud: true
        )
    }

    private static func exceededLimit(_ tally: PushCounter, source: String = "desk", words: UInt64 = 9) -> PushCounter
        .VolumeLimit?
    {
        tally.exceededLimit(for: push(0, source: source, words: words), now: start.instant)
    }

    @Test func `pushes of another partition count if they are newer than the resume`() {
        for (ages, expected) in [
            ([-100, -90], nil), ([-30, -20], PushCounter.VolumeLimit.perSource), ([-100, -20], nil),
        ] {
            var tally = Self.tally()
            tally.resume(.source("desk"), at: Self.start.instant - .seconds(60))
            tally.restore(ages.map { Self.push($0) }, now: Self.start)
            #expect(Self.exceededLimit(tally) == expected, "\(ages)")
        }
    }

    @Test func `a push dated in the future counts as new until the next resume`() {
        let future = [3600, 3601].map { Self.push($0) }
        var tally = Self.tally()
        tally.restore(future, now: Self.start)
        #expect(Self.exceededLimit(tally) == .perSource)
        #expect(tally.exceededLimit(for: Self.push(0), now: Self.start.instant + .seconds(600)) == nil)
        tally.resume(.all, at: Self.start.instant)
        #expect(Self.exceededLimit(tally) == nil)
        var another = Self.tally()
        another.resume(.all, at: Self.start.instant - .seconds(60))
        another.restore(future, now: Self.start)
        #expect(Self.exceededLimit(another) == nil)
    }

    @Test func `a resume of one source keeps the counts of others`() {
        var tally = Self.tally()
        tally.restore(
            [-4, -3].map { Self.push($0) } + [-2, -1].map { Self.push($0, source: "wire") },
            now: Self.start
        )
        #expect(Self.exceededLimit(tally) == .perSource)
        tally.resume(.source("desk"), at: Self.start.instant)
        #expect(Self.exceededLimit(tally) == nil)
        #expect(Self.exceededLimit(tally, source: "wire") == .perSource)
        tally.resume(.all, at: Self.start.instant)
        #expect(Self.exceededLimit(tally, source: "wire") == nil)
    }

    @Test func `a resume of one source resets the counts of its own words only`() {
        var tally = Self.tally()
        let pushes = [Self.push(-4, words: 1), Self.push(-3, source: "wire", words: 1)]
        let others = [Self.push(-2, source: "wire", words: 2), Self.push(-1, source: "more", words: 2)]
        tally.restore(pushes + others, now: Self.start)
        #expect([1, 2].map { Self.exceededLimit(tally, source: "new", words: $0) } == [.sameText, .sameText])
        tally.resume(.source("desk"), at: Self.start.instant)
        #expect([1, 2].map { Self.exceededLimit(tally, source: "new", words: $0) } == [nil, .sameText])
    }

    @Test func `a partition that returns does not restore the counts before a resume`() {
        var tally = Self.tally()
        tally.restore([Self.push(-2), Self.push(-1)], now: Self.start)
        tally.resume(.source("desk"), at: Self.start.instant - .seconds(10))
        tally.restore([Self.push(-2), Self.push(-1)], now: Self.start)
        #expect(Self.exceededLimit(tally) == nil)
    }

    @Test func `an event resumed by a person is not counted once`() {
        var tally = Self.tally()
        let event = RecordPosition(partition: PartitionID(0), offset: 0, reading: 0)
        tally.exempt(event)
        #expect(tally.isExempt(event))
        for second in [-3, -2] { tally.record(Self.push(second), of: event, now: Self.start.instant) }
        #expect(!tally.isExempt(event))
        #expect(Self.exceededLimit(tally) == nil)
        tally.record(Self.push(-1), of: event, now: Self.start.instant)
        #expect(Self.exceededLimit(tally) == .perSource)
        tally.exempt(event)
        tally.forgetExemption(of: event)
        #expect(!tally.isExempt(event))
        tally.exempt(event)
        tally.forgetExemptions { $0.partition == PartitionID(0) }
        #expect(!tally.isExempt(event))
    }

    @Test func `equal words at one instant count each`() {
        var tally = Self.tally()
        for slot in 0..<2 {
            #expect(Self.exceededLimit(tally, source: "new", words: 7) == nil)
            let place = RecordPosition(partition: PartitionID(0), offset: Int64(slot), reading: 0)
            tally.record(Self.push(0), of: place, now: Self.start.instant)
        }
        #expect(Self.exceededLimit(tally, source: "new", words: 7) == .sameText)
    }
}
