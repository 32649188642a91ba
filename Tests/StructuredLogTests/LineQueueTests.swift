import Testing

@testable import StructuredLog

@Suite(.timeLimit(.minutes(1)))
struct LineQueueTests {
    private static func line(_ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(ascii: "x"), count: count - 1) + [UInt8(ascii: "\n")]
    }

    @Test func `what is being written counts until it is written`() {
        var queue = LineQueue(capacity: 10)
        queue.append(Self.line(6))
        #expect(queue.take()?.lines.count == 6)
        queue.append(Self.line(5))
        #expect(queue.droppedLines == 1)
        queue.append(Self.line(4))
        #expect(queue.droppedLines == 1)
        queue.finish(lost: 0, isReported: false)
        #expect(queue.done == 6 && queue.put == 10)
    }

    @Test func `an urgent line finds room where others do not`() {
        var queue = LineQueue(capacity: 10)
        queue.append(Self.line(10))
        queue.append(Self.line(1))
        queue.append(Self.line(1), isUrgent: true)
        #expect(queue.droppedLines == 1)
        #expect(queue.take()?.lines.count == 10)
        queue.finish(lost: 0, isReported: true)
        #expect(queue.take()?.lines.count == 1)
    }

    @Test func `a loss is told of before the lines behind it, also where they came first to be written`() {
        var queue = LineQueue(capacity: 10)
        queue.append(Self.line(10))
        #expect(queue.take()?.lines.count == 10)
        queue.append(Self.line(2))
        queue.finish(lost: 0, isReported: false)
        queue.append(Self.line(5))
        let told = queue.take()
        #expect(told?.lines == [] && told?.dropped == 1)
        queue.finish(lost: 0, isReported: true)
        let rest = queue.take()
        #expect(rest?.lines.count == 5 && rest?.dropped == 0)
    }

    @Test func `where the report fails the lines behind it are written all the same`() {
        var queue = LineQueue(capacity: 10)
        queue.append(Self.line(8))
        queue.append(Self.line(8))
        queue.append(Self.line(2))
        #expect(queue.take()?.lines.count == 8)
        queue.finish(lost: 0, isReported: false)
        let rest = queue.take()
        #expect(rest?.lines.count == 2 && rest?.dropped == 1)
    }

    @Test func `a loss is told of behind what waited, once`() {
        var queue = LineQueue(capacity: 10)
        queue.append(Self.line(8))
        queue.append(Self.line(8))
        queue.append(Self.line(8))
        #expect(queue.take()?.dropped == 2)
        queue.finish(lost: 0, isReported: true)
        #expect(queue.take() == nil)
        queue.append(Self.line(8))
        #expect(queue.take()?.dropped == 0)
    }

    @Test func `a loss while all else is being written is told of by itself`() {
        var queue = LineQueue(capacity: 10)
        queue.append(Self.line(10))
        _ = queue.take()
        queue.append(Self.line(2))
        queue.finish(lost: 0, isReported: false)
        let batch = queue.take()
        #expect(batch?.lines == [] && batch?.dropped == 1)
    }

    @Test func `where nothing can be written a loss waits for the next line`() {
        var queue = LineQueue(capacity: 10)
        queue.append(Self.line(5))
        _ = queue.take()
        queue.finish(lost: 1, isReported: false)
        #expect(queue.take() == nil)
        #expect(queue.droppedLines == 1 && queue.done == queue.put)
        queue.append(Self.line(5))
        #expect(queue.take()?.dropped == 1)
        queue.finish(lost: 0, isReported: false)
        #expect(queue.take() == nil)
        queue.append(Self.line(5))
        #expect(queue.take()?.dropped == 1)
        queue.finish(lost: 0, isReported: true)
        #expect(queue.take() == nil && queue.droppedLines == 1)
    }
}
