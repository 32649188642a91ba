import Testing

@testable import Kafka

@Suite("offsets to commit", .timeLimit(.minutes(1)))
struct CommitTrackerTests {
    private let a = KafkaTopicPartition(topic: "news", partition: 0)
    private let b = KafkaTopicPartition(topic: "news", partition: 1)

    /// A ledger that expectations may change.
    private final class Book {
        var ledger = CommitTracker()

        func ask(_ partition: KafkaTopicPartition, _ next: Int64) -> Bool { ledger.ask(partition, next) }
        func beginCommit() -> [KafkaTopicPartition: Int64] { ledger.beginCommit() }
        func release(_ partitions: [KafkaTopicPartition]) -> [KafkaTopicPartition: Int64] { ledger.release(partitions) }
    }

    private func book(_ handedOut: [KafkaTopicPartition: ClosedRange<Int64>]) -> Book {
        let book = Book()
        for (partition, range) in handedOut { for offset in range { book.ledger.handOut(partition, offset) } }
        return book
    }

    @Test func `only offsets handed out since the assignment can be committed`() {
        let book = book([a: 10...12])
        #expect(!book.ask(a, 10))
        #expect(!book.ask(a, 14))
        #expect(!book.ask(b, 1))
        #expect(book.beginCommit().isEmpty)
        #expect(book.ask(a, 13))
        #expect(book.beginCommit() == [a: 13])
    }

    @Test func `an offset is committed once, the newest is next, and none goes back`() {
        let book = book([a: 0...9, b: 0...9])
        #expect(book.ask(a, 1))
        #expect(book.beginCommit() == [a: 1])
        #expect(book.ask(a, 5))
        #expect(book.ask(a, 3))
        #expect(book.ask(b, 2))
        #expect(book.beginCommit() == [b: 2])
        book.ledger.wereAnswered([a: 1], isCommitted: true)
        #expect(book.beginCommit() == [a: 5])
        book.ledger.wereAnswered([a: 5, b: 2], isCommitted: true)
        #expect(book.beginCommit().isEmpty)
        #expect(book.ledger.unconfirmed.isEmpty)
    }

    @Test func `a refused commit is tried again after a pause`() {
        let book = book([a: 0...9])
        #expect(book.ask(a, 4))
        _ = book.beginCommit()
        book.ledger.wereAnswered([a: 4], isCommitted: false)
        book.ledger.rest()
        #expect(book.beginCommit().isEmpty)
        book.ledger.goOn()
        #expect(book.beginCommit() == [a: 4])
    }

    @Test func `a pending offset is returned with the revoked partition, and no later one is accepted`() {
        let book = book([a: 0...9, b: 0...9])
        #expect(book.ask(a, 4))
        #expect(book.release([a, b]) == [a: 4])
        #expect(!book.ask(a, 5))
        #expect(book.beginCommit().isEmpty)
        #expect(book.ledger.standing(of: [a: 4]) == .pending)
        book.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(book.ledger.standing(of: [a: 4]) == .confirmed)
        // The partition is assigned again at a later position; offsets of the earlier assignment are not accepted.
        book.ledger.begin([a])
        book.ledger.handOut(a, 100)
        #expect(!book.ask(a, 10))
        #expect(!book.ask(a, 100))
        #expect(book.ask(a, 101))
    }

    @Test func `an offset that the group has confirmed is not committed again on revocation`() {
        let book = book([a: 0...9])
        #expect(book.ask(a, 4))
        _ = book.beginCommit()
        book.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(book.release([a]).isEmpty)
    }

    @Test func `a final commit is pending until its own answer, not an earlier one`() {
        let book = book([a: 0...9])
        #expect(book.ask(a, 4))
        _ = book.beginCommit()
        #expect(book.ask(a, 6))
        #expect(book.release([a]) == [a: 6])
        book.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(book.ledger.standing(of: [a: 6]) == .pending)
        book.ledger.wereAnswered([a: 6], isCommitted: false)
        #expect(book.ledger.standing(of: [a: 6]) == .gone(a))
        #expect(book.ledger.standing(of: [a: 4]) == .confirmed)
    }

    @Test func `pending offsets of a lost partition are gone`() {
        let book = book([a: 0...9, b: 0...9])
        #expect(book.ask(a, 4))
        #expect(book.ask(b, 4))
        let targets = book.ledger.unconfirmed
        #expect(targets == [a: 4, b: 4])
        _ = book.beginCommit()
        book.ledger.wereAnswered([b: 4], isCommitted: true)
        book.ledger.lose([a])
        #expect(book.ledger.standing(of: targets) == .gone(a))
        #expect(book.beginCommit().isEmpty)
    }

    @Test func `the ledger reports when all offsets handed out are processed`() {
        let book = book([a: 3...5])
        #expect(book.ledger.isDone(b))
        #expect(!book.ledger.isDone(a))
        #expect(book.ask(a, 5))
        #expect(!book.ledger.isDone(a))
        #expect(book.ask(a, 6))
        #expect(book.ledger.isDone(a))
    }
}
