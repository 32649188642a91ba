import CNewsflashRDKafka

/// A topic to create.
public struct KafkaNewTopic: Sendable, Hashable {
    /// The topic's name.
    public var name: String
    /// The number of partitions; `nil` for the brokers' default.
    public var partitions: Int?
    /// The number of brokers that have each partition; `nil` for the brokers' default.
    public var replicationFactor: Int?
    /// Kafka's settings for topics by their names, such as `cleanup.policy`.
    public var configuration: [String: String]

    /// Creates the description of a topic.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - partitions: The number of partitions; `nil` for the brokers' default.
    ///   - replicationFactor: The number of brokers that have each partition; `nil` for the brokers' default.
    ///   - configuration: Kafka's settings for topics by their names.
    public init(
        name: String,
        partitions: Int? = nil,
        replicationFactor: Int? = nil,
        configuration: [String: String] = [:]
    ) {
        self.name = name
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.configuration = configuration
    }
}

extension KafkaAdmin {
    /// Creates topics. Each is created or refused independently.
    ///
    /// - Parameters:
    ///   - topics: The topics.
    ///   - timeout: How long to wait until all are created.
    /// - Returns: Why topics were not created, by their names, including ``KafkaError/Code/topicExists``. Empty if all were
    ///   created.
    /// - Throws: ``KafkaError`` if the cluster cannot be asked or a description is invalid.
    public func createTopics(
        _ topics: [KafkaNewTopic],
        timeout: Duration = .seconds(15)
    ) async throws(KafkaError) -> [String: KafkaError] {
        guard !topics.isEmpty else { return [:] }
        var handles: [NewTopicHandle] = []
        for topic in topics { handles.append(try NewTopicHandle(topic)) }
        return try await request(
            RD_KAFKA_ADMIN_OP_CREATETOPICS,
            doing: "creating topics",
            timeout: timeout
        ) { [handles] client, options, queue in
            var pointers: [OpaquePointer?] = handles.map(\.pointer)
            withExtendedLifetime(handles) {
                rd_kafka_CreateTopics(client, &pointers, pointers.count, options, queue)
            }
        } read: { (answer) throws(KafkaError) in
            var count = 0
            let results = rd_kafka_CreateTopics_result_topics(
                rd_kafka_event_CreateTopics_result(answer.pointer),
                &count
            )
            return topicErrors(results, count, "creating")
        }
    }

    /// Deletes topics with all their records. Each is deleted or refused independently.
    ///
    /// - Parameters:
    ///   - topics: Their names.
    ///   - timeout: How long to wait until all are deleted.
    /// - Returns: Why topics were not deleted, by their names, including ``KafkaError/Code/unknownTopicOrPartition``. Empty if
    ///   all were deleted.
    /// - Throws: ``KafkaError`` if the cluster cannot be asked.
    public func deleteTopics(
        _ topics: [String],
        timeout: Duration = .seconds(15)
    ) async throws(KafkaError) -> [String: KafkaError] {
        guard !topics.isEmpty else { return [:] }
        return try await request(
            RD_KAFKA_ADMIN_OP_DELETETOPICS,
            doing: "deleting topics",
            timeout: timeout
        ) { client, options, queue in
            var pointers = topics.map { rd_kafka_DeleteTopic_new($0) }
            rd_kafka_DeleteTopics(client, &pointers, pointers.count, options, queue)
            for pointer in pointers { rd_kafka_DeleteTopic_destroy(pointer) }
        } read: { (answer) throws(KafkaError) in
            var count = 0
            let results = rd_kafka_DeleteTopics_result_topics(
                rd_kafka_event_DeleteTopics_result(answer.pointer),
                &count
            )
            return topicErrors(results, count, "deleting")
        }
    }

    /// Adds partitions to a topic. This moves keys to other partitions.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - partitions: The new number of partitions.
    ///   - timeout: How long to wait until they exist.
    /// - Throws: ``KafkaError`` if that is refused, for example for a smaller number.
    public func growTopic(
        _ topic: String,
        to partitions: Int,
        timeout: Duration = .seconds(15)
    ) async throws(KafkaError) {
        let errors = try await request(
            RD_KAFKA_ADMIN_OP_CREATEPARTITIONS,
            doing: "adding partitions to \"\(topic)\"",
            timeout: timeout
        ) { client, options, queue in
            var pointers = [rd_kafka_NewPartitions_new(topic, partitions, nil, 0)]
            rd_kafka_CreatePartitions(client, &pointers, 1, options, queue)
            rd_kafka_NewPartitions_destroy(pointers[0])
        } read: { (answer) throws(KafkaError) in
            var count = 0
            let result = rd_kafka_event_CreatePartitions_result(answer.pointer)
            return topicErrors(rd_kafka_CreatePartitions_result_topics(result, &count), count, "adding partitions to")
        }
        if let error = errors[topic] { throw error }
    }

    /// Returns the effective settings of a topic, including those of the brokers, without those that Kafka calls sensitive.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - timeout: How long to wait.
    /// - Returns: The values by Kafka's names.
    /// - Throws: ``KafkaError`` if they cannot be read.
    public func configuration(
        ofTopic topic: String,
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> [String: String] {
        try await settings(ofTopic: topic, timeout: timeout).compactMapValues { $0.isSensitive ? nil : $0.value }
    }

    /// Changes settings of a topic. Its other settings stay.
    ///
    /// librdkafka 2.0 has only the request that replaces all settings of the topic. So they are read first, and written back
    /// together with the changes; a change that somebody else makes in between is lost.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - changes: The new values by Kafka's names.
    ///   - timeout: How long to wait for each of the two requests.
    /// - Throws: ``KafkaError`` if a request is refused, or if the topic has a setting of its own that brokers do not show.
    package func changeConfiguration(
        ofTopic topic: String,
        to changes: [String: String],
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) {
        let work = "changing the settings of topic \"\(topic)\""
        var wanted: [String: String] = [:]
        for (name, setting) in try await settings(ofTopic: topic, timeout: timeout) where setting.isOfTopic {
            guard let value = setting.value, !setting.isSensitive else {
                throw KafkaError(
                    .invalidArgument,
                    "\(work): brokers do not show the value of \(name), which would be lost"
                )
            }
            wanted[name] = value
        }
        wanted.merge(changes) { $1 }
        _ = try await request(
            RD_KAFKA_ADMIN_OP_ALTERCONFIGS,
            doing: work,
            timeout: timeout
        ) { [wanted] client, options, queue in
            var pointers = [rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic)]
            for (name, value) in wanted { rd_kafka_ConfigResource_set_config(pointers[0], name, value) }
            rd_kafka_AlterConfigs(client, &pointers, 1, options, queue)
            rd_kafka_ConfigResource_destroy(pointers[0])
        } read: { (answer) throws(KafkaError) in
            var count = 0
            let result = rd_kafka_event_AlterConfigs_result(answer.pointer)
            guard let resources = rd_kafka_AlterConfigs_result_resources(result, &count), count > 0 else { return }
            let response = rd_kafka_ConfigResource_error(resources[0])
            guard response != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
            let detail = rd_kafka_ConfigResource_error_string(resources[0]).map { String(cString: $0) }
            throw KafkaError(response, doing: work, saying: detail)
        }
    }

    /// Returns all settings of a topic, including those of the brokers.
    private func settings(
        ofTopic topic: String,
        timeout: Duration
    ) async throws(KafkaError) -> [String: TopicSetting] {
        try await request(
            RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS,
            doing: "reading the settings of topic \"\(topic)\"",
            timeout: timeout
        ) { client, options, queue in
            var pointers = [rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic)]
            rd_kafka_DescribeConfigs(client, &pointers, 1, options, queue)
            rd_kafka_ConfigResource_destroy(pointers[0])
        } read: { (answer) throws(KafkaError) in
            var count = 0
            let result = rd_kafka_event_DescribeConfigs_result(answer.pointer)
            guard let resources = rd_kafka_DescribeConfigs_result_resources(result, &count), count > 0 else {
                return [:]
            }
            try KafkaError.check(
                rd_kafka_ConfigResource_error(resources[0]),
                doing: "reading the settings of topic \"\(topic)\""
            )
            return TopicSetting.all(of: resources[0])
        }
    }
}

/// One of Kafka's settings of a topic.
private struct TopicSetting: Sendable {
    /// `nil` if brokers do not show it.
    let value: String?
    let isSensitive: Bool
    /// Whether the topic itself has the value, not the brokers.
    let isOfTopic: Bool

    /// Returns the settings of a topic by Kafka's names.
    static func all(of resource: OpaquePointer?) -> [String: TopicSetting] {
        var count = 0
        let entries = rd_kafka_ConfigResource_configs(resource, &count)
        var settings: [String: TopicSetting] = [:]
        for entry in UnsafeBufferPointer(start: entries, count: count) {
            settings[String(cString: rd_kafka_ConfigEntry_name(entry))] = TopicSetting(
                value: rd_kafka_ConfigEntry_value(entry).map { String(cString: $0) },
                isSensitive: rd_kafka_ConfigEntry_is_sensitive(entry) != 0,
                isOfTopic: rd_kafka_ConfigEntry_source(entry) == RD_KAFKA_CONFIG_SOURCE_DYNAMIC_TOPIC_CONFIG
            )
        }
        return settings
    }
}

/// The owner of one `rd_kafka_NewTopic_t`.
private final class NewTopicHandle: Sendable {
    // Written before others have access, and only read afterwards.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ topic: KafkaNewTopic) throws(KafkaError) {
        var reason = [CChar](repeating: 0, count: 256)
        let partitions = topic.partitions.map { Int32(clamping: $0) } ?? -1
        let replicas = topic.replicationFactor.map { Int32(clamping: $0) } ?? -1
        guard let pointer = rd_kafka_NewTopic_new(topic.name, partitions, replicas, &reason, reason.count) else {
            let detail = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw KafkaError(.invalidArgument, "topic \"\(topic.name)\" cannot be created: \(detail)")
        }
        self.pointer = pointer
        for (name, value) in topic.configuration {
            try KafkaError.check(
                rd_kafka_NewTopic_set_config(pointer, name, value),
                doing: "setting \"\(name)\" of topic \"\(topic.name)\""
            )
        }
    }

    deinit {
        rd_kafka_NewTopic_destroy(pointer)
    }
}

private func topicErrors(
    _ results: UnsafeMutablePointer<OpaquePointer?>?,
    _ count: Int,
    _ work: String
) -> [String: KafkaError] {
    var errors: [String: KafkaError] = [:]
    for result in UnsafeBufferPointer(start: results, count: count) {
        let response = rd_kafka_topic_result_error(result)
        guard response != RD_KAFKA_RESP_ERR_NO_ERROR else { continue }
        let name = String(cString: rd_kafka_topic_result_name(result))
        let detail = rd_kafka_topic_result_error_string(result).map { String(cString: $0) }
        errors[name] = KafkaError(response, doing: "\(work) topic \"\(name)\"", saying: detail)
    }
    return errors
}

/// A topic as the cluster describes it.
public struct KafkaTopic: Sendable, Hashable {
    /// One partition of a topic.
    public struct Partition: Sendable, Hashable {
        /// The partition's number, from 0.
        public var number: Int32
        /// The broker that serves it; `nil` if none does.
        public var leader: Int32?
        /// The brokers that have it.
        public var replicas: [Int32]
        /// The replicas that are up to date.
        public var inSyncReplicas: [Int32]

        /// Creates a partition.
        ///
        /// - Parameters:
        ///   - number: The partition's number, from 0.
        ///   - leader: The broker that serves it; `nil` if none does.
        ///   - replicas: The brokers that have it.
        ///   - inSyncReplicas: The replicas that are up to date.
        public init(number: Int32, leader: Int32?, replicas: [Int32], inSyncReplicas: [Int32]) {
            self.number = number
            self.leader = leader
            self.replicas = replicas
            self.inSyncReplicas = inSyncReplicas
        }
    }

    /// The topic's name.
    public var name: String
    /// The partitions, by number.
    public var partitions: [Partition]
    /// Why the topic cannot be used; for example, that it does not exist.
    public var error: KafkaError?

    /// Creates a topic.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - partitions: The partitions, by number.
    ///   - error: Why the topic cannot be used.
    public init(name: String, partitions: [Partition], error: KafkaError? = nil) {
        self.name = name
        self.partitions = partitions
        self.error = error
    }
}
