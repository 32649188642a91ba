import CNewsflashRDKafka

/// The owner of one `rd_kafka_topic_t`.
final class TopicHandle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer
    let client: ClientHandle
    let name: String

    init(_ name: String, of client: ClientHandle) throws(KafkaError) {
        guard let pointer = rd_kafka_topic_new(client.pointer, name, nil) else {
            throw KafkaError(rd_kafka_last_error(), doing: "using topic \"\(name)\"")
        }
        self.pointer = pointer
        self.client = client
        self.name = name
    }

    deinit {
        rd_kafka_topic_destroy(pointer)
    }
}

/// The owner of one answer to a metadata request.
struct Metadata: ~Copyable {
    private let pointer: UnsafePointer<rd_kafka_metadata>

    /// Asks about one topic, and waits.
    init(of topic: TopicHandle, timeout: Duration) throws(KafkaError) {
        try self.init(topic.client, topic: topic, timeout: timeout)
    }

    /// Asks about all topics, and waits.
    init(ofAllIn client: ClientHandle, timeout: Duration) throws(KafkaError) {
        try self.init(client, topic: nil, timeout: timeout)
    }

    private init(_ client: ClientHandle, topic: TopicHandle?, timeout: Duration) throws(KafkaError) {
        var answer: UnsafePointer<rd_kafka_metadata>?
        let isAboutAll: Int32 = topic == nil ? 1 : 0
        let response = rd_kafka_metadata(client.pointer, isAboutAll, topic?.pointer, &answer, timeout.milliseconds)
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR, let answer else {
            let subject = topic.map { "topic \"\($0.name)\"" } ?? "topics"
            throw client.explaining(KafkaError(response, doing: "asking the cluster about \(subject)"))
        }
        self.pointer = answer
    }

    deinit {
        rd_kafka_metadata_destroy(pointer)
    }

    /// The topics of the answer, in order.
    var topics: [KafkaTopic] {
        guard let first = pointer.pointee.topics else { return [] }
        return UnsafeBufferPointer(start: first, count: Int(pointer.pointee.topic_cnt)).map(KafkaTopic.init)
            .sorted { $0.name < $1.name }
    }
}

extension KafkaTopic {
    fileprivate init(_ topic: rd_kafka_metadata_topic) {
        let name = String(cString: topic.topic)
        let error =
            topic.err == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : KafkaError(topic.err, doing: "looking at topic \"\(name)\"")
        let partitions = UnsafeBufferPointer(start: topic.partitions, count: Int(topic.partition_cnt)).map {
            Partition(
                number: $0.id,
                leader: $0.leader < 0 ? nil : $0.leader,
                replicas: Array(UnsafeBufferPointer(start: $0.replicas, count: Int($0.replica_cnt))),
                inSyncReplicas: Array(UnsafeBufferPointer(start: $0.isrs, count: Int($0.isr_cnt)))
            )
        }
        self.init(name: name, partitions: partitions.sorted { $0.number < $1.number }, error: error)
    }
}
