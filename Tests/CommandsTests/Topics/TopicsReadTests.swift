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

@Suite(.timeLimit(.minutes(4)))
struct TopicsReadTests {
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
        func line(_ partition: Int32, _ offset: Int64, _ second: Int64) -> ReadLine {
            let place = TopicPartition(topic: "t", partition: partition)
            return ReadLine(partition: place, offset: offset, timestamp: Timestamp(seconds: second), json: [])
        }
        // The clock of the second record of partition 0 was late.
        let lines = [line(1, 0, 15), line(0, 1, 5), line(0, 0, 10), line(0, 2, 20), line(1, 1, 10), line(2, 0, 20)]
        let places = ReadLine.inOrder(lines).map { "\($0.partition.partition)@\($0.offset)" }
        #expect(places == ["0@0", "0@1", "1@0", "1@1", "0@2", "2@0"])
    }

    @Test func `the records of a topic can be rehearsed`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: 2)
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
        let words = [
            "topics", "read", "--brokers", cluster.client().bootstrapServers, "--topic", topic,
            "--since", "2026-03-02T08:00:00Z", "--until", "2026-03-02T08:01:00Z",
        ]
        let process = try ChildProcess([try TestProgram.path()] + words, environment: TestProgram.environment)
        #expect(try await process.waitForEnd() == .exited(0))
        let lines = process.lines.events
        #expect(lines.count == 2, "the third record is not before --until: \(lines)")
        let records = try lines.map { try RehearsalFiles.record(Array($0.utf8), at: "x") }
        #expect(records.map(\.value) == values.prefix(2).map { Array($0.utf8) })
        #expect(records.map(\.appendAt) == [0, 30].map { Self.time + .seconds($0) })
        #expect(records.allSatisfy { $0.key == Array("urn:desk:1".utf8) && $0.headers.count == 1 && $0.source == nil })
    }
}
