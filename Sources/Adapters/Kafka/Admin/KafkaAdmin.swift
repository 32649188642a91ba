import CRDKafka

/// Asks a cluster about its topics and groups, and creates topics.
///
///
/// Every call waits on a thread that may block, never on one of Swift's cooperative pool. Calls may overlap.
public final class KafkaAdmin: Sendable {
    let client: ClientHandle
    /// For calls that create clients of other kinds.
    let configuration: KafkaConfiguration

    /// Creates a client for administration. It sends nothing before the first call.
    ///
    /// - Parameter configuration: The cluster and the identity of this client.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    public init(_ configuration: KafkaConfiguration) throws(KafkaError) {
        self.configuration = configuration
        let own = configuration.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.client = try ClientHandle(
            RD_KAFKA_PRODUCER,
            properties: try configuration.commonProperties() + own,
            client: configuration,
            events: 0
        )
    }

    /// Returns all topics of the cluster that these credentials may see, by name.
    ///
    /// - Parameter timeout: How long to wait for a broker.
    /// - Returns: The topics, including those of Kafka itself.
    /// - Throws: ``KafkaError`` if no broker answers.
    public func topics(timeout: Duration = .seconds(10)) async throws(KafkaError) -> [KafkaTopic] {
        try await offPool { [client] () throws(KafkaError) in
            try Metadata(ofAllIn: client, timeout: timeout).topics
        }
    }

    /// Returns one topic.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - timeout: How long to wait for a broker.
    /// - Returns: `nil` if the topic does not exist.
    /// - Throws: ``KafkaError`` if no broker answers or the topic may not be seen.
    public func topic(_ name: String, timeout: Duration = .seconds(10)) async throws(KafkaError) -> KafkaTopic? {
        let found = try await offPool { [client] () throws(KafkaError) in
            try Metadata(of: try TopicHandle(name, of: client), timeout: timeout).topics.first
        }
        guard let found, found.error?.code != .unknownTopicOrPartition else { return nil }
        if let error = found.error { throw error }
        return found
    }

    /// Asks the leader of a partition for its ends.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - timeout: How long to wait for the leader.
    /// - Returns: The current ends.
    /// - Throws: ``KafkaError`` if the leader cannot be asked.
    public func watermarks(
        of partition: KafkaTopicPartition,
        timeout: Duration = .seconds(10)
    ) async throws(KafkaError) -> KafkaWatermarks {
        try await offPool { [client] () throws(KafkaError) in
            try client.blockingWatermarks(of: partition, timeout: timeout)
        }
    }

    /// Sends one admin request and waits for its answer.
    ///
    /// - Parameters:
    ///   - kind: The kind of request.
    ///   - work: The operation, for the error.
    ///   - timeout: How long to wait.
    ///   - send: Passes the request to librdkafka, which copies what it needs.
    ///   - read: Reads the answer.
    /// - Returns: The result of `read`.
    /// - Throws: ``KafkaError`` if the request as a whole failed.
    func request<Answer: Sendable>(
        _ kind: rd_kafka_admin_op_t,
        doing work: String,
        timeout: Duration,
        send: @escaping @Sendable (_ client: OpaquePointer, _ options: OpaquePointer?, _ queue: OpaquePointer) -> Void,
        read: @escaping @Sendable (borrowing ClientEvent) throws(KafkaError) -> Answer
    ) async throws(KafkaError) -> Answer {
        try await offPool { [client] () throws(KafkaError) in
            let answers = EventQueue(of: client)
            let options = rd_kafka_AdminOptions_new(client.pointer, kind)
            defer { rd_kafka_AdminOptions_destroy(options) }
            rd_kafka_AdminOptions_set_request_timeout(options, timeout.milliseconds, nil, 0)
            send(client.pointer, options, answers.pointer)
            // librdkafka itself answers in time; the additional second only limits the wait.
            guard let answer = answers.next(waiting: timeout + .seconds(1)) else {
                throw client.explaining(KafkaError(.timedOut, "\(work): no answer within \(timeout)"))
            }
            if let error = answer.error(doing: work) { throw client.explaining(error) }
            return try read(answer)
        }
    }
}
