import CRDKafka
public import Kafka

/// A cluster inside this process that speaks Kafka's protocol on loopback, for demonstrations and tests.
///
/// It keeps records and offsets in memory, at most 5 MiB a partition, and knows groups but no transactions, no offsets by
/// time, no administration and no security. An empty fetch sleeps for the whole `fetch.wait.max.ms` of the consumer, so
/// set that to a few milliseconds; a group needs three seconds to form and a session time-out above three seconds.
/// Other processes can use it too.
public final class MockCluster: Sendable {
    // Both are thread safe and never change.
    private nonisolated(unsafe) let cluster: OpaquePointer
    private let client: ClientHandle

    /// How many brokers there are; their numbers begin with 1.
    public let brokers: Int

    /// Starts a cluster.
    ///
    /// - Parameter brokers: How many.
    /// - Throws: ``KafkaError`` when it cannot be made.
    public init(brokers: Int = 1) throws(KafkaError) {
        // The level silences a warning that there are no brokers to connect to.
        let client = try ClientHandle(producerWith: [("client.id", "mock"), ("log_level", "0")])
        guard let cluster = rd_kafka_mock_cluster_new(client.pointer, Int32(brokers)) else {
            throw KafkaError(.invalidArgument, "a cluster of \(brokers) brokers cannot be made")
        }
        self.client = client
        self.cluster = cluster
        self.brokers = brokers
    }

    deinit {
        rd_kafka_mock_cluster_destroy(cluster)
    }

    /// Where clients find it.
    public var bootstrapServers: String { String(cString: rd_kafka_mock_cluster_bootstraps(cluster)) }

    /// Makes a topic. Those that nobody made appear on first use, with four partitions.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - partitions: How many.
    ///   - replication: On how many brokers.
    /// - Throws: ``KafkaError`` when it exists already.
    public func createTopic(_ name: String, partitions: Int, replication: Int = 1) throws(KafkaError) {
        try check(
            rd_kafka_mock_topic_create(cluster, name, Int32(partitions), Int32(replication)),
            "making topic \"\(name)\""
        )
    }

    /// Lets questions about a topic fail, or succeed again.
    ///
    /// - Parameters:
    ///   - error: The number of Kafka's error; 0 for none.
    ///   - topic: Its name.
    public func setError(_ error: MockError, ofTopic topic: String) {
        rd_kafka_mock_topic_set_error(cluster, topic, rd_kafka_resp_err_t(rawValue: error.rawValue))
    }

    /// Moves a partition to another broker, or to none.
    ///
    /// - Parameters:
    ///   - broker: Its number; nil for no leader.
    ///   - partition: Which partition.
    /// - Throws: ``KafkaError`` when there is no such partition or broker.
    public func setLeader(_ broker: Int32?, of partition: KafkaTopicPartition) throws(KafkaError) {
        try check(
            rd_kafka_mock_partition_set_leader(cluster, partition.topic, partition.partition, broker ?? -1),
            "moving \(partition)"
        )
    }

    /// Cuts the connections of a broker and refuses new ones. Its partitions do not move by themselves.
    ///
    /// - Parameter broker: Its number.
    /// - Throws: ``KafkaError`` when there is no such broker.
    public func takeBrokerDown(_ broker: Int32) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_down(cluster, broker), "taking broker \(broker) down")
    }

    /// Lets a broker accept connections again.
    ///
    /// - Parameter broker: Its number.
    /// - Throws: ``KafkaError`` when there is no such broker.
    public func bringBrokerUp(_ broker: Int32) throws(KafkaError) {
        try check(rd_kafka_mock_broker_set_up(cluster, broker), "bringing broker \(broker) up")
    }

    /// Delays all answers of a broker.
    ///
    /// - Parameters:
    ///   - time: From request to answer.
    ///   - broker: Its number.
    /// - Throws: ``KafkaError`` when there is no such broker.
    public func setRoundTripTime(_ time: Duration, ofBroker broker: Int32) throws(KafkaError) {
        let milliseconds = Int32(
            clamping: time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
        )
        try check(rd_kafka_mock_broker_set_rtt(cluster, broker, milliseconds), "slowing broker \(broker)")
    }

    /// Puts the coordinator of a group on a broker.
    ///
    /// - Parameters:
    ///   - broker: Its number.
    ///   - group: The group's name.
    /// - Throws: ``KafkaError`` when there is no such broker.
    public func setCoordinator(_ broker: Int32, ofGroup group: String) throws(KafkaError) {
        try check(rd_kafka_mock_coordinator_set(cluster, "group", group, broker), "moving group \"\(group)\"")
    }

    /// Lets the next requests of a kind fail, one error each.
    ///
    /// - Parameters:
    ///   - errors: In this order; ``MockError/none`` lets one through, ``MockError/disconnect`` cuts the connection.
    ///   - request: The kind of request.
    public func pushErrors(_ errors: [MockError], to request: MockRequest) {
        let responses = errors.map { rd_kafka_resp_err_t(rawValue: $0.rawValue) }
        rd_kafka_mock_push_request_errors_array(cluster, request.rawValue, responses.count, responses)
    }

    /// Lets the next requests of a kind to one broker fail, one error each; ``clearErrors(of:)`` does not forget these.
    ///
    /// - Parameters:
    ///   - error: What it answers.
    ///   - count: How often.
    ///   - request: The kind of request; errors for the whole cluster do not meet it at this broker any more.
    ///   - broker: Its number.
    /// - Throws: ``KafkaError`` when there is no such broker.
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
                "telling broker \(broker) to fail"
            )
        }
    }

    /// Forgets errors that were pushed and not met yet.
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
