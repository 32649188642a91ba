import Dispatch
import Testing
import Timestamps

@testable import StructuredLog

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(1)))
struct LineOutputTests {
    @Test(
        arguments: [
            ([.wrote(6)], 6),
            ([.wrote(2), .wrote(4)], 6),
            ([.interrupted, .wrote(3), .interrupted, .wrote(3)], 6),
            ([.full, .wrote(6)], 6),
            ([.wrote(5), .failed], 5),
            ([.wrote(0)], 0),
            ([.failed], 0),
        ] as [([LineWrite.Attempt], Int)]
    )
    func `writes on after partial writes and signals`(attempts: [LineWrite.Attempt], expected: Int) {
        var rest = attempts[...]
        var taken: [UInt8] = []
        let line = Array("line!\n".utf8)
        let written = LineWrite.all(line) { bytes in
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

    @Test func `gives up where no room comes`() {
        #expect(
            LineWrite.all([1, 2]) { _ in
                .full
            } wait: {
                false
            } == 0
        )
    }

    @Test func `both handlers write one line an entry to their descriptor`() throws {
        let pipe = try Pipe()
        let time = Timestamp(seconds: 0)
        let entry = LogEntry(time: time, level: .info, label: "test", message: "m", metadata: ["a": 1])
        JSONLogHandler(fileDescriptor: pipe.writeEnd).log(entry)
        TextLogHandler(fileDescriptor: pipe.writeEnd).log(entry)
        DiscardingLogHandler().log(entry)
        pipe.closeWriteEnd()
        let json = #"{"time":"1970-01-01T00:00:00.000Z","level":"info","label":"test","message":"m","a":1}"#
        #expect(pipe.readToEnd() == "\(json)\n1970-01-01T00:00:00.000Z info  m  a=1\n")
    }

    @Test func `lines of many threads through a full pipe stay whole`() async throws {
        let pipe = try Pipe()
        pipe.doNotBlockWrites()
        let output = LineOutput(fileDescriptor: pipe.writeEnd, patience: 30_000)
        let read = Task { await pipe.readToEndElsewhere() }
        let lines = (0..<16).map { String(repeating: Character(UnicodeScalar(97 + $0)), count: 16_000) }
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "writers").async {
                DispatchQueue.concurrentPerform(iterations: lines.count) { output.write(Array("\(lines[$0])\n".utf8)) }
                continuation.resume()
            }
        }
        pipe.closeWriteEnd()
        let text = await read.value
        let areWhole = text.split(separator: "\n").sorted() == lines.map { $0[...] }
        #expect(areWhole)
    }

    @Test func `a line after a torn one begins on its own`() throws {
        let pipe = try Pipe()
        pipe.doNotBlockWrites()
        let output = LineOutput(fileDescriptor: pipe.writeEnd, patience: 0)
        output.write([UInt8](repeating: UInt8(ascii: "x"), count: 200_000) + [UInt8(ascii: "\n")])
        let torn = pipe.readSome(upTo: 200_000)
        #expect(!torn.isEmpty && !torn.contains("\n"))
        output.write(Array("whole\n".utf8))
        output.write(Array("next\n".utf8))
        pipe.closeWriteEnd()
        #expect(pipe.readToEnd() == "\nwhole\nnext\n")
    }

    @Test func `a closed descriptor loses the entry in silence`() throws {
        let pipe = try Pipe()
        let end = pipe.writeEnd
        pipe.closeWriteEnd()
        LineOutput(fileDescriptor: end).write([UInt8(ascii: "\n")])
        #expect(pipe.readToEnd().isEmpty)
    }
}
