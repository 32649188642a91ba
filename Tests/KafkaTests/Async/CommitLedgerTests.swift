import Testing

@testable import Kafka

@Suite("what may be committed", .timeLimit(.minutes(1)))
struct CommitLedgerTests {
    private let a = KafkaTopicPartition(topic: "news", partition: 0)
    private let b = KafkaTopicPartition(topic: "news", partition: 1)

    /// A ledger that expectations may change.
    private final class Book {
        var ledger = CommitLedger()

        func ask(_ partition: KafkaTopicPartition, _ next: Int64) -> Bool { ledger.ask(partition, next) }
        func takeUnsent() -> [KafkaTopicPartition: Int64] { ledger.takeUnsent() }
        func release(_ partitions: [KafkaTopicPartition]) -> [KafkaTopicPartition: Int64] { ledger.release(partitions) }
    }

    private func book(_ handedOut: [KafkaTopicPartition: ClosedRange<Int64>]) -> Book {
        let book = Book()
        for (partition, range) in handedOut { for offset in range { book.ledger.handOut(partition, offset) } }
        return book
    }

    @Test func `is what was handed out since the partition came`() {
        let book = book([a: 10...12])
        #expect(!book.ask(a, 10))
        #expect(!book.ask(a, 14))
        #expect(!book.ask(b, 1))
        #expect(book.takeUnsent().isEmpty)
        #expect(book.ask(a, 13))
        #expect(book.takeUnsent() == [a: 13])
    }

    @Test func `goes once, the newest next, and never back`() {
        let book = book([a: 0...9, b: 0...9])
        #expect(book.ask(a, 1))
        #expect(book.takeUnsent() == [a: 1])
        #expect(book.ask(a, 5))
        #expect(book.ask(a, 3))
        #expect(book.ask(b, 2))
        #expect(book.takeUnsent() == [b: 2])
        book.ledger.wereAnswered([a: 1], isCommitted: true)
        #expect(book.takeUnsent() == [a: 5])
        book.ledger.wereAnswered([a: 5, b: 2], isCommitted: true)
        #expect(book.takeUnsent().isEmpty)
        #expect(book.ledger.unconfirmed.isEmpty)
    }

    @Test func `is tried again where it was refused, after a rest`() {
        let book = book([a: 0...9])
        #expect(book.ask(a, 4))
        _ = book.takeUnsent()
        book.ledger.wereAnswered([a: 4], isCommitted: false)
        book.ledger.rest()
        #expect(book.takeUnsent().isEmpty)
        book.ledger.goOn()
        #expect(book.takeUnsent() == [a: 4])
    }

    @Test func `leaves with the partition, and nothing after it`() {
        let book = book([a: 0...9, b: 0...9])
        #expect(book.ask(a, 4))
        #expect(book.release([a, b]) == [a: 4])
        #expect(!book.ask(a, 5))
        #expect(book.takeUnsent().isEmpty)
        #expect(book.ledger.standing(of: [a: 4]) == .pending)
        book.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(book.ledger.standing(of: [a: 4]) == .confirmed)
        // It comes back, further on: what was done before is not asked for.
        book.ledger.begin([a])
        book.ledger.handOut(a, 100)
        #expect(!book.ask(a, 10))
        #expect(!book.ask(a, 100))
        #expect(book.ask(a, 101))
    }

    @Test func `is not said again where the group has it`() {
        let book = book([a: 0...9])
        #expect(book.ask(a, 4))
        _ = book.takeUnsent()
        book.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(book.release([a]).isEmpty)
    }

    @Test func `stands open until the farewell's own answer, not an earlier one's`() {
        let book = book([a: 0...9])
        #expect(book.ask(a, 4))
        _ = book.takeUnsent()
        #expect(book.ask(a, 6))
        #expect(book.release([a]) == [a: 6])
        book.ledger.wereAnswered([a: 4], isCommitted: true)
        #expect(book.ledger.standing(of: [a: 6]) == .pending)
        book.ledger.wereAnswered([a: 6], isCommitted: false)
        #expect(book.ledger.standing(of: [a: 6]) == .gone(a))
        #expect(book.ledger.standing(of: [a: 4]) == .confirmed)
    }

    @Test func `is gone with a partition that was lost`() {
        let book = book([a: 0...9, b: 0...9])
        #expect(book.ask(a, 4))
        #expect(book.ask(b, 4))
        let targets = book.ledger.unconfirmed
        #expect(targets == [a: 4, b: 4])
        _ = book.takeUnsent()
        book.ledger.wereAnswered([b: 4], isCommitted: true)
        book.ledger.lose([a])
        #expect(book.ledger.standing(of: targets) == .gone(a))
        #expect(book.takeUnsent().isEmpty)
    }

    @Test func `tells when all that was handed out is done`() {
        let book = book([a: 3...5])
        #expect(book.ledger.isDone(b))
        #expect(!book.ledger.isDone(a))
        #expect(book.ask(a, 5))
        #expect(!book.ledger.isDone(a))
        #expect(book.ask(a, 6))
        #expect(book.ledger.isDone(a))
    }
}
