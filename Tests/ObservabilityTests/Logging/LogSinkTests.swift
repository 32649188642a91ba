import Dispatch
import NewsflashTimestamps
import Testing

@testable import NewsflashObservability

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(1)))
struct LogSinkTests {
    @Test(
        arguments: [
            ([.wrote(6)], 6),
            ([.wrote(2), .wrote(4)], 6),
            ([.interrupted, .wrote(3), .interrupted, .wrote(3)], 6),
            ([.full, .wrote(6)], 6),
            ([.wrote(5), .failed], 5),
            ([.wrote(0)], 0),
            ([.failed], 0),
        ] as [([WriteLoop.Attempt], Int)]
    )
    func `writing goes on after partial writes and signals`(attempts: [WriteLoop.Attempt], expected: Int) {
        var rest = attempts[...]
        var taken: [UInt8] = []
        let line = Array("line!\n".utf8)
        let written = WriteLoop.all(line) { bytes in
            let attempt = rest.removeFirst()
            if case .wrote(let count) = attempt { taken += bytes.prefix(count) }
            return attempt
        } wait: {
            true
        }
        #expect(written == expected)
        #expect(taken == Array(line[..<expected]))
        #expect(rest.isEmpty)
    }

    @Test func `writing ends if no room comes`() {
        #expect(
            WriteLoop.all([1, 2]) { _ in
                .full
            } wait: {
                false
            } == 0
        )
    }

    @Test func `lines are written together as far as a pipe accepts them at once, and never in pieces`() {
        let short = Array("\(String(repeating: "s", count: 1499))\n".utf8)
        let long = Array("\(String(repeating: "l", count: 8999))\n".utf8)
        var isTorn = false
        var sizes: [Int] = []
        let lost = WriteLoop.lines(short + short + short + long + short, isTorn: &isTorn) { bytes in
            sizes.append(bytes.count)
            return .wrote(bytes.count)
        } wait: {
            true
        }
        #expect(sizes == [3000, 1500, 9000, 1500])
        #expect(lost == 0 && !isTorn)
    }

    @Test func `a line after a torn one begins on its own, and lost lines are counted`() {
        var isTorn = false
        var taken: [UInt8] = []
        var room = 3
        func attempt(_ bytes: ArraySlice<UInt8>) -> WriteLoop.Attempt {
            guard room > 0 else { return .failed }
            let count = min(room, bytes.count)
            taken += bytes.prefix(count)
            room -= count
            return .wrote(count)
        }
        #expect(WriteLoop.lines(Array("torn\nlost\n".utf8), isTorn: &isTorn, write: attempt) { true } == 2)
        #expect(isTorn)
        #expect(WriteLoop.lines(Array("lost\n".utf8), isTorn: &isTorn, write: attempt) { true } == 1)
        room = 100
        #expect(WriteLoop.lines(Array("whole\n".utf8), isTorn: &isTorn, write: attempt) { true } == 0)
        #expect(WriteLoop.lines(Array("next\n".utf8), isTorn: &isTorn, write: attempt) { true } == 0)
        #expect(String(decoding: taken, as: UTF8.self) == "tor\nwhole\nnext\n")
    }

    @Test func `both handlers write one line for each entry to their descriptor`() throws {
        let pipe = try Pipe()
        let time = Timestamp(seconds: 0)
        let entry = LogEntry(time: time, level: .info, label: "test", message: "m", metadata: ["a": 1])
        let (json, text) = (
            JSONLogHandler(fileDescriptor: pipe.writeEnd), TextLogHandler(fileDescriptor: pipe.writeEnd)
        )
        json.log(entry)
        #expect(json.flush(within: .seconds(30)))
        text.log(entry)
        #expect(text.flush(within: .seconds(30)))
        DiscardingLogHandler().log(entry)
        pipe.closeWriteEnd()
        let line = #"{"time":"1970-01-01T00:00:00.000Z","level":"info","label":"test","message":"m","a":1}"#
        #expect(pipe.readToEnd() == "\(line)\n1970-01-01T00:00:00.000Z info  m  a=1\n")
        #expect(json.droppedLines == 0 && text.droppedLines == 0)
    }

    @Test(arguments: [true, false])
    func `lines of many threads through a full pipe stay whole`(blocks: Bool) async throws {
        let pipe = try Pipe()
        if !blocks { pipe.doNotBlockWrites() }
        let output = LogSink(fileDescriptor: pipe.writeEnd, report: Self.report)
        let read = Task { await pipe.readToEndElsewhere() }
        let lines = (0..<16).map { String(repeating: Character(UnicodeScalar(97 + $0)), count: 16_000) }
        let isFlushed = await elsewhere {
            DispatchQueue.concurrentPerform(iterations: lines.count) { output.write(Array("\(lines[$0])\n".utf8)) }
            return output.flush(within: .seconds(30))
        }
        pipe.closeWriteEnd()
        let text = await read.value
        let areWhole = text.split(separator: "\n").sorted() == lines.map { $0[...] }
        #expect(isFlushed && areWhole)
    }

    @Test func `a pipe that nobody reads delays nobody, and a line has the number of dropped lines`() async throws {
        let pipe = try Pipe()
        let output = LogSink(fileDescriptor: pipe.writeEnd, capacity: 100_000, report: Self.report)
        let line = Array("\(String(repeating: "x", count: 999))\n".utf8)
        // More than the pipe and the ring hold together; a write that waited would block this test without end.
        for _ in 0..<400 { output.write(line) }
        let dropped = output.droppedLines
        #expect((200...300).contains(dropped))
        #expect(await elsewhere { output.flush(within: .milliseconds(20)) } == false)

        let read = Task { await pipe.readToEndElsewhere() }
        let isFlushed = await elsewhere { output.flush(within: .seconds(30)) }
        output.write(Array("after\n".utf8))
        let isFlushedAgain = await elsewhere { output.flush(within: .seconds(30)) }
        pipe.closeWriteEnd()
        let lines = await read.value.split(separator: "\n")
        #expect(isFlushed && isFlushedAgain)
        #expect(output.droppedLines == dropped)
        #expect(lines.count { $0.hasPrefix("x") } == 400 - dropped)
        // Reported before the lines after them; twice if the pipe accepted some lines before the rest was dropped.
        let told = lines.filter { $0.hasPrefix("dropped ") }.compactMap { Int($0.dropFirst("dropped ".count)) }
        #expect(told.reduce(0, +) == dropped)
        #expect(lines.last == "after")
    }

    @Test func `a released output writes its remaining lines`() async throws {
        let pipe = try Pipe()
        let read = Task { await pipe.readToEndElsewhere() }
        do {
            let output = LogSink(fileDescriptor: pipe.writeEnd, report: Self.report)
            output.write(Array("last\n".utf8))
            #expect(await elsewhere { output.flush(within: .seconds(30)) })
        }
        pipe.closeWriteEnd()
        #expect(await read.value == "last\n")
    }

    @Test func `a descriptor that accepts nothing loses the entry, counts it and goes on`() async throws {
        let pipe = try Pipe()
        // Not a closed one, because its number may belong to another test by now.
        let output = LogSink(fileDescriptor: pipe.readEnd, report: Self.report)
        output.write([UInt8(ascii: "\n")])
        #expect(await elsewhere { output.flush(within: .seconds(30)) })
        output.write([UInt8(ascii: "\n")])
        #expect(await elsewhere { output.flush(within: .seconds(30)) })
        #expect(output.droppedLines == 2)
        pipe.closeWriteEnd()
        #expect(pipe.readToEnd().isEmpty)
    }

    private static let report: @Sendable (Int) -> [UInt8] = { Array("dropped \($0)\n".utf8) }

    /// Runs a body on a thread that may block.
    private func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "elsewhere").async { continuation.resume(returning: body()) }
        }
    }
}
