import CNewsflashRDKafka
public import NewsflashKafka
public import NewsflashTopicPartitions

/// A Kafka cluster within this process, on loopback, for demonstrations and tests.
///
/// It keeps records and offsets in memory, at most 5 MiB per partition. It supports groups, but no transactions, offsets by
/// time, administration or security. An empty fetch waits for the whole `fetch.wait.max.ms` of the consumer, so set that to a
/// few milliseconds. A group needs three seconds to form and a session time-out above three seconds. Other processes can use it
/// too.
public final class MockCluster: Sendable {
    // Both are thread safe and never change.
    private nonisolated(unsafe) let cluster: OpaquePointer
    private let client: ClientHandle

    /// The number of brokers; their ids start at 1.
    public let brokers: Int

    /// Starts a cluster.
    ///
    /// - Parameter brokers: The number of brokers.
    /// - Throws: ``KafkaError`` if it cannot be created.
    public init(brokers: Int = 1) throws(KafkaError) {
        // The level suppresses a warning that no brokers are configured.
        let client = try ClientHandle(producerWith: [("client.id", "mock"), ("log_level", "0")])
        guard let cluster = rd_kafka_mock_cluster_new(client.pointer, Int32(brokers)) else {
            throw KafkaError(.invalidArgument, "a cluster of \(brokers) brokers cannot be created")
        }
        self.client = client
        self.cluster = cluster
        self.brokers = brokers
    }

    deinit {
        rd_kafka_mock_cluster_destroy(cluster)
    }

    /// The address for clients.
    public var bootstrapServers: String { String(cString: rd_kafka_mock_cluster_bootstraps(cluster)) }

    /// Creates a topic. Other topics are created on first use, with four partitions.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - partitions: The number of partitions.
    ///   - replication: The number of brokers that have each partition.
    /// - Throws: ``KafkaError`` if it already exists.
    public func createTopic(_ name: String, partitions: Int, replication: Int = 1) throws(KafkaError) {
        try check(
            rd_kafka_mock_topic_create(cluster, name, Int32(partitions), Int32(replication)),
            "creating topic \"\(name)\""
        )
    }

    /// Makes requests about a topic fail, or succeed again.
    ///
    /// - Parameters:
    ///   - error: The error; ``MockError/none`` for success.
    ///   - topic: The topic's name.
    public func setError(_ error: MockError, ofTopic topic: String) {
        rd_kafka_mock_topic_set_error(cluster, topic, rd_kafka_resp_err_t(rawValue: error.rawValue))
    }

    /// Moves a partition to another broker, or removes its leader.
    ///
    /// - Parameters:
    ///   - broker: The broker's id; `nil` for no leader.
    ///   - partition: The partition.
    /// - Throws: ``KafkaError`` if the partition or broker does not exist.
    public func setLeader(_ broker: Int32?, of partition: TopicPartition) throws(KafkaError) {
        try check(
            rd_kafka_mock_partition_set_leader(cluster, partition.topic, partition.partition, broker ?? -1),
            "moving \(partition)"
        )
    }

    /// Closes the connections of a broker and refuses new ones. Its partitions do not move automatically.
    ///
    /// - Parameter broker: The broker's id.
    /// - Throws: ``KafkaError`` if the broker does not exist.
    public func stopBroker(_ broker: Int32) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_down(cluster, broker), "stopping broker \(broker)")
    }

    /// Makes a broker accept connections again.
    ///
    /// - Parameter broker: The broker's id.
    /// - Throws: ``KafkaError`` if the broker does not exist.
    public func startBroker(_ broker: Int32) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_up(cluster, broker), "starting broker \(broker)")
    }

    /// Delays all responses of a broker.
    ///
    /// - Parameters:
    ///   - time: The time from request to response.
    ///   - broker: The broker's id.
    /// - Throws: ``KafkaError`` if the broker does not exist.
    public func setRoundTripTime(_ time: Duration, ofBroker broker: Int32) throws(KafkaError) {
        let milliseconds = Int32(
            clamping: time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
        )
        try check(rd_kafka_mock_broker_set_rtt(cluster, broker, milliseconds), "slowing broker \(broker)")
    }

    /// Moves the coordinator of a group to a broker.
    ///
    /// - Parameters:
    ///   - broker: The broker's id.
    ///   - group: The group's name.
    /// - Throws: ``KafkaError`` if the broker does not exist.
    public func setCoordinator(_ broker: Int32, ofGroup group: String) throws(KafkaError) {
        try check(rd_kafka_mock_coordinator_set(cluster, "group", group, broker), "moving group \"\(group)\"")
    }

    /// Makes the next requests of a kind fail, with one error each.
    ///
    /// - Parameters:
    ///   - errors: The errors in order; ``MockError/none`` lets a request succeed, ``MockError/disconnect`` closes the
    ///     connection.
    ///   - request: The kind of request.
    public func pushErrors(_ errors: [MockError], to request: MockRequest) {
        let responses = errors.map { rd_kafka_resp_err_t(rawValue: $0.rawValue) }
        rd_kafka_mock_push_request_errors_array(cluster, request.rawValue, responses.count, responses)
    }

    /// Makes the next requests of a kind to one broker fail; ``clearErrors(of:)`` does not remove these errors.
    ///
    /// - Parameters:
    ///   - error: The error in the responses.
    ///   - count: The number of requests.
    ///   - request: The kind of request; errors for the whole cluster no longer affect it at this broker.
    ///   - broker: The broker's id.
    /// - Throws: ``KafkaError`` if the broker does not exist.
    public func push(
        _ error: MockError,
        times count: Int,
        to request: MockRequest,
        ofBroker broker: Int32
    ) throws(KafkaError) {
        let response = rd_kafka_resp_err_t(rawValue: error.rawValue)
        for _ in 0..<count {
            try check(
                crdkafka_mock_push_error(cluster, broker, request.rawValue, response),
                "making broker \(broker) fail"
            )
        }
    }

    /// Removes pushed errors that have not been used yet.
    ///
    /// - Parameter request: The kind of request.
    public func clearErrors(of request: MockRequest) {
        rd_kafka_mock_clear_request_errors(cluster, request.rawValue)
    }

    private func check(_ response: rd_kafka_resp_err_t, _ work: String) throws(KafkaError) {
        guard response != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        let code = KafkaError.Code(rawValue: String(cString: rd_kafka_err2name(response)))
        throw KafkaError(code, "\(work): \(String(cString: rd_kafka_err2str(response)))")
    }
}

/// A kind of request, identified by its API key in Kafka's protocol.
public struct MockRequest: RawRepresentable, Hashable, Sendable {
    /// The API key.
    public var rawValue: Int16

    /// Creates a kind of request.
    ///
    /// - Parameter rawValue: The API key.
    public init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    /// Writes records.
    public static let produce = MockRequest(rawValue: 0)
    /// Reads records.
    public static let fetch = MockRequest(rawValue: 1)
    /// Returns the ends of partitions.
    public static let listOffsets = MockRequest(rawValue: 2)
    /// Returns information on topics and brokers.
    public static let metadata = MockRequest(rawValue: 3)
    /// Commits offsets.
    public static let offsetCommit = MockRequest(rawValue: 8)
    /// Returns committed offsets.
    public static let offsetFetch = MockRequest(rawValue: 9)
    /// Returns a group's coordinator.
    public static let findCoordinator = MockRequest(rawValue: 10)
    /// Joins a group.
    public static let joinGroup = MockRequest(rawValue: 11)
    /// Reports to a group that a member is alive.
    public static let heartbeat = MockRequest(rawValue: 12)
    /// Returns the producer's id for idempotence.
    public static let initProducerID = MockRequest(rawValue: 22)
}

/// A broker's error, identified by its number in Kafka's protocol.
public struct MockError: RawRepresentable, Hashable, Sendable {
    /// The number; numbers below -1 are librdkafka's own.
    public var rawValue: Int32

    /// Creates an error.
    ///
    /// - Parameter rawValue: The number in Kafka's protocol.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// No error.
    public static let none = MockError(rawValue: 0)
    /// The connection is closed without a response.
    public static let disconnect = MockError(rawValue: -195)
    /// The offset is not in the log.
    public static let offsetOutOfRange = MockError(rawValue: 1)
    /// The topic or partition does not exist.
    public static let unknownTopicOrPartition = MockError(rawValue: 3)
    /// Another broker leads the partition.
    public static let notLeader = MockError(rawValue: 6)
    /// The record is too large.
    public static let messageTooLarge = MockError(rawValue: 10)
    /// The coordinator is still loading its state.
    public static let coordinatorLoadInProgress = MockError(rawValue: 14)
    /// Another broker coordinates the group.
    public static let notCoordinator = MockError(rawValue: 16)
    /// The group is changing.
    public static let rebalanceInProgress = MockError(rawValue: 27)
    /// The topic may not be used with these credentials.
    public static let topicAuthorizationFailed = MockError(rawValue: 29)
    /// The group may not be joined with these credentials.
    public static let groupAuthorizationFailed = MockError(rawValue: 30)
    /// This use of the cluster is not allowed with these credentials; fatal for an idempotent producer that starts.
    public static let clusterAuthorizationFailed = MockError(rawValue: 31)
    /// The broker's disk is full or broken.
    public static let storage = MockError(rawValue: 56)
    /// Fatal for an idempotent producer.
    public static let outOfOrderSequence = MockError(rawValue: 45)
}
