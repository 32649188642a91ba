import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

/// The contents and times of the ledger's batches.
@Suite(.timeLimit(.minutes(1)))
struct LedgerScheduleTests {
    private static let one = PartitionID(0)
    private static let two = PartitionID(3)
    private static let interval = Duration.milliseconds(10)
    private static let start = Instant(nanoseconds: 1_000_000_000)

    /// A schedule, and stories for it.
    private struct Fixture {
        var schedule = LedgerSchedule(interval: interval)

        func story(_ name: String, of partition: PartitionID = one) -> Story {
            let facts = StoryFacts(
                awaiting: .sample(name),
                digest: ContentDigest(value: 1),
                now: Timestamp(seconds: 1_772_440_800)
            )
            return Story(name, StoryIndex.Key(name), of: partition, facts: facts, ledgerOffset: -1)
        }

        mutating func beginBatch(_ number: UInt64, of partition: PartitionID = one, at now: Instant = start)
            -> LedgerSchedule.Batch
        {
            schedule.beginBatch(of: partition, id: WriteID(number), now: now)
        }

        mutating func fail(_ number: UInt64, of partition: PartitionID = one) -> Int? {
            schedule.failed(WriteID(number), of: partition)
        }

        mutating func confirm(_ number: UInt64, of partition: PartitionID = one) -> LedgerSchedule.Batch? {
            schedule.confirm(WriteID(number), of: partition)
        }
    }

    private static func owner(_ offset: Int64) -> LedgerOwner {
        LedgerOwner(hasLeft: false, isSettled: false, processed: [offset], hubs: [:])
    }

    // MARK: - Batches

    @Test func `a batch has each changed story once, in the order of their first changes, with its newest version`() {
        var fixture = Fixture()
        let (a, b) = (fixture.story("a"), fixture.story("b"))
        let other = fixture.story("other", of: Self.two)
        for story in [a, b, a, other, a] { fixture.schedule.changed(story) }
        (a.versions.atRisk, b.versions.atRisk) = (2, 1)
        #expect(fixture.schedule.ready(now: Self.start) == [Self.one, Self.two])
        #expect(fixture.schedule.openCount == 2)
        #expect(fixture.beginBatch(1).stories.map(\.name) == ["a", "b"])
        #expect((a.versions.atRisk, b.versions.atRisk) == (0, 0))
        let batch = fixture.confirm(1)
        #expect(batch?.entries.map(\.version) == [3, 1])
        #expect(batch?.entries.map(\.atRisk) == [2, 1])
        #expect(fixture.schedule.isDone(Self.one) && !fixture.schedule.isDone(Self.two))
    }

    @Test func `a partition has one batch in flight, and the others do not wait for it`() {
        var fixture = Fixture()
        let (a, b) = (fixture.story("a"), fixture.story("b"))
        let other = fixture.story("other", of: Self.two)
        fixture.schedule.changed(a)
        _ = fixture.beginBatch(1)
        for story in [a, b] { fixture.schedule.changed(story) }
        let later = Self.start + .seconds(1)
        #expect(fixture.schedule.due == nil)
        #expect(fixture.schedule.ready(now: later) == [])
        #expect(fixture.schedule.hasLastBatch(of: Self.one))
        fixture.schedule.changed(other)
        #expect(fixture.schedule.ready(now: later) == [Self.two])
        #expect(fixture.confirm(1)?.entries.map(\.version) == [1])
        #expect(fixture.schedule.ready(now: later) == [Self.one, Self.two])
        #expect(fixture.beginBatch(2, at: later).stories.map(\.name) == ["a", "b"])
    }

    @Test func `only the batch in flight of a partition can be confirmed or fail, and only once`() {
        var fixture = Fixture()
        fixture.schedule.changed(fixture.story("a"))
        _ = fixture.beginBatch(1)
        #expect(fixture.confirm(2) == nil && fixture.confirm(1, of: Self.two) == nil)
        #expect(fixture.fail(2) == nil && fixture.fail(1, of: Self.two) == nil)
        #expect(!fixture.schedule.isDone(Self.one))
        #expect(fixture.confirm(1)?.id == WriteID(1))
        #expect(fixture.confirm(1) == nil && fixture.fail(1) == nil)
        #expect(fixture.schedule.isDone(Self.one))
    }

    @Test func `the oldest batch in flight is found among all partitions`() {
        var fixture = Fixture()
        fixture.schedule.changed(fixture.story("a"))
        fixture.schedule.changed(fixture.story("other", of: Self.two))
        _ = fixture.beginBatch(1, of: Self.two, at: Self.start)
        _ = fixture.beginBatch(2, of: Self.one, at: Self.start + .milliseconds(3))
        #expect(fixture.schedule.oldest == Self.start)
        _ = fixture.confirm(1, of: Self.two)
        #expect(fixture.schedule.oldest == Self.start + .milliseconds(3))
        _ = fixture.confirm(2)
        #expect(fixture.schedule.oldest == nil)
    }

    // MARK: - Times

    @Test func `a batch is written an interval after the one before began`() {
        var fixture = Fixture()
        let a = fixture.story("a")
        fixture.schedule.changed(a)
        _ = fixture.beginBatch(1)
        _ = fixture.confirm(1)
        fixture.schedule.changed(a)
        let next = Self.start + Self.interval
        #expect(fixture.schedule.due == next)
        #expect(fixture.schedule.ready(now: next - .nanoseconds(1)) == [])
        #expect(fixture.schedule.ready(now: next) == [Self.one])
    }

    @Test(arguments: [(1, 10), (2, 10), (3, 15), (8, 40)])
    func `each partition with changes or a batch in flight adds half an interval`(open: Int, milliseconds: Int) {
        var fixture = Fixture()
        let partitions = (0..<open).map { PartitionID(Int32($0)) }
        for (number, partition) in partitions.enumerated() {
            fixture.schedule.changed(fixture.story("a", of: partition))
            if number > open / 2 { _ = fixture.beginBatch(UInt64(number), of: partition) }
        }
        #expect(fixture.schedule.openCount == open)
        _ = fixture.beginBatch(1)
        _ = fixture.confirm(1)
        fixture.schedule.forget(Set(partitions.dropFirst()))
        fixture.schedule.changed(fixture.story("b"))
        #expect(fixture.schedule.due == Self.start + .milliseconds(milliseconds))
    }

    /// Milliseconds after the start; negative for a change that is written with the next batch.
    @Test(arguments: [
        ([50], 50), ([50, 20, 30], 20), ([-1], 0), ([50, -1], 0), ([-1, 50], 0), ([50, -1, 20], 0),
    ])
    func `the most urgent change of a partition decides when its batch is due`(wanted: [Int], due: Int) {
        for isOneStory in [true, false] {
            var fixture = Fixture()
            fixture.schedule.holdBack(Self.one, until: Self.start)
            let first = fixture.story("a")
            for time in wanted {
                let story = isOneStory ? first : fixture.story("b")
                fixture.schedule.changed(story, by: time < 0 ? nil : Self.start + .milliseconds(time))
            }
            // The urgency of another partition does not count.
            fixture.schedule.changed(fixture.story("other", of: Self.two), by: Self.start + .seconds(1))
            #expect(fixture.schedule.due == Self.start + .milliseconds(due))
            #expect(fixture.schedule.ready(now: Self.start + .milliseconds(due)) == [Self.one])
        }
    }

    @Test func `an urgent change waits until the next batch is allowed, and that resets the urgency`() {
        var fixture = Fixture()
        let a = fixture.story("a")
        fixture.schedule.changed(a, by: Self.start)
        _ = fixture.beginBatch(1)
        fixture.schedule.changed(a, by: Self.start)
        _ = fixture.confirm(1)
        #expect(fixture.schedule.due == Self.start + Self.interval)
        _ = fixture.beginBatch(2, at: Self.start + Self.interval)
        _ = fixture.confirm(2)
        fixture.schedule.changed(a, by: Self.start + .seconds(1))
        #expect(fixture.schedule.due == Self.start + .seconds(1))
    }

    // MARK: - Failures

    @Test func `a failed batch is listed again with the newest versions, and its requests are at risk again`() {
        var fixture = Fixture()
        let (a, b, c) = (fixture.story("a"), fixture.story("b"), fixture.story("c"))
        for story in [a, b] { fixture.schedule.changed(story) }
        (a.versions.atRisk, b.versions.atRisk) = (2, 1)
        _ = fixture.beginBatch(1)
        for story in [c, a] { fixture.schedule.changed(story) }
        a.versions.atRisk = 3
        #expect(fixture.fail(1) == 1)
        #expect((a.versions.atRisk, b.versions.atRisk) == (5, 1))
        fixture.schedule.changed(b)
        let changes = fixture.beginBatch(2)
        #expect(changes.stories.map(\.name) == ["c", "a", "b"])
        let batch = fixture.confirm(2)
        #expect(batch?.entries.map(\.version) == [1, 2, 2])
        #expect(batch?.entries.map(\.atRisk) == [0, 5, 1])
        #expect(fixture.schedule.isDone(Self.one))
    }

    @Test func `failures are counted by partition, until a batch is confirmed`() {
        var fixture = Fixture()
        let (a, b) = (fixture.story("a"), fixture.story("other", of: Self.two))
        for story in [a, b] { fixture.schedule.changed(story) }
        for number in 1...3 as ClosedRange<UInt64> {
            _ = fixture.beginBatch(number)
            #expect(fixture.fail(number) == Int(number))
        }
        _ = fixture.beginBatch(4, of: Self.two)
        #expect(fixture.fail(4, of: Self.two) == 1)
        _ = fixture.beginBatch(5)
        _ = fixture.confirm(5)
        fixture.schedule.changed(a)
        _ = fixture.beginBatch(6)
        #expect(fixture.fail(6) == 1)
    }

    @Test func `a partition held back after a failure has no batch before its time, however urgent a change is`() {
        var fixture = Fixture()
        let (a, b) = (fixture.story("a"), fixture.story("b"))
        fixture.schedule.changed(a)
        fixture.schedule.changed(fixture.story("other", of: Self.two))
        _ = fixture.beginBatch(1)
        _ = fixture.fail(1)
        let end = Self.start + .seconds(2)
        fixture.schedule.holdBack(Self.one, until: end)
        fixture.schedule.changed(b, by: Self.start)
        #expect(fixture.schedule.ready(now: end - .nanoseconds(1)) == [Self.two])
        #expect(fixture.schedule.ready(now: end) == [Self.one, Self.two])
        _ = fixture.beginBatch(2, of: Self.two)
        #expect(fixture.schedule.due == end)
        #expect(fixture.beginBatch(3, at: end).stories.map(\.name) == ["a", "b"])
        _ = fixture.confirm(3)
        fixture.schedule.changed(a)
        #expect(fixture.schedule.due == end + Self.interval)
    }

    @Test func `a failed batch does not wait for a change that can wait`() {
        var fixture = Fixture()
        let (a, b) = (fixture.story("a"), fixture.story("b"))
        fixture.schedule.changed(a, by: Self.start)
        _ = fixture.beginBatch(1)
        fixture.schedule.changed(b, by: Self.start + .seconds(9))
        _ = fixture.fail(1)
        fixture.schedule.holdBack(Self.one, until: Self.start + .seconds(2))
        #expect(fixture.schedule.due == Self.start + .seconds(2))
    }

    // MARK: - Owners and stories to forget

    @Test func `an owner record is due at once, and is written with the next batch once`() {
        var fixture = Fixture()
        fixture.schedule.changed(fixture.story("a"), by: Self.start + .seconds(1))
        fixture.schedule.own(Self.one, Self.owner(1))
        fixture.schedule.own(Self.one, Self.owner(2))
        #expect(fixture.schedule.ready(now: Self.start) == [Self.one])
        let changes = fixture.beginBatch(1)
        #expect(changes.owner == Self.owner(2))
        #expect(changes.stories.map(\.name) == ["a"])
        #expect(fixture.confirm(1)?.owner == Self.owner(2))
        #expect(fixture.beginBatch(2).owner == nil)
    }

    @Test func `the owner record of a failed batch is written again, unless there is a newer one`() {
        var fixture = Fixture()
        fixture.schedule.own(Self.one, Self.owner(1))
        #expect(fixture.schedule.ready(now: Self.start) == [Self.one])
        _ = fixture.beginBatch(1)
        #expect(fixture.fail(1) == 1)
        #expect(fixture.beginBatch(2).owner == Self.owner(1))
        fixture.schedule.own(Self.one, Self.owner(2))
        #expect(fixture.fail(2) == 2)
        #expect(fixture.beginBatch(3).owner == Self.owner(2))
    }

    @Test func `the record of a give-back is written when all facts are confirmed, and again after a failure`() {
        var fixture = Fixture()
        let left = LedgerOwner(hasLeft: true, isSettled: true, hubs: [:])
        fixture.schedule.changed(fixture.story("a"), by: Self.start + .seconds(1))
        fixture.schedule.leave(Self.one, left)
        #expect(fixture.schedule.ready(now: Self.start) == [Self.one])
        let first = fixture.beginBatch(1)
        #expect(first.stories.map(\.name) == ["a"] && first.owner == nil)
        #expect(fixture.schedule.due == nil && !fixture.schedule.hasLastBatch(of: Self.one))
        _ = fixture.fail(1)
        #expect(fixture.beginBatch(2).owner == nil)
        _ = fixture.confirm(2)
        #expect(!fixture.schedule.isDone(Self.one) && fixture.schedule.hasLastBatch(of: Self.one))
        #expect(fixture.beginBatch(3).owner == left)
        _ = fixture.fail(3)
        fixture.schedule.changed(fixture.story("b"))
        #expect(fixture.beginBatch(4).owner == nil)
        _ = fixture.confirm(4)
        #expect(fixture.beginBatch(5).owner == left)
        _ = fixture.confirm(5)
        #expect(fixture.schedule.isDone(Self.one))
    }

    @Test func `stories to forget are written with the next batch, and again after a failure`() {
        var fixture = Fixture()
        fixture.schedule.forget("old", of: Self.one)
        #expect(fixture.schedule.ready(now: Self.start) == [Self.one])
        #expect(fixture.beginBatch(1).forgotten == ["old"])
        fixture.schedule.forget("older", of: Self.one)
        #expect(fixture.fail(1) == 1)
        #expect(fixture.beginBatch(2).forgotten == ["older", "old"])
        #expect(fixture.confirm(2)?.forgotten == ["older", "old"])
        #expect(fixture.schedule.isDone(Self.one))
    }

    @Test func `stories to forget do not wait for a change that was written early`() {
        var fixture = Fixture()
        fixture.schedule.changed(fixture.story("a"), by: Self.start + .seconds(1))
        _ = fixture.beginBatch(1)
        _ = fixture.confirm(1)
        fixture.schedule.forget("old", of: Self.one)
        #expect(fixture.schedule.due == Self.start + Self.interval)
    }

    // MARK: - Removed partitions

    @Test func `a removed partition leaves no changes, and others keep theirs`() {
        var fixture = Fixture()
        let (a, b) = (fixture.story("a"), fixture.story("other", of: Self.two))
        for story in [a, b] { fixture.schedule.changed(story) }
        _ = fixture.beginBatch(1)
        fixture.schedule.changed(a)
        fixture.schedule.own(Self.one, Self.owner(1))
        fixture.schedule.forget("old", of: Self.one)
        fixture.schedule.holdBack(Self.one, until: Self.start + .seconds(5))
        fixture.schedule.forget([Self.one])
        #expect(fixture.schedule.isDone(Self.one) && fixture.schedule.oldest == nil)
        #expect(fixture.schedule.ready(now: Self.start + .seconds(5)) == [Self.two])
        #expect(fixture.confirm(1) == nil && fixture.fail(1) == nil)
        // It returns without its earlier failures and backoff.
        fixture.schedule.changed(fixture.story("c"))
        #expect(fixture.schedule.ready(now: Self.start) == [Self.one, Self.two])
        let changes = fixture.beginBatch(2)
        #expect(changes.stories.map(\.name) == ["c"])
        #expect(changes.owner == nil && changes.forgotten == [])
        #expect(fixture.fail(2) == 1)
    }
}

extension LedgerSchedule.Batch {
    fileprivate var stories: [Story] { entries.map(\.story) }
}
