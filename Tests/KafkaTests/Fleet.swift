import CNewsflashRDKafka
import Dispatch
import NewsflashBasics
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Synchronization

/// Members of one group that join and leave while records are written, and the records that all of them received.
final class Fleet: Sendable {
    /// One member.
    final class Member: Sendable {
        let consumer: KafkaConsumer
        let delegate: FleetDelegate

        init(_ configuration: KafkaConsumerConfiguration, _ fleet: Fleet) throws {
            self.delegate = FleetDelegate(fleet)
            self.consumer = try KafkaConsumer(configuration, delegate: delegate)
            try consumer.subscribe([fleet.topic])
        }
    }

    /// A received record with its time.
    struct Receipt: Sendable {
        let partition: Int32
        let number: Int
        let at: ContinuousClock.Instant
    }

    let cluster: KafkaTestCluster
    let topic: String
    let partitions: Int32
    let group: String
    /// Grows with each batch and each change of an assignment.
    let receipts = EventLog<[Receipt]>()
    /// The times at which records were confirmed.
    let confirmations = EventLog<ContinuousClock.Instant>()
    /// Losses and other complaints.
    let complaints = EventLog<String>()

    init(_ cluster: KafkaTestCluster, partitions: Int32) async throws {
        self.cluster = cluster
        self.partitions = partitions
        self.topic = try await cluster.makeTopic(partitions: Int(partitions))
        self.group = cluster.uniqueName("fleet")
    }

    /// The configuration of members.
    func configuration(name: String? = nil) -> KafkaConsumerConfiguration {
        var configuration = cluster.consumer(group: group)
        configuration.assignmentStrategy = .cooperativeSticky
        configuration.groupInstanceID = name
        return configuration
    }

    /// Waits until members share all partitions among themselves and their group has settled.
    /// Checks with each batch, so records must be written meanwhile.
    func settle(_ members: [Member]) async throws {
        let all = (0..<partitions).map { TopicPartition(topic: topic, partition: $0) }
        try await receipts.wait { _ in
            let owned = members.flatMap(\.consumer.assignment).sorted()
            return owned == all && members.allSatisfy { $0.consumer.groupState.phase == .steady } ? () : nil
        }
    }

    /// Waits for a number of additional records.
    func receive(_ count: Int) async throws {
        let before = received
        try await receipts.wait { events in events.reduce(0) { $0 + $1.count } >= before + count ? () : nil }
    }

    /// Waits until every record was received by any member.
    ///
    /// - Parameter count: The number of written records.
    /// - Returns: The records that no member received within half a minute.
    func missing(of count: Int) async -> [Int] {
        let waiting = Task { [receipts] in
            try await receipts.wait { events in
                Set(events.joined().map(\.number)).isSuperset(of: 0..<count) ? () : nil
            }
        }
        let limit = Task {
            try? await Task.sleep(for: .seconds(30))
            waiting.cancel()
        }
        _ = await waiting.result
        limit.cancel()
        return Set(0..<count).subtracting(receipts.events.joined().map(\.number)).sorted()
    }

    var received: Int { receipts.events.reduce(0) { $0 + $1.count } }

    /// The longest time without a record in each partition between two instants.
    func gaps(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> [Int32: Duration] {
        var times: [Int32: [ContinuousClock.Instant]] = [:]
        for receipt in receipts.events.joined() where receipt.at >= start && receipt.at <= end {
            times[receipt.partition, default: [start]].append(receipt.at)
        }
        return times.mapValues { longestPause(in: $0, until: end) }
    }

    /// The longest time without a confirmation, for example on a busy machine. No member can receive a record then.
    func pauseOfWriter(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Duration {
        longestPause(in: [start] + confirmations.events.filter { $0 >= start && $0 <= end }, until: end)
    }

    private func longestPause(in times: [ContinuousClock.Instant], until end: ContinuousClock.Instant) -> Duration {
        zip(times, times.dropFirst() + [end]).map { $1 - $0 }.max() ?? .zero
    }

    /// Writes records to all partitions in turn, each once the last is confirmed, until the task is cancelled.
    ///
    /// - Returns: The number of written records; their values are their numbers from 0.
    func write() async throws -> Int {
        let recorder = ProducerRecorder { [confirmations] in confirmations.append(.now) }
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()), delegate: recorder)
        var count = 0
        while !Task.isCancelled {
            // This sets the rate of the test; it does not wait for a result.
            try? await Task.sleep(for: .milliseconds(10))
            let record = KafkaRecord(
                topic: topic,
                partition: Int32(count) % partitions,
                value: Array("\(count)".utf8),
                id: UInt64(count)
            )
            producer.produce([record])
            count += 1
        }
        // Waits for the reports, half a minute at most, also if the task is cancelled.
        if await !producer.close() { complaints.append("not all records were confirmed in time") }
        let failed = recorder.reports.events.count { if case .failure = $0.result { true } else { false } }
        if failed > 0 { complaints.append("\(failed) records were not written") }
        return count
    }
}

/// A member's delegate. It commits and records everything it receives.
final class FleetDelegate: KafkaConsumerDelegate {
    private let fleet: Fleet
    private let next = Locked<[TopicPartition: Int64]>([:])

    init(_ fleet: Fleet) {
        self.fleet = fleet
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        let now = ContinuousClock.now
        let offsets = Dictionary(messages.map { ($0.topicPartition, $0.offset + 1) }) { $1 }
        next.withLock { [offsets] in $0.merge(offsets) { $1 } }
        consumer.commit(offsets)
        fleet.receipts.append(
            messages.map { message in
                let number = Int(String(decoding: message.value ?? [], as: UTF8.self)) ?? -1
                return Fleet.Receipt(partition: message.partition, number: number, at: now)
            }
        )
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {
        fleet.receipts.append([])
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] {
        fleet.receipts.append([])
        return next.withLock { next in
            let leaving = next.filter { partitions.contains($0.key) }
            for partition in partitions { next[partition] = nil }
            return leaving
        }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {
        fleet.complaints.append("lost \(partitions)")
        next.withLock { next in for partition in partitions { next[partition] = nil } }
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [TopicPartition: Int64],
        error: KafkaError?
    ) {}

    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {
        if !error.isRetriable { fleet.complaints.append(error.description) }
    }
}

/// A member that can vanish like a killed process, without leaving its group.
final class VanishingMember: Sendable {
    private nonisolated(unsafe) let client: OpaquePointer
    private let hasToEnd = Atomic(false)
    private let hasEnded = EventLog<Bool>()

    init(_ configuration: KafkaConsumerConfiguration, _ fleet: Fleet) throws {
        var properties = [
            "bootstrap.servers": configuration.client.bootstrapServers,
            "group.id": configuration.groupID,
            "partition.assignment.strategy": configuration.assignmentStrategy.rawValue,
            "session.timeout.ms": "3500",
            "heartbeat.interval.ms": "350",
            "fetch.wait.max.ms": fleet.cluster.fetchWait,
            "auto.offset.reset": "earliest",
            "auto.commit.interval.ms": "500",
        ]
        properties["group.instance.id"] = configuration.groupInstanceID
        let settings = rd_kafka_conf_new()
        for (name, value) in properties { rd_kafka_conf_set(settings, name, value, nil, 0) }
        guard let client = rd_kafka_new(RD_KAFKA_CONSUMER, settings, nil, 0) else {
            rd_kafka_conf_destroy(settings)
            throw KafkaError(.invalidArgument, "no member")
        }
        self.client = client
        rd_kafka_poll_set_consumer(client)
        let topics = rd_kafka_topic_partition_list_new(1)
        rd_kafka_topic_partition_list_add(topics, fleet.topic, RD_KAFKA_PARTITION_UA)
        rd_kafka_subscribe(client, topics)
        rd_kafka_topic_partition_list_destroy(topics)
        DispatchQueue.global().async { [self] in
            let client = self.client
            while !hasToEnd.load(ordering: .relaxed) {
                guard let message = rd_kafka_consumer_poll(client, 50) else { continue }
                if message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR {
                    let bytes = UnsafeRawBufferPointer(start: message.pointee.payload, count: message.pointee.len)
                    let number = Int(String(decoding: bytes, as: UTF8.self)) ?? -1
                    let receipt = Fleet.Receipt(partition: message.pointee.partition, number: number, at: .now)
                    fleet.receipts.append([receipt])
                }
                rd_kafka_message_destroy(message)
            }
            rd_kafka_destroy_flags(client, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
            hasEnded.append(true)
        }
    }

    /// The partitions that the member owns.
    var assignment: [Int32] {
        var list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
        guard rd_kafka_assignment(client, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list else { return [] }
        defer { rd_kafka_topic_partition_list_destroy(list) }
        return (0..<Int(list.pointee.cnt)).map { list.pointee.elems[$0].partition }.sorted()
    }

    /// Ends the process of the member.
    func vanish() async throws {
        hasToEnd.store(true, ordering: .relaxed)
        _ = try await hasEnded.wait(for: \.first)
    }
}
