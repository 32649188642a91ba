import NewsflashBasics
import NewsflashPublishing
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QueueTests {
    @Test func `a ring returns elements in their order of arrival, and returned ones first`() {
        var ring = RingQueue<Int>()
        for number in 0..<20 { ring.append(number) }
        #expect((0..<5).map { _ in ring.popFirst() } == [0, 1, 2, 3, 4])
        ring.prepend(-1)
        for number in 20..<40 { ring.append(number) }
        #expect(ring.popFirst() == -1)
        #expect((5..<40).map { _ in ring.popFirst() } == Array(5..<40))
        #expect(ring.popFirst() == nil)
        #expect(ring.isEmpty)
    }

    @Test func `each lane returns its own elements`() {
        var queue = LaneQueue<String>()
        let partition = PartitionID(0)
        queue[.retry].append("again", of: partition)
        queue[.normal].append("news", of: partition)
        queue[.express].append("flash", of: partition)
        #expect(queue[.express].popFirst() == "flash")
        #expect(queue[.express].popFirst() == nil)
        #expect(queue[.normal].popFirst() == "news")
        #expect(queue[.retry].count == 1)
        #expect(!queue.isEmpty)
    }

    @Test func `partitions take turns, however many events of one wait`() {
        var queue = TurnQueue<String>()
        for number in 1...3 { queue.append("a\(number)", of: PartitionID(0)) }
        for number in 1...2 { queue.append("b\(number)", of: PartitionID(2)) }
        queue.prepend("first")
        #expect(queue.count == 6)
        #expect((1...4).map { _ in queue.popFirst() } == ["first", "a1", "b1", "a2"])
        queue.append("c1", of: PartitionID(1))
        #expect((1...3).map { _ in queue.popFirst() } == ["b2", "a3", "c1"])
        #expect(queue.popFirst() == nil)
        #expect(queue.isEmpty)
    }

    @Test func `a paused partition has no turn, and keeps its events until it resumes`() {
        var queue = TurnQueue<String>()
        for name in ["a1", "a2", "a3"] { queue.append(name, of: PartitionID(0)) }
        queue.append("b1", of: PartitionID(1))
        queue.pause(PartitionID(0), true)
        queue.pause(PartitionID(2), true)
        queue.append("a4", of: PartitionID(0))
        queue.putBack("a0", of: PartitionID(0)) { _ in false }
        queue.append("c1", of: PartitionID(2))
        queue.prepend("first")
        #expect(queue.count == 2)
        #expect((1...3).map { _ in queue.popFirst() } == ["first", "b1", nil])
        #expect(queue.isEmpty)
        queue.pause(PartitionID(0), false)
        queue.pause(PartitionID(0), false)
        #expect(queue.count == 5)
        queue.append("b2", of: PartitionID(1))
        #expect((1...6).map { _ in queue.popFirst() } == ["a0", "b2", "a1", "a2", "a3", "a4"])
        queue.pause(PartitionID(2), false)
        #expect(queue.popFirst() == "c1")
        #expect(queue.isEmpty)
    }

    @Test func `a removed element has no turn, and a partition without elements has none`() {
        var queue = TurnQueue<String>()
        for name in ["a1", "a2"] { queue.append(name, of: PartitionID(0)) }
        for name in ["b1", "b2"] { queue.append(name, of: PartitionID(1)) }
        queue.append("c1", of: PartitionID(2))
        queue.pause(PartitionID(2), true)
        queue.remove(of: PartitionID(0)) { _ in true }
        queue.remove(of: PartitionID(1)) { $0 == "b1" }
        queue.remove(of: PartitionID(2)) { _ in true }
        #expect(queue.count == 1)
        queue.pause(PartitionID(2), false)
        #expect((1...2).map { _ in queue.popFirst() } == ["b2", nil])
        #expect(queue.isEmpty)
    }

    @Test func `a returned element precedes elements that arrived after it`() {
        var queue = TurnQueue<Int>()
        for number in [3, 5, 6] { queue.append(number, of: PartitionID(0)) }
        queue.append(100, of: PartitionID(1))
        for number in [4, 1, 2, 7] {
            queue.putBack(number, of: PartitionID(0)) { $0 < number }
        }
        var order: [Int] = []
        while let number = queue.popFirst() { order.append(number) }
        #expect(order.filter { $0 != 100 } == [1, 2, 3, 4, 5, 6, 7])
        #expect(order.count == 8)
        queue.putBack(1, of: PartitionID(0)) { _ in true }
        #expect(queue.popFirst() == 1)
        #expect(queue.isEmpty)
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func `timers fire in the order of their times`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var timers = TimerQueue<Timestamp, Int64>()
        for _ in 0..<500 {
            let due = Int64.random(in: 0..<100, using: &random)
            timers.set(due, at: Timestamp(seconds: due))
        }
        #expect(timers.popDue(at: Timestamp(seconds: -1)) == nil)
        var last: Int64 = 0
        while let due = timers.nextDue {
            #expect(timers.popDue(at: due - .nanoseconds(1)) == nil)
            guard let element = timers.popDue(at: due) else {
                Issue.record("no timer fired at \(due), seed \(seed)")
                return
            }
            #expect(element >= last, "seed \(seed)")
            last = element
        }
        #expect(timers.count == 0)
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func `timers that remain after some were removed fire in the order of their times`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var timers = TimerQueue<Timestamp, Int64>()
        let all = (0..<500).map { _ in Int64.random(in: 0..<100, using: &random) }
        for due in all { timers.set(due, at: Timestamp(seconds: due)) }
        timers.removeAll { $0 % 3 == 0 }
        let fired = all.map { _ in timers.popDue(at: Timestamp(seconds: 100)) }
        #expect(fired.compactMap(\.self) == all.filter { $0 % 3 != 0 }.sorted(), "seed \(seed)")
    }

    @Test func `timers of one instant fire in the order in which they were set`() {
        var timers = TimerQueue<Timestamp, Int>()
        for number in 0..<50 { timers.set(number, at: Timestamp(seconds: 1)) }
        #expect((0..<50).map { _ in timers.popDue(at: Timestamp(seconds: 1)) } == Array(0..<50))
    }
}
