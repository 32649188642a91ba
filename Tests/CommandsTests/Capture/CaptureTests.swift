import FoundationEssentials
import Kafka
import KafkaTestCluster
import NewsEvents
import TestSupport
import Testing
import Timestamps
import TopicPartitions
import Worker

@testable import Commands
@testable import Operations

/// `newsflash capture`
@Suite(.timeLimit(.minutes(4)))
struct CaptureTests {
    private static let time = Timestamp(seconds: 1_772_438_400)

    /// Records with awkward parts.
    private static let records: [RehearsalRecord] = [
        RehearsalRecord(appendAt: time, key: Array("story".utf8), value: Array("{\n  \"v\": 1\n}\n".utf8)),
        RehearsalRecord(value: nil),
        RehearsalRecord(value: []),
        RehearsalRecord(key: [], value: [0, 255, 254], headers: [EventHeader(name: "é\u{2028}\"", value: [0xC3])]),
        RehearsalRecord(key: [0xFF], value: Array("hex:00".utf8), headers: [EventHeader(name: "h", value: nil)]),
        RehearsalRecord(value: Array("hex:0".utf8), headers: [EventHeader(name: "h", value: Array("hex:zz".utf8))]),
        RehearsalRecord(
            value: Array("\u{FEFF}\u{0}".utf8),
            headers: [
                EventHeader(name: "a", value: [1]), EventHeader(name: "a", value: nil),
                EventHeader(name: "b", value: []),
            ]
        ),
        RehearsalRecord(value: Array(#"{"value":null}"#.utf8)),
    ]

    @Test(arguments: records.indices)
    func `a rehearsal reads a record unchanged`(index: Int) throws {
        let record = Self.records[index]
        let line = RecordLine(
            appendAt: record.appendAt,
            source: "desk",
            key: record.key,
            headers: record.headers,
            value: record.value
        )
        #expect(!line.json.contains(UInt8(ascii: "\n")))
        let read = try RehearsalFiles.record(line.json, at: "x")
        #expect(read.appendAt == record.appendAt)
        #expect(read.key == record.key)
        #expect(read.headers == record.headers)
        #expect(read.value == record.value)
        #expect(read.source == "desk")
    }

    @Test func `lines have the order of time, and those of a partition the order of offsets`() {
        func line(_ partition: Int32, _ offset: Int64, _ second: Int64) -> CapturedRecord {
            let place = TopicPartition(topic: "t", partition: partition)
            let line = RecordLine(appendAt: Timestamp(seconds: second), headers: [])
            return CapturedRecord(partition: place, offset: offset, line: line)
        }
        // The clock of the second record of partition 0 was late.
        let lines = [line(1, 0, 15), line(0, 1, 5), line(0, 0, 10), line(0, 2, 20), line(1, 1, 10), line(2, 0, 20)]
        let places = CapturedRecord.inOrder(lines).map { "\($0.partition.partition)@\($0.offset)" }
        #expect(places == ["0@0", "0@1", "1@0", "1@1", "0@2", "2@0"])
    }

    /// Makes a capture of the awkward records.
    private static func capture() -> Capture {
        let records = records.enumerated().map { index, record in
            let line = RecordLine(
                appendAt: record.appendAt,
                key: record.key,
                headers: record.headers,
                value: record.value
            )
            return CapturedRecord(partition: TopicPartition(topic: "t", partition: 0), offset: Int64(index), line: line)
        }
        return Capture(records: records, topics: ["t"], partitionCount: 3)
    }

    @Test func `a file that lacks a record, or has another, is not confirmed`() throws {
        let capture = Self.capture()
        let content = Array(capture.lines.joined())
        #expect(throws: Never.self) { try capture.verify(content) }
        let short = content.dropLast(Array(capture.lines).last?.count ?? 0)
        let missing = #expect(throws: OperationError.self) { try capture.verify(Array(short)) }
        #expect(missing?.description == "7 of 8 records are read back")
        let text = String(decoding: content, as: UTF8.self).replacing("story", with: "stary")
        let changed = #expect(throws: OperationError.self) { try capture.verify(Array(text.utf8)) }
        #expect(changed?.description == "the captured file:1: is not read back as the record t[0]@0")
    }

    @Test func `a file has its name only when it is complete, and only its owner may read it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("yesterday.ndjson")
        try Self.capture().write(file: path)
        #expect(try EventFiles.content(of: path) == Array(Self.capture().lines.joined()))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let wrong = CapturedRecord(
            partition: TopicPartition(topic: "t", partition: 0),
            offset: 0,
            // A line has milliseconds.
            line: RecordLine(appendAt: Timestamp(nanoseconds: 1), headers: [], value: [])
        )
        let capture = Capture(records: [wrong], topics: ["t"], partitionCount: 1)
        #expect(throws: OperationError.self) { try capture.write(file: path) }
        #expect(try EventFiles.content(of: path) == Array(Self.capture().lines.joined()), "the old file stays")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["yesterday.ndjson"])
        let nowhere = #expect(throws: OperationError.self) { try capture.write(file: folder.file("no/such/file")) }
        #expect(nowhere?.description.hasSuffix("no/such/file cannot be written: No such file or directory") == true)
    }

    @Test func `the records of a topic can be rehearsed`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 3)
        let values = [SampleNewsroom.flash, SampleNewsroom.correction, SampleNewsroom.kill]
        try await cluster.write(
            values.enumerated().map { index, value in
                KafkaRecord(
                    topic: topic,
                    partition: Int32(index % 2),
                    key: Array("urn:desk:1".utf8),
                    value: Array(value.utf8),
                    headers: [KafkaHeader(name: "content-type", value: Array("application/json".utf8))],
                    timestamp: Self.time + .seconds(index * 30)
                )
            }
        )
        let folder = try TemporaryFolder()
        let path = folder.file("c.ndjson")
        let brokers = ["capture", "--brokers", cluster.client().bootstrapServers, "--topic", topic]
        let all = try await run(brokers + ["-o", path])
        #expect(all == ["wrote 3 records from 2 of 3 partitions of \(topic)"])
        let whole = try EventFiles.lines(of: EventFiles.content(of: path), named: path)
        let records = try whole.map { try RehearsalFiles.record($0.bytes, at: "x") }
        #expect(records.map(\.value) == values.map { Array($0.utf8) })
        #expect(records.map(\.appendAt) == [0, 30, 60].map { Self.time + .seconds($0) })
        #expect(records.allSatisfy { $0.key == Array("urn:desk:1".utf8) && $0.headers.count == 1 && $0.source == nil })

        let some = try await run(brokers + ["--since", "2026-03-02T08:00:00Z", "--until", "2026-03-02T08:01:00Z"])
        #expect(some.dropLast() == whole.prefix(2).map { String(decoding: $0.bytes, as: UTF8.self) })
        #expect(some.last == "wrote 2 records from 2 of 3 partitions of \(topic)")
        let oldest = try await run(brokers + ["--most", "1"])
        #expect(oldest.first.map { Array($0.utf8) } == whole.first?.bytes)
        #expect(
            oldest.last == "wrote 1 record from 1 of 3 partitions of \(topic); --most leaves out later ones, if any"
        )
    }

    @Test(.needsBash) func `it ends quietly when the reader of its pipe has enough`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 1)
        let value = [UInt8](repeating: UInt8(ascii: "x"), count: 10_000)
        try await cluster.write((0..<100).map { _ in KafkaRecord(topic: topic, key: nil, value: value, headers: []) })
        let words = "capture --brokers \(cluster.client().bootstrapServers) --topic \(topic)"
        let script = "'\(try TestProgram.path())' \(words) | head -1 | wc -l; echo \"ended ${PIPESTATUS[0]}\""
        let lines = try await run(["--norc", "-c", script], program: "bash")
        #expect(lines == ["1", "ended 0"])
    }

    /// Returns the lines of the standard output and the standard error of a successful run.
    private func run(_ words: [String], program: String? = nil) async throws -> [String] {
        let start = try program.map { ["/usr/bin/env", $0] } ?? [TestProgram.path()]
        let process = try ChildProcess(start + words, environment: TestProgram.environment)
        #expect(try await process.waitForEnd() == .exited(0))
        return process.lines.events
    }
}
