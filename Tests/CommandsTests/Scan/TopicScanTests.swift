import NewsflashBasics
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(4)))
struct TopicScanTests {
    private static let start = Timestamp(seconds: 1_700_000_000)

    /// Writes records ten seconds apart, to each partition in turn; the value is the number.
    private func topic(_ cluster: KafkaTestCluster, partitions: Int32 = 2, count: Int = 10) async throws -> String {
        let topic = try await cluster.makeTopic(partitions: Int(partitions))
        try await cluster.write(
            (0..<count).map { number in
                KafkaRecord(
                    topic: topic,
                    partition: Int32(number) % partitions,
                    value: [UInt8(truncatingIfNeeded: number)],
                    timestamp: Self.start + .seconds(number * 10)
                )
            }
        )
        return topic
    }

    /// Returns the numbers that a scan finds, in order.
    private func numbers(
        _ cluster: KafkaTestCluster,
        _ topic: String,
        from: TopicScan.Beginning,
        to: TopicScan.Ending,
        bytesOfEach: Int? = nil
    ) async throws -> (numbers: [Int], extent: ScanExtent) {
        let taken = EventLog<Int>()
        let scan = TopicScan(cluster.client(), topics: [topic], from: from, to: to, bytesOfEach: bytesOfEach)
        let extent = try await scan.run { messages in
            for message in messages { taken.append(Int(message.value?.first ?? 255)) }
            return true
        }
        return (taken.events.sorted(), extent)
    }

    @Test func `a scan reads everything up to the current end`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await topic(cluster)
        let (numbers, extent) = try await numbers(cluster, topic, from: .earliest, to: .present)
        #expect(numbers == Array(0..<10))
        #expect(extent.count == 10)
        let part = ScanExtent.Part(from: 0, to: 5, count: 5)
        let places = (0..<2).map { TopicPartition(topic: topic, partition: $0) }
        #expect(extent.parts == [places[0]: part, places[1]: part])
    }

    @Test func `a scan reads no record of a partition after the one with which the maximum is reached`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await topic(cluster)
        // Each record counts as 201 bytes.
        let (numbers, extent) = try await numbers(cluster, topic, from: .earliest, to: .present, bytesOfEach: 600)
        #expect(numbers == Array(0..<6))
        let part = ScanExtent.Part(from: 0, to: 3, count: 3)
        let places = (0..<2).map { TopicPartition(topic: topic, partition: $0) }
        #expect(extent.parts == [places[0]: part, places[1]: part])
    }

    @Test func `a scan reads only records of the given times`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await topic(cluster)
        let (numbers, _) = try await numbers(
            cluster,
            topic,
            from: .time(Self.start + .seconds(25)),
            to: .time(Self.start + .seconds(70))
        )
        #expect(numbers == [3, 4, 5, 6])
    }

    @Test func `a scan reads only the given offsets, and skips partitions that are not named`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await topic(cluster)
        let place = TopicPartition(topic: topic, partition: 1)
        let (numbers, extent) = try await numbers(
            cluster,
            topic,
            from: .offsets([place: 1]),
            to: .offsets([place: 3])
        )
        #expect(numbers == [3, 5])
        #expect(extent.parts == [place: ScanExtent.Part(from: 1, to: 3, count: 2)])
        // After the end there is nothing to wait for.
        let (rest, _) = try await self.numbers(cluster, topic, from: .offsets([place: 4]), to: .offsets([place: 99]))
        #expect(rest == [9])
    }

    @Test func `a scan of an empty range ends at once`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await topic(cluster)
        let (numbers, extent) = try await numbers(
            cluster,
            topic,
            from: .time(Self.start + .seconds(1000)),
            to: .present
        )
        #expect(numbers.isEmpty)
        #expect(extent.count == 0)
    }

    @Test func `a time after the last record finds no record, in a full partition and in an empty one`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        // Writes five records to the first partition, and none to the second.
        let topic = try await cluster.makeTopic(partitions: 2)
        try await cluster.write(
            (0..<5).map {
                KafkaRecord(topic: topic, partition: 0, value: [$0], timestamp: Self.start + .seconds(Int($0)))
            }
        )
        for time in [Self.start + .seconds(5), .now() + .seconds(86_400), Timestamp(nanoseconds: .max)] {
            let (numbers, extent) = try await numbers(cluster, topic, from: .time(time), to: .present)
            #expect(numbers.isEmpty)
            #expect(extent.count == 0)
        }
        let (last, _) = try await numbers(cluster, topic, from: .time(Self.start + .seconds(4)), to: .present)
        #expect(last == [4])
    }

    @Test func `a caller can end the scan early`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await topic(cluster, partitions: 1)
        let calls = Locked(0)
        _ = try await TopicScan(cluster.client(), topics: [topic], from: .earliest, to: .never).run { _ in
            calls.withLock { $0 += 1 }
            return false
        }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func `a scan without an end goes on until it is cancelled`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await topic(cluster, partitions: 1, count: 2)
        let taken = EventLog<[UInt8]?>()
        let scan = TopicScan(cluster.client(), topics: [topic], from: .earliest, to: .never)
        let following = Task {
            try await scan.run { messages in
                for message in messages { taken.append(message.value) }
                return true
            }
        }
        _ = try await taken.wait { $0.count >= 2 ? () : nil }
        try await cluster.write([KafkaRecord(topic: topic, value: [7])])
        let all = try await taken.wait { $0.count >= 3 ? $0 : nil }
        #expect(all == [[0], [1], [7]])
        following.cancel()
        #expect(try await following.value.count == 3)
    }

    @Test func `a missing topic is named with what to do`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let name = cluster.uniqueName("never")
        let error = await #expect(throws: OperationError.self) {
            _ = try await TopicScan(cluster.client(), topics: [name], from: .earliest, to: .present).run { _ in true }
        }
        #expect(error?.kind == .unavailable)
        #expect(error?.description.contains("has no topic \(name)") == true)
        #expect(error?.description.contains("newsflash topics apply") == true)
    }

    @Test func `only the partitions that are read need a leader`() async throws {
        let mock = try MockCluster(brokers: 1)
        try mock.createTopic("half", partitions: 2)
        try mock.setLeader(nil, of: TopicPartition(topic: "half", partition: 1))
        let cluster = KafkaTestCluster(of: mock)
        try await cluster.write([KafkaRecord(topic: "half", partition: 0, value: [7])])
        let first = [TopicPartition(topic: "half", partition: 0): Int64(0)]
        #expect(try await numbers(cluster, "half", from: .offsets(first), to: .present).numbers == [7])
        let error = await #expect(throws: OperationError.self) {
            _ = try await numbers(cluster, "half", from: .earliest, to: .present)
        }
        #expect(error?.description.hasSuffix("partition 1 of half has no leader: bring its brokers back") == true)
    }
}
