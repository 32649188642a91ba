import CRDKafka

/// What Kafka or librdkafka refused or could not do.
///
/// Two errors are equal when all their parts are; decide on ``code``, ``isFatal`` and ``isRetriable``, count by
/// ``label`` and show ``message``.
public struct KafkaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name librdkafka gives the error, such as `UNKNOWN_TOPIC_OR_PART`; a leading underscore marks errors found on
    /// this side of the connection.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, as in `rd_kafka_err2name`.
        public var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: The name, as in `rd_kafka_err2name`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A configuration property or an argument cannot be used.
        public static let invalidArgument = Code(rawValue: "_INVALID_ARG")
        /// The client was closed, or is being closed.
        public static let closed = Code(rawValue: "_DESTROY")
        /// The instance cannot go on; a producer makes itself anew.
        public static let fatal = Code(rawValue: "_FATAL")
        /// The process has no descriptor, thread or memory left.
        public static let noResources = Code(rawValue: "_CRIT_SYS_RESOURCE")
        /// Nothing came in time.
        public static let timedOut = Code(rawValue: "_TIMED_OUT")
        /// The record did not reach the broker in time.
        public static let messageTimedOut = Code(rawValue: "_MSG_TIMED_OUT")
        /// The producer's own queue is full.
        public static let queueFull = Code(rawValue: "_QUEUE_FULL")
        /// No broker can be reached.
        public static let allBrokersDown = Code(rawValue: "_ALL_BROKERS_DOWN")
        /// A connection ended or could not be made.
        public static let transport = Code(rawValue: "_TRANSPORT")
        /// The broker refused our credentials, or we found none to show.
        public static let authentication = Code(rawValue: "_AUTHENTICATION")
        /// The topic does not exist, as far as this side knows.
        public static let unknownTopic = Code(rawValue: "_UNKNOWN_TOPIC")
        /// The topic or partition does not exist, says the broker.
        public static let unknownTopicOrPartition = Code(rawValue: "UNKNOWN_TOPIC_OR_PART")
        /// The topic does not have the partition, as far as this side knows.
        public static let unknownPartition = Code(rawValue: "_UNKNOWN_PARTITION")
        /// The topic exists already.
        public static let topicExists = Code(rawValue: "TOPIC_ALREADY_EXISTS")
        /// The record is larger than the producer or the broker takes.
        public static let messageTooLarge = Code(rawValue: "MSG_SIZE_TOO_LARGE")
        /// We may not do that with the topic.
        public static let topicForbidden = Code(rawValue: "TOPIC_AUTHORIZATION_FAILED")
        /// We may not be in the group.
        public static let groupForbidden = Code(rawValue: "GROUP_AUTHORIZATION_FAILED")
        /// We may not do that with the cluster, such as writing idempotently.
        public static let clusterForbidden = Code(rawValue: "CLUSTER_AUTHORIZATION_FAILED")
        /// The group is changing; a commit now would cost the assignment.
        public static let rebalanceInProgress = Code(rawValue: "REBALANCE_IN_PROGRESS")
        /// There is no committed offset and the configuration says that this is an error.
        public static let noOffset = Code(rawValue: "_AUTO_OFFSET_RESET")
        /// The offset is no longer, or not yet, in the log.
        public static let offsetOutOfRange = Code(rawValue: "OFFSET_OUT_OF_RANGE")
        /// The partition is not ours (any more).
        public static let notAssigned = Code(rawValue: "_STATE")
        /// The broker does not know such a request.
        public static let unsupported = Code(rawValue: "_UNSUPPORTED_FEATURE")
        /// The task that waited was cancelled; a name of this library's, not of librdkafka.
        public static let cancelled = Code(rawValue: "_CANCELLED")
    }

    /// What went wrong.
    public var code: Code
    /// For a person: what failed and what librdkafka or the broker says about it. Holds no credentials.
    public var message: String
    /// Whether the client instance is unusable from now on.
    public var isFatal: Bool
    /// Whether the same call may well succeed later.
    public var isRetriable: Bool
    /// What it is about, where that is one partition; with a number below zero, one topic.
    public var partition: KafkaTopicPartition?
    /// Of a record that was sent: whether it may lie in the log all the same, so that sending it again may double it.
    public var mayBePersisted = false

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: For a person; no credentials.
    ///   - isFatal: Whether the client instance is unusable from now on.
    ///   - isRetriable: Whether the same call may well succeed later; when nil, by what is known of the code.
    public init(_ code: Code, _ message: String, isFatal: Bool = false, isRetriable: Bool? = nil) {
        self.code = code
        self.message = message
        self.isFatal = isFatal
        self.isRetriable = isRetriable ?? code.isTransient
    }

    /// Whether a right is missing: it is known who we are, and this is not for us.
    public var meansForbidden: Bool { [.topicForbidden, .groupForbidden, .clusterForbidden].contains(code) }

    /// Whether no broker was reached, or none answered in time.
    public var meansUnreachable: Bool { [.transport, .timedOut, .allBrokersDown].contains(code) }

    /// The code in snake case, for metrics: `unknown_topic_or_part`, `local_transport`.
    public var label: String {
        let name = code.rawValue.lowercased()
        return name.hasPrefix("_") ? "local" + name : name
    }

    /// The message with its code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}

extension KafkaError {
    /// Reads a bare code.
    ///
    /// If a handshake fails, librdkafka sometimes hands on what OpenSSL says as the end of a connection. Then the code and the
    /// advice are those of its usual error.
    init(_ response: rd_kafka_resp_err_t, doing work: String, saying detail: String? = nil, isFatal: Bool = false) {
        var response = response
        var text = detail ?? String(cString: rd_kafka_err2str(response))
        if response == RD_KAFKA_RESP_ERR__TRANSPORT, text.contains("certificate verify failed") {
            response = RD_KAFKA_RESP_ERR__SSL
            text += ": the broker certificate could not be verified; check ssl.ca.location"
        }
        self.init(Code(rawValue: String(cString: rd_kafka_err2name(response))), "\(work): \(text)", isFatal: isFatal)
    }

    /// Reads an error object and frees it.
    ///
    /// - Parameters:
    ///   - error: What a function of librdkafka returned; freed here.
    ///   - work: What was being done, for the message.
    init(consuming error: OpaquePointer, doing work: String) {
        let code = Code(rawValue: String(cString: rd_kafka_error_name(error)))
        self.init(
            code,
            "\(work): \(String(cString: rd_kafka_error_string(error)))",
            isFatal: rd_kafka_error_is_fatal(error) != 0,
            isRetriable: rd_kafka_error_is_retriable(error) != 0 || code.isTransient
        )
        rd_kafka_error_destroy(error)
    }

    /// Fails when a function of librdkafka says so.
    static func check(_ response: rd_kafka_resp_err_t, doing work: @autoclosure () -> String) throws(KafkaError) {
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(response, doing: work()) }
    }

    /// Fails when a function of librdkafka returned an error object, and frees that.
    static func check(_ error: OpaquePointer?, doing work: @autoclosure () -> String) throws(KafkaError) {
        if let error { throw KafkaError(consuming: error, doing: work()) }
    }

    static func isClosed(_ client: String) -> KafkaError {
        KafkaError(.closed, "the Kafka \(client) is closed")
    }
}

extension KafkaError.Code {
    /// Whether trouble of this kind usually goes by itself: networks, leaders and coordinators on the move, full queues.
    var isTransient: Bool { Self.transient.contains(rawValue) }

    private static let transient: Set<String> = [
        "_TRANSPORT", "_TIMED_OUT", "_TIMED_OUT_QUEUE", "_MSG_TIMED_OUT", "_QUEUE_FULL", "_ALL_BROKERS_DOWN",
        "_RESOLVE",
        "_WAIT_COORD", "_WAIT_CACHE", "_RETRY", "_NODE_UPDATE", "_PURGE_QUEUE", "_PURGE_INFLIGHT",
        "_LEADER_NOT_AVAILABLE",
        "LEADER_NOT_AVAILABLE", "NOT_LEADER_FOR_PARTITION", "REQUEST_TIMED_OUT", "BROKER_NOT_AVAILABLE",
        "REPLICA_NOT_AVAILABLE", "NETWORK_EXCEPTION", "COORDINATOR_LOAD_IN_PROGRESS", "COORDINATOR_NOT_AVAILABLE",
        "NOT_COORDINATOR", "NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "REBALANCE_IN_PROGRESS",
        "KAFKA_STORAGE_ERROR", "NOT_CONTROLLER", "THROTTLING_QUOTA_EXCEEDED", "UNSTABLE_OFFSET_COMMIT",
    ]
}
