import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite("offsets to commit", .timeLimit(.minutes(1)))
struct CommitTrackerTests {
    private let a = TopicPartition(topic: "news", partition: 0)
    private let b = TopicPartition(topic: "news", partition: 1)

    /// A ledger that expectations may change.
    private final class TrackerBox {
        var ledger = CommitTracker()

        func ask(_ partition: TopicPartition, _ next: Int64) -> Bool { ledger.ask(partition, next) }
        func beginCommit() -> [TopicPartition: Int64] { ledger.beginCommit() }
        func release(_ partitions: [TopicPartition]) -> [TopicPartition: Int64] { ledger.release(partitions) }
    }

    private func tracker(_ handedOut: [TopicPartition: ClosedRange<Int64>]) -> TrackerBox {
        let tracker = TrackerBox()
        for (partition, range) in handedOut { for offset in range { tracker.ledger.handOut(partition, offset) } }
        return tracker
    }

    @Test func `only offsets handed out since the assignment can be committed`() {
        let tracker = tracker([a: 10...12])
        #expect(!tracker.ask(a, 10))
        #expect(!tracker.ask(a, 14))
        #expect(!tracker.ask(b, 1))
        #expect(tracker.beginCommit().isEmpty)
        #expect(tracker.ask(a, 13))
        #expect(tracker.beginCommit() == [a: 13])
    }

    @Test func `an offset is committed once, the newest is next, and none goes back`() {
        let tracker = tracker([a: 0...9, b: 0...9])
        #expect(tracker.ask(a, 1))
        #expect(tracker.beginCommit() == [a: 1])
        #expect(tracker.ask(a, 5))
        #expect(tracker.ask(a, 3))
        #expect(tracker.ask(b, 2))
        #expect(tracker.beginCommit() == [b: 2])
        tracker.ledger.wereAnswered([a: 1], isCommitted: true)
        #expect(tracker.beginCommit() == [a: 5])
        tracker.ledger.wereAnswered([a: 5, b: 2], isCommitted: true)
        #expect(tracker.beginCommit().isEmpty)
        #expect(tracker.ledger.unconfirmed.isEmpty)
    }

    @Test func `a refused commit is tried again after a pause`() {
        let tracker = tracker([a: 0...9])
        #expect(tracker.ask(a, 4))
        _ = tracker.beginCommit()
        tracker.ledger.wereAnswered([a: 4], isCommitted: false)
        tracker.ledger.rest()
        #expect(tracker.beginCommit().isEmpty)
        tracker.ledger.goOn()
        #expect(tracker.beginCommit() == [a: 4])
    }

    @Test func `a pending offset is returned with the revoked partition, and no later one is accepted`() {
        let tracker = tracker([a: 0...9, b: 0...9])
        #expect(tracker.ask(a, 4))
        #expect(tracker.release([a, b]) == [a: 4])
        #expect(!tracker.ask(a, 5))
        #expect(tracker.beginCommit().isEmpty)
        #expect(tracker.ledger.state(of: [a: 4]) == .pending)
        tracker.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(tracker.ledger.state(of: [a: 4]) == .confirmed)
        // The partition is assigned again at a later position; offsets of the earlier assignment are not accepted.
        tracker.ledger.begin([a])
        tracker.ledger.handOut(a, 100)
        #expect(!tracker.ask(a, 10))
        #expect(!tracker.ask(a, 100))
        #expect(tracker.ask(a, 101))
    }

    @Test func `an offset that the group has confirmed is not committed again on revocation`() {
        let tracker = tracker([a: 0...9])
        #expect(tracker.ask(a, 4))
        _ = tracker.beginCommit()
        tracker.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(tracker.release([a]).isEmpty)
    }

    @Test func `a final commit is pending until its own answer, not an earlier one`() {
        let tracker = tracker([a: 0...9])
        #expect(tracker.ask(a, 4))
        _ = tracker.beginCommit()
        #expect(tracker.ask(a, 6))
        #expect(tracker.release([a]) == [a: 6])
        tracker.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(tracker.ledger.state(of: [a: 6]) == .pending)
        tracker.ledger.wereAnswered([a: 6], isCommitted: false)
        #expect(tracker.ledger.state(of: [a: 6]) == .gone(a))
        #expect(tracker.ledger.state(of: [a: 4]) == .confirmed)
    }

    @Test func `pending offsets of a lost partition are gone`() {
        let tracker = tracker([a: 0...9, b: 0...9])
        #expect(tracker.ask(a, 4))
        #expect(tracker.ask(b, 4))
        let targets = tracker.ledger.unconfirmed
        #expect(targets == [a: 4, b: 4])
        _ = tracker.beginCommit()
        tracker.ledger.wereAnswered([b: 4], isCommitted: true)
        tracker.ledger.lose([a])
        #expect(tracker.ledger.state(of: targets) == .gone(a))
        #expect(tracker.beginCommit().isEmpty)
    }

    @Test func `the ledger reports when all offsets handed out are processed`() {
        let tracker = tracker([a: 3...5])
        #expect(tracker.ledger.isDone(b))
        #expect(!tracker.ledger.isDone(a))
        #expect(tracker.ask(a, 5))
        #expect(!tracker.ledger.isDone(a))
        #expect(tracker.ask(a, 6))
        #expect(tracker.ledger.isDone(a))
    }
}
