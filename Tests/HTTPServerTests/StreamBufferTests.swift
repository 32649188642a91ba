import NewsflashTestSupport
import Testing

@testable import NewsflashHTTPServer

@Suite("The part of a stream that waits for its client", .timeLimit(.minutes(1)))
struct StreamBufferTests {
    @Test func `the buffer stays below twice the waiting bytes while a client never quite catches up`() {
        var buffer = StreamBuffer()
        var written: UInt8 = 0
        var read: [UInt8] = []
        for _ in 0..<2000 {
            buffer.append(
                (0..<1000).map { _ in
                    written &+= 1
                    return written
                }
            )
            // Always a few behind.
            guard buffer.count > 5000 else { continue }
            read += removeFirst(1000, from: &buffer)
            #expect(buffer.bytes.count <= 2 * StreamBuffer.highWater)
        }
        read += removeFirst(buffer.count, from: &buffer)
        #expect(read == (1...2_000_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(buffer.bytes.isEmpty)
    }

    @Test func `a stream is asked for more before a slow client has everything`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let pieces = AsyncStream<[UInt8]>(unfolding: {
            ask.yield()
            return [UInt8](repeating: 1, count: StreamBuffer.highWater)
        })
        // The pointer leads nowhere: a closed gate never follows it.
        let gate = ConnectionGate(try #require(OpaquePointer(bitPattern: 8)), wake: try #require(WakePipe()))
        gate.endSuspensions()
        let body = StreamBody(gate: gate)
        let pump = Task { await body.pump(pieces) }
        var questions = asked.makeAsyncIterator()
        await questions.next()
        var left = StreamBuffer.highWater
        var room = [CChar](repeating: 0, count: 1024)
        try await waitUntil {
            // Below zero while the piece has not arrived.
            left -= max(0, read(from: body, into: &room))
            return left <= StreamBuffer.lowWater
        }
        // The second piece, while some of the first is left.
        await questions.next()
        #expect(left > 0)
        body.close()
        pump.cancel()
        await pump.value
    }

    private func removeFirst(_ count: Int, from buffer: inout StreamBuffer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { room, size in
            buffer.removeFirst(
                into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[..<count])
            )
            size = count
        }
    }

    private func read(from body: StreamBody, into room: inout [CChar]) -> Int {
        room.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { body.read(into: $0, maximum: buffer.count) } ?? 0
        }
    }
}
