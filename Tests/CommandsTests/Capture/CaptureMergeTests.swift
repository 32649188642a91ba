import NewsflashBasics
import NewsflashEvents
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashOperations

/// A topic in memory that is read in parts.
final class FakeTopic: Sendable {
    private let partitions: [[RecordLine]]
    private let part: Int
    private let failsAt: Int
    /// The number of reads.
    let reads = Locked(0)

    /// Creates a topic.
    ///
    /// - Parameters:
    ///   - partitions: The records of each partition.
    ///   - part: The maximum number of records of a partition that are read at once.
    ///   - failsAt: The offset at which reading fails.
    init(_ partitions: [[RecordLine]], part: Int, failsAt: Int = .max) {
        (self.partitions, self.part, self.failsAt) = (partitions, part, failsAt)
    }

    var spans: [TopicPartition: ScanSpan] {
        Dictionary(
            uniqueKeysWithValues: partitions.enumerated().map { number, records in
                (TopicPartition(topic: "t", partition: Int32(number)), ScanSpan(from: 0, to: Int64(records.count)))
            }
        )
    }

    var read: CaptureMerge.Read {
        { [self] spans throws(OperationError) in
            reads.withLock { $0 += 1 }
            var parts: [TopicPartition: CaptureMerge.Part] = [:]
            for (partition, span) in spans {
                let records = partitions[Int(partition.partition)]
                let from = Int(span.from)
                guard from < failsAt else { throw OperationError(.unavailable, "the broker has gone") }
                let to = min(from + part, Int(span.to ?? 0))
                let found = (from..<to).filter { $0 < records.count }.map { offset in
                    CapturedRecord(partition: partition, offset: Int64(offset), line: records[offset])
                }
                parts[partition] = CaptureMerge.Part(records: found, next: span.from + Int64(found.count))
            }
            return parts
        }
    }
}

/// The order of captured records, and the number of them in memory.
@Suite(.timeLimit(.minutes(1)))
struct CaptureMergeTests {
    private static func line(_ second: Int) -> RecordLine {
        RecordLine(appendAt: Timestamp(seconds: Int64(second)), headers: [])
    }

    /// Returns all places, and the maximum number of records in memory.
    private func places(
        of topic: FakeTopic,
        batch: Int = 2
    ) async throws -> (places: [String], mostInMemory: Int) {
        var merge = CaptureMerge(topic.spans, read: topic.read)
        var places: [String] = []
        var most = 0
        while true {
            let records = try await merge.next(atMost: batch)
            most = max(most, merge.bufferedCount + records.count)
            if records.isEmpty { return (places, most) }
            places += records.map { "\($0.partition.partition)@\($0.offset)" }
        }
    }

    @Test(arguments: 1...4)
    func `records have the order of time, and those of a partition the order of offsets`(part: Int) async throws {
        // The clock of the second record of partition 0 was late.
        let topic = FakeTopic(
            [[10, 5, 20].map(Self.line), [15, 10].map(Self.line), [20].map(Self.line), []],
            part: part
        )
        let found = try await places(of: topic).places
        #expect(found == ["0@0", "0@1", "1@0", "1@1", "0@2", "2@0"])
    }

    @Test func `the number of records in memory does not depend on the size of the topic`() async throws {
        func topic(_ count: Int) -> FakeTopic {
            // One partition has most of the records, and one has only late ones.
            let early = (0..<count).map { Self.line($0) }
            let some = stride(from: 0, to: count, by: 10).map { Self.line($0) }
            let late = (0..<count / 2).map { Self.line(count / 2 + $0) }
            return FakeTopic([early, some, late], part: 20)
        }
        var most: [Int] = []
        for count in [400, 4000, 40_000] {
            let topic = topic(count)
            let found = try await places(of: topic, batch: 10)
            #expect(found.places.count == count + count / 10 + count / 2)
            most.append(found.mostInMemory)
            // A part of the largest partition at least with every read.
            #expect(topic.reads.withLock { $0 } <= (count + count / 10 + count / 2) / 20 + 3)
        }
        // One and a half parts of each partition, and a batch.
        #expect(most.allSatisfy { $0 <= 3 * 30 + 10 }, "\(most)")
    }

    @Test func `records that are gone before they are read are a failure`() async throws {
        let topic = FakeTopic([[1, 2, 3].map(Self.line)], part: 2)
        var spans = topic.spans
        spans[TopicPartition(topic: "t", partition: 0)]?.to = 5
        var merge = CaptureMerge(spans, read: topic.read)
        #expect(try await merge.next(atMost: 10).count == 2)
        #expect(try await merge.next(atMost: 10).count == 1)
        let error = await #expect(throws: OperationError.self) { try await merge.next(atMost: 10) }
        #expect(error?.description.hasPrefix("t[0]: its log ends before the offset 3, ") == true)
    }
}
