import Testing

@testable import NewsflashObservability

@Suite(.timeLimit(.minutes(1)))
struct LogBufferTests {
    private static func line(_ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(ascii: "x"), count: count - 1) + [UInt8(ascii: "\n")]
    }

    @Test func `a line counts until it is written`() {
        var queue = LogBuffer(capacity: 10)
        queue.append(Self.line(6))
        #expect(queue.dequeue()?.lines.count == 6)
        queue.append(Self.line(5))
        #expect(queue.droppedLines == 1)
        queue.append(Self.line(4))
        #expect(queue.droppedLines == 1)
        queue.finish(lost: 0, isReported: false)
        #expect(queue.done == 6 && queue.put == 10)
    }

    @Test func `an urgent line has room when others have not`() {
        var queue = LogBuffer(capacity: 10)
        queue.append(Self.line(10))
        queue.append(Self.line(1))
        queue.append(Self.line(1), isUrgent: true)
        #expect(queue.droppedLines == 1)
        #expect(queue.dequeue()?.lines.count == 10)
        queue.finish(lost: 0, isReported: true)
        #expect(queue.dequeue()?.lines.count == 1)
    }

    @Test func `a loss is reported before the lines after it, also if they are written first`() {
        var queue = LogBuffer(capacity: 10)
        queue.append(Self.line(10))
        #expect(queue.dequeue()?.lines.count == 10)
        queue.append(Self.line(2))
        queue.finish(lost: 0, isReported: false)
        queue.append(Self.line(5))
        let told = queue.dequeue()
        #expect(told?.lines == [] && told?.dropped == 1)
        queue.finish(lost: 0, isReported: true)
        let rest = queue.dequeue()
        #expect(rest?.lines.count == 5 && rest?.dropped == 0)
    }

    @Test func `if the report fails, the lines after it are still written`() {
        var queue = LogBuffer(capacity: 10)
        queue.append(Self.line(8))
        queue.append(Self.line(8))
        queue.append(Self.line(2))
        #expect(queue.dequeue()?.lines.count == 8)
        queue.finish(lost: 0, isReported: false)
        let rest = queue.dequeue()
        #expect(rest?.lines.count == 2 && rest?.dropped == 1)
    }

    @Test func `a loss is reported once, after the waiting lines`() {
        var queue = LogBuffer(capacity: 10)
        queue.append(Self.line(8))
        queue.append(Self.line(8))
        queue.append(Self.line(8))
        #expect(queue.dequeue()?.dropped == 2)
        queue.finish(lost: 0, isReported: true)
        #expect(queue.dequeue() == nil)
        queue.append(Self.line(8))
        #expect(queue.dequeue()?.dropped == 0)
    }

    @Test func `a loss while everything else is being written is reported alone`() {
        var queue = LogBuffer(capacity: 10)
        queue.append(Self.line(10))
        _ = queue.dequeue()
        queue.append(Self.line(2))
        queue.finish(lost: 0, isReported: false)
        let batch = queue.dequeue()
        #expect(batch?.lines == [] && batch?.dropped == 1)
    }

    @Test func `a loss is reported with the next line if nothing can be written`() {
        var queue = LogBuffer(capacity: 10)
        queue.append(Self.line(5))
        _ = queue.dequeue()
        queue.finish(lost: 1, isReported: false)
        #expect(queue.dequeue() == nil)
        #expect(queue.droppedLines == 1 && queue.done == queue.put)
        queue.append(Self.line(5))
        #expect(queue.dequeue()?.dropped == 1)
        queue.finish(lost: 0, isReported: false)
        #expect(queue.dequeue() == nil)
        queue.append(Self.line(5))
        #expect(queue.dequeue()?.dropped == 1)
        queue.finish(lost: 0, isReported: true)
        #expect(queue.dequeue() == nil && queue.droppedLines == 1)
    }
}
