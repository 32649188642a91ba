import NewsflashPlanning
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct LagEstimatorTests {
    private let source = TopicPartition(topic: "news", partition: 0)
    private let beginning = Moment.now()
    private var reckoning = LagEstimator()

    /// A snapshot of the core some seconds after the beginning.
    private func snapshot(
        after seconds: Int = 0,
        frontier: Int64?,
        open: Int = 0,
        oldest: Timestamp? = nil,
        hasTakenAll: Bool = true
    ) throws -> PublishingSnapshot {
        let configuration = try SoundConfiguration.read()
        let core = PublishingCore(configuration: configuration.core, planner: EventPlanner(configuration), seed: 1)
        var status = core.status(now: beginning)
        status.partitions = [
            PublishingStatus.Partition(
                source: source,
                phase: frontier == nil ? .restoring : .working,
                frontier: frontier,
                open: open,
                oldestOpenTime: oldest
            )
        ]
        return PublishingSnapshot(
            status: status,
            takenAt: beginning.instant + .seconds(seconds),
            hasTakenAll: hasTakenAll,
            turnedAt: beginning.instant + .seconds(seconds)
        )
    }

    /// Checks once, some seconds after the beginning.
    private mutating func look(
        _ snapshot: PublishingSnapshot,
        after seconds: Int = 0,
        end: Int64?,
        position: Int64?
    ) -> [TopicPartition: Int64] {
        reckoning.recordRound(
            ends: end.map { [source: $0] } ?? [:],
            positions: position.map { [source: $0] } ?? [:],
            of: snapshot.status?.partitions ?? [],
            in: snapshot,
            now: beginning + .seconds(seconds)
        )
    }

    private func lag(_ snapshot: PublishingSnapshot, after seconds: Int = 0) -> PartitionLag? {
        reckoning.lags(in: snapshot, now: beginning.wall + .seconds(seconds)).first
    }

    @Test mutating func `the lag is the number of open and unread records, as old as the first open one`() throws {
        let oldest = beginning.wall - .seconds(40)
        let snapshot = try snapshot(frontier: 10, open: 4, oldest: oldest)
        #expect(look(snapshot, end: 25, position: 10) == [:])
        #expect(lag(snapshot) == PartitionLag(source: source, records: 19, age: .seconds(40)))
        #expect(lag(snapshot, after: 5)?.age == .seconds(45))
    }

    @Test mutating func `a partition without open and unread records has no lag`() throws {
        let snapshot = try snapshot(frontier: 25)
        _ = look(snapshot, end: 25, position: 25)
        #expect(lag(snapshot) == PartitionLag(source: source, records: 0, age: .zero))
    }

    @Test mutating func `the last known end counts while no leader answers, and the age increases`() throws {
        let snapshot = try snapshot(frontier: 10, open: 1, oldest: beginning.wall)
        _ = look(snapshot, end: 12, position: 10)
        _ = look(snapshot, after: 5, end: nil, position: 10)
        #expect(lag(snapshot, after: 30) == PartitionLag(source: source, records: 3, age: .seconds(30)))
    }

    @Test mutating func `the marker at the end of a transaction is not lag once the consumer has passed it`() throws {
        let first = try snapshot(frontier: 10)
        _ = look(first, end: 11, position: 11)
        #expect(lag(first)?.records == 1)
        let second = try snapshot(after: 5, frontier: 10)
        _ = look(second, after: 5, end: 11, position: 11)
        #expect(lag(second, after: 5) == PartitionLag(source: source, records: 0, age: .zero))
    }

    @Test mutating func `records handed over and not yet received do not count as markers`() throws {
        _ = look(try snapshot(frontier: 10), end: 20, position: 20)
        let busy = try snapshot(after: 5, frontier: 12, hasTakenAll: false)
        _ = look(busy, after: 5, end: 20, position: 20)
        #expect(lag(busy, after: 5)?.records == 8)
    }

    @Test mutating func `the age of the first record is requested while the partition's ledger is read`() throws {
        let snapshot = try snapshot(frontier: nil)
        #expect(look(snapshot, end: 30, position: 20) == [source: 20])
        #expect(lag(snapshot, after: 3) == PartitionLag(source: source, records: 10, age: .seconds(3)))
        reckoning.recordFirstTimes([source: beginning.wall - .seconds(600)], of: [source: 20])
        #expect(lag(snapshot, after: 3)?.age == .seconds(603))
        // The time is requested only once.
        #expect(look(snapshot, after: 5, end: 31, position: 20) == [:])
        #expect(lag(snapshot, after: 5) == PartitionLag(source: source, records: 11, age: .seconds(605)))
    }

    @Test mutating func `an unread record's time is requested at the second check`() throws {
        #expect(look(try snapshot(frontier: 10), end: 12, position: 10) == [:])
        #expect(look(try snapshot(after: 5, frontier: 12), after: 5, end: 14, position: 12) == [:])
        #expect(look(try snapshot(after: 10, frontier: 12), after: 10, end: 14, position: 12) == [source: 12])
    }

    @Test mutating func `the age of a deleted record counts from the first check`() throws {
        let snapshot = try snapshot(frontier: nil)
        #expect(look(snapshot, end: 30, position: 20) == [source: 20])
        reckoning.recordFirstTimes([:], of: [source: 20])
        #expect(lag(snapshot, after: 7)?.age == .seconds(7))
        #expect(look(snapshot, after: 10, end: 30, position: 20) == [:])
    }

    @Test mutating func `the state of a revoked partition is removed`() throws {
        let snapshot = try snapshot(frontier: 10)
        _ = look(snapshot, end: 12, position: 10)
        var empty = snapshot
        empty.status?.partitions = []
        _ = look(empty, after: 5, end: nil, position: nil)
        #expect(reckoning.lags(in: empty, now: beginning.wall) == [])
        #expect(lag(snapshot)?.records == 0)
    }
}
