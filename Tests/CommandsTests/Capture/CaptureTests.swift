import FoundationEssentials
import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

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

    /// Makes a capture of the awkward records, which are read in parts.
    ///
    /// - Parameters:
    ///   - records: Other records.
    ///   - part: The number of records in a part.
    ///   - failsAt: The offset at which reading fails.
    /// - Returns: The capture, of which nothing has been read.
    private static func capture(
        of records: [RecordLine] = lines,
        part: Int = 3,
        failsAt: Int = .max
    ) -> Capture {
        let source = FakeTopic([records], part: part, failsAt: failsAt)
        return Capture(CaptureMerge(source.spans, read: source.read), topics: ["t"])
    }

    private static let lines = records.map { record in
        RecordLine(appendAt: record.appendAt, key: record.key, headers: record.headers, value: record.value)
    }

    private static let content = lines.flatMap { $0.json + [UInt8(ascii: "\n")] }

    @Test func `a file that lacks a record, or has another, is not confirmed`() throws {
        let place = TopicPartition(topic: "t", partition: 0)
        let records = Self.lines.enumerated().map { CapturedRecord(partition: place, offset: Int64($0), line: $1) }
        let batch = CaptureBatch(records: records, before: 10)
        #expect(batch.content == Self.content)
        #expect(throws: Never.self) { try batch.verify(Self.content) }
        let short = Self.content.dropLast((Self.lines.last?.json.count ?? 0) + 1)
        let missing = #expect(throws: OperationError.self) { try batch.verify(Array(short)) }
        #expect(missing?.description == "17 of 18 records are read back")
        let text = String(decoding: Self.content, as: UTF8.self).replacing("story", with: "stary")
        let changed = #expect(throws: OperationError.self) { try batch.verify(Array(text.utf8)) }
        #expect(changed?.description == "the captured file:11: is not read back as the record t[0]@0")
    }

    @Test func `a file has its name only when it is complete, and only its owner may read it`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("yesterday.ndjson")
        var whole = Self.capture()
        try await whole.write(file: path)
        #expect(try EventFiles.content(of: path) == Self.content)
        #expect(whole.summary == "8 records from 1 of 1 partition of t")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // A line has milliseconds.
        var wrong = Self.capture(of: Self.lines + [RecordLine(appendAt: Timestamp(nanoseconds: 1), headers: [])])
        await #expect(throws: OperationError.self) { try await wrong.write(file: path) }
        var broken = Self.capture(failsAt: 6)
        let failure = await #expect(throws: OperationError.self) { try await broken.write(file: path) }
        #expect(failure?.description == "the broker has gone")
        #expect(broken.count == 6, "it failed in the middle")
        let stopped = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var capture = Self.capture()
            try await capture.write(file: path)
        }
        await #expect(throws: OperationError.self) { try await stopped.value }
        #expect(try EventFiles.content(of: path) == Self.content, "the old file stays")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["yesterday.ndjson"])
        var other = Self.capture()
        let nowhere = await #expect(throws: OperationError.self) {
            try await other.write(file: folder.file("no/such/file"))
        }
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

    @Test func `a large topic is read in several parts`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
        // Partition 1 has more bytes than one part, which has at most 4 MiB.
        let value = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        try await cluster.write(
            (0..<50).map { index in
                KafkaRecord(
                    topic: topic,
                    partition: index % 10 == 0 ? 0 : 1,
                    key: Array("\(index)".utf8),
                    value: value,
                    timestamp: Self.time + .seconds(index)
                )
            }
        )
        let folder = try TemporaryFolder()
        let path = folder.file("large.ndjson")
        let words = ["capture", "--brokers", cluster.client().bootstrapServers, "--topic", topic, "-o", path]
        #expect(try await run(words) == ["wrote 50 records from 2 of 2 partitions of \(topic)"])
        let lines = try EventFiles.lines(of: EventFiles.content(of: path), named: path)
        let keys = try lines.map {
            try RehearsalFiles.record($0.bytes, at: $0.place).key.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(keys == (0..<50).map(String.init))
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
