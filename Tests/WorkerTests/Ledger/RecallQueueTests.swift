import Kafka
import Testing

@testable import Publishing
@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct RecallQueueTests {
    private let ledger = KafkaTopicPartition(topic: "ledger", partition: 0)
    private let source = KafkaTopicPartition(topic: "news", partition: 0)

    /// A queue that reads the ledger from an offset on for its one order.
    private func queue(readingFrom offset: Int64) -> RecallQueue {
        var queue = RecallQueue()
        #expect(queue.add(order(of: ledger, at: offset)) == [.read(ledger, from: offset)])
        queue.started(ledger)
        return queue
    }

    private func order(of partition: KafkaTopicPartition, at offset: Int64) -> RecallQueue.Order {
        let id = RecallID(UInt64(offset))
        let recall = RecallOrder(id: id, partition: PartitionID(0), place: .ledger(offset))
        return RecallQueue.Order(recall: recall, source: source.topic, partition: partition, offset: offset)
    }

    @Test
    func `one record is read and no more`() {
        var queue = queue(readingFrom: 7)
        let (ended, steps) = queue.came(of: ledger, upTo: 7)
        #expect(ended.map(\.offset) == [7])
        #expect(steps == [.stop(ledger)])
        #expect(queue.add(order(of: ledger, at: 3)) == [.read(ledger, from: 3)])
    }

    @Test
    func `what comes on the way is answered, and what lies near is read on to`() {
        var queue = queue(readingFrom: 7)
        for offset in [9, 8, 40, 3] as [Int64] { #expect(queue.add(order(of: ledger, at: offset)) == []) }
        let first = queue.came(of: ledger, upTo: 8)
        #expect(first.ended.map(\.offset) == [7, 8])
        #expect(first.steps == [])
        let second = queue.came(of: ledger, upTo: 39)
        #expect(second.ended.map(\.offset) == [9])
        #expect(second.steps == [])
        let third = queue.came(of: ledger, upTo: 41)
        #expect(third.ended.map(\.offset) == [40])
        // That one lies behind.
        #expect(third.steps == [.read(ledger, from: 3)])
    }

    @Test(arguments: [(1000, true), (1001, false)])
    func `what is too far away is begun anew`(distance: Int64, isReadOnTo: Bool) {
        var queue = queue(readingFrom: 7)
        let far = 8 + distance
        #expect(queue.add(order(of: ledger, at: far)) == [])
        #expect(queue.came(of: ledger, upTo: 7).steps == (isReadOnTo ? [] : [.read(ledger, from: far)]))
    }

    @Test
    func `a record that compaction took away ends when a later one comes`() {
        var queue = queue(readingFrom: 7)
        let (ended, steps) = queue.came(of: ledger, upTo: 12)
        #expect(ended.map(\.offset) == [7])
        #expect(steps == [.stop(ledger)])
    }

    @Test
    func `orders of several partitions are followed one after the other`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.add(order(of: source, at: 2)) == [])
        #expect(queue.came(of: ledger, upTo: 7).steps == [.stop(ledger), .read(source, from: 2)])
        // What still comes of the ledger says nothing.
        #expect(queue.came(of: ledger, upTo: 8).ended.isEmpty)
        #expect(queue.came(of: source, upTo: 2).ended.isEmpty)
        queue.started(source)
        #expect(queue.came(of: source, upTo: 2).ended.map(\.offset) == [2])
    }

    @Test
    func `an end without a record answers the order for which reading began`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.add(order(of: source, at: 2)) == [])
        let (ended, steps) = queue.nothingMore(of: ledger)
        #expect(ended?.offset == 7)
        #expect(steps == [.stop(ledger), .read(source, from: 2)])
    }

    @Test
    func `an end on the way to an order is looked at once more, as it may have been written since`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.add(order(of: ledger, at: 9)) == [])
        #expect(queue.came(of: ledger, upTo: 7).steps == [])
        let onTheWay = queue.nothingMore(of: ledger)
        #expect(onTheWay.ended?.offset == nil)
        #expect(onTheWay.steps == [.read(ledger, from: 9)])
        queue.started(ledger)
        let anew = queue.nothingMore(of: ledger)
        #expect(anew.ended?.offset == 9)
        #expect(anew.steps == [.stop(ledger)])
        // Nothing is waited for any more.
        #expect(queue.nothingMore(of: ledger).steps == [])
    }

    @Test
    func `an end before the record of an order does not answer it until the order is given up`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.orderBeyond(8, of: ledger) == nil, "the record is gone")
        #expect(queue.orderBeyond(7, of: source) == nil)
        #expect(queue.orderBeyond(7, of: ledger) == RecallID(7))
        #expect(queue.giveUp(RecallID(3)).ended == nil)
        #expect(queue.giveUp(RecallID(7)).ended?.offset == 7)
        #expect(queue.giveUp(RecallID(7)).ended == nil)
    }

    @Test
    func `the record of an order that comes after an early end answers it`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.orderBeyond(7, of: ledger) == RecallID(7))
        #expect(queue.came(of: ledger, upTo: 7).ended.map(\.offset) == [7])
        #expect(queue.giveUp(RecallID(7)).ended == nil)
    }

    @Test
    func `after a fault reading starts once more for the order that it kept waiting`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.order(readFor: source) == nil)
        #expect(queue.order(readFor: ledger) == RecallID(7))
        #expect(queue.readAnew(for: RecallID(7)) == [.read(ledger, from: 7)])
        #expect(queue.order(readFor: ledger) == RecallID(7), "it fails again before it has begun")
        queue.started(ledger)
        #expect(queue.came(of: ledger, upTo: 7).ended.map(\.offset) == [7])
        #expect(queue.readAnew(for: RecallID(7)) == [])
        #expect(queue.order(readFor: ledger) == nil)
    }
}
