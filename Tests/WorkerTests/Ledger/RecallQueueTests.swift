import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing
@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct RecallQueueTests {
    private let ledger = TopicPartition(topic: "ledger", partition: 0)
    private let source = TopicPartition(topic: "news", partition: 0)

    /// A queue that reads the ledger from an offset on for its only request.
    private func queue(readingFrom offset: Int64) -> RecallQueue {
        var queue = RecallQueue()
        #expect(queue.add(order(of: ledger, at: offset)) == [.read(ledger, from: offset)])
        queue.started(ledger)
        return queue
    }

    private func order(of partition: TopicPartition, at offset: Int64) -> RecallQueue.Order {
        let id = RecallID(UInt64(offset))
        let recall = RecallRequest(id: id, partition: PartitionID(0), place: .ledger(offset))
        return RecallQueue.Order(recall: recall, source: source.topic, partition: partition, offset: offset)
    }

    @Test
    func `only the requested record is read`() {
        var queue = queue(readingFrom: 7)
        let (ended, steps) = queue.came(of: ledger, upTo: 7)
        #expect(ended.map(\.offset) == [7])
        #expect(steps == [.stop(ledger)])
        #expect(queue.add(order(of: ledger, at: 3)) == [.read(ledger, from: 3)])
    }

    @Test
    func `requests along the way are answered, and reading continues to requests nearby`() {
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
        // Offset 3 is before the current position.
        #expect(third.steps == [.read(ledger, from: 3)])
    }

    @Test(arguments: [(1000, true), (1001, false)])
    func `reading restarts at a request that is too far away`(distance: Int64, isReadOnTo: Bool) {
        var queue = queue(readingFrom: 7)
        let far = 8 + distance
        #expect(queue.add(order(of: ledger, at: far)) == [])
        #expect(queue.came(of: ledger, upTo: 7).steps == (isReadOnTo ? [] : [.read(ledger, from: far)]))
    }

    @Test
    func `a request for a compacted record ends when a later record arrives`() {
        var queue = queue(readingFrom: 7)
        let (ended, steps) = queue.came(of: ledger, upTo: 12)
        #expect(ended.map(\.offset) == [7])
        #expect(steps == [.stop(ledger)])
    }

    @Test
    func `requests for several partitions are handled one after another`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.add(order(of: source, at: 2)) == [])
        #expect(queue.came(of: ledger, upTo: 7).steps == [.stop(ledger), .read(source, from: 2)])
        // Later records of the ledger answer nothing.
        #expect(queue.came(of: ledger, upTo: 8).ended.isEmpty)
        #expect(queue.came(of: source, upTo: 2).ended.isEmpty)
        queue.started(source)
        #expect(queue.came(of: source, upTo: 2).ended.map(\.offset) == [2])
    }

    @Test
    func `an end without a record answers the request for which reading began`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.add(order(of: source, at: 2)) == [])
        let (ended, steps) = queue.nothingMore(of: ledger)
        #expect(ended?.offset == 7)
        #expect(steps == [.stop(ledger), .read(source, from: 2)])
    }

    @Test
    func `an end before a further request is read once more, because more may have been written`() {
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
        // No request is waiting any more.
        #expect(queue.nothingMore(of: ledger).steps == [])
    }

    @Test
    func `an end before a requested record answers nothing until the request is given up`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.orderBeyond(8, of: ledger) == nil, "the record is gone")
        #expect(queue.orderBeyond(7, of: source) == nil)
        #expect(queue.orderBeyond(7, of: ledger) == RecallID(7))
        #expect(queue.giveUp(RecallID(3)).ended == nil)
        #expect(queue.giveUp(RecallID(7)).ended?.offset == 7)
        #expect(queue.giveUp(RecallID(7)).ended == nil)
    }

    @Test
    func `a requested record that arrives after an early end answers the request`() {
        var queue = queue(readingFrom: 7)
        #expect(queue.orderBeyond(7, of: ledger) == RecallID(7))
        #expect(queue.came(of: ledger, upTo: 7).ended.map(\.offset) == [7])
        #expect(queue.giveUp(RecallID(7)).ended == nil)
    }

    @Test
    func `after an error, reading starts again for the waiting request`() {
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
