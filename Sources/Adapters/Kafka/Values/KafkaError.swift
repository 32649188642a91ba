import CNewsflashRDKafka
public import NewsflashTopicPartitions

/// A request that Kafka or librdkafka refused or could not complete.
///
/// Two errors are equal if all their parts are. Use ``code``, ``isFatal`` and ``isRetriable`` for decisions, ``label`` for
/// metrics and ``message`` for people.
public struct KafkaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// librdkafka's name of the error, such as `UNKNOWN_TOPIC_OR_PART`; a leading underscore marks errors that the client
    /// itself found.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, as in `rd_kafka_err2name`.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The name, as in `rd_kafka_err2name`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A configuration property or an argument cannot be used.
        public static let invalidArgument = Code(rawValue: "_INVALID_ARG")
        /// The client was closed, or is being closed.
        public static let closed = Code(rawValue: "_DESTROY")
        /// The instance is unusable; a producer replaces its instance.
        public static let fatal = Code(rawValue: "_FATAL")
        /// The process has no descriptor, thread or memory left.
        public static let noResources = Code(rawValue: "_CRIT_SYS_RESOURCE")
        /// No answer came in time.
        public static let timedOut = Code(rawValue: "_TIMED_OUT")
        /// The record did not reach the broker in time.
        public static let messageTimedOut = Code(rawValue: "_MSG_TIMED_OUT")
        /// The producer's own queue is full.
        public static let queueFull = Code(rawValue: "_QUEUE_FULL")
        /// No broker can be reached.
        public static let allBrokersDown = Code(rawValue: "_ALL_BROKERS_DOWN")
        /// A connection ended or could not be established.
        public static let transport = Code(rawValue: "_TRANSPORT")
        /// The broker refused our credentials, or no credentials were found.
        public static let authentication = Code(rawValue: "_AUTHENTICATION")
        /// The topic does not exist, as far as the client knows.
        public static let unknownTopic = Code(rawValue: "_UNKNOWN_TOPIC")
        /// The topic or partition does not exist according to the broker.
        public static let unknownTopicOrPartition = Code(rawValue: "UNKNOWN_TOPIC_OR_PART")
        /// The topic does not have the partition, as far as the client knows.
        public static let unknownPartition = Code(rawValue: "_UNKNOWN_PARTITION")
        /// The topic exists already.
        public static let topicExists = Code(rawValue: "TOPIC_ALREADY_EXISTS")
        /// The record is larger than the producer or the broker accepts.
        public static let messageTooLarge = Code(rawValue: "MSG_SIZE_TOO_LARGE")
        /// We are not authorized for this operation on the topic.
        public static let topicForbidden = Code(rawValue: "TOPIC_AUTHORIZATION_FAILED")
        /// We are not authorized to use the group.
        public static let groupForbidden = Code(rawValue: "GROUP_AUTHORIZATION_FAILED")
        /// We are not authorized for this operation on the cluster, such as idempotent writes.
        public static let clusterForbidden = Code(rawValue: "CLUSTER_AUTHORIZATION_FAILED")
        /// The group is changing; a commit now would cost the assignment.
        public static let rebalanceInProgress = Code(rawValue: "REBALANCE_IN_PROGRESS")
        /// The group has no committed offset, and the configuration treats this as an error.
        public static let noOffset = Code(rawValue: "_AUTO_OFFSET_RESET")
        /// The offset is no longer, or not yet, in the log.
        public static let offsetOutOfRange = Code(rawValue: "OFFSET_OUT_OF_RANGE")
        /// The partition is not ours, or no longer.
        public static let notAssigned = Code(rawValue: "_STATE")
        /// The broker does not support such a request.
        public static let unsupported = Code(rawValue: "_UNSUPPORTED_FEATURE")
        /// The task that waited was cancelled; a code of this library, not of librdkafka.
        public static let cancelled = Code(rawValue: "_CANCELLED")
    }

    /// The kind of error.
    public var code: Code
    /// The text for people: what failed, and the detail from librdkafka or the broker. Contains no credentials.
    public var message: String
    /// Whether the client instance is unusable from now on.
    public var isFatal: Bool
    /// Whether the same call may succeed later.
    public var isRetriable: Bool
    /// The partition that the error concerns, if it is only one; with a negative number, the topic.
    public var partition: TopicPartition?
    /// Whether a sent record may be in the log despite the error, so that sending it again may duplicate it.
    public var mayBePersisted = false
    /// The latest failure of a connection, if no broker was reached; also part of the message. It shows more than the error of
    /// the request, for example that a certificate or a password is wrong.
    package var connectionFailure: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: The text for people, without credentials.
    ///   - isFatal: Whether the client instance is unusable from now on.
    ///   - isRetriable: Whether the same call may succeed later; if `nil`, this depends on the code.
    public init(_ code: Code, _ message: String, isFatal: Bool = false, isRetriable: Bool? = nil) {
        self.code = code
        self.message = message
        self.isFatal = isFatal
        self.isRetriable = isRetriable ?? code.isTransient
    }

    /// Whether a right is missing: the broker authenticated us, but denied the request.
    public var meansForbidden: Bool { [.topicForbidden, .groupForbidden, .clusterForbidden].contains(code) }

    /// Whether the group has no coordinator for a moment: it moves, or loads the group, or its topic is being created.
    var meansThatTheCoordinatorMoves: Bool {
        ["NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE", "COORDINATOR_LOAD_IN_PROGRESS"].contains(code.rawValue)
    }

    /// Whether a broker was asked that leads the partition no longer, or not yet, as just after the topic was created.
    var meansThatTheLeaderMoves: Bool { ["NOT_LEADER_FOR_PARTITION", "LEADER_NOT_AVAILABLE"].contains(code.rawValue) }

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
    /// Converts an error code.
    ///
    /// If a handshake fails, librdkafka sometimes reports the text of OpenSSL as the end of a connection. Then the code and the
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

    /// Converts an error object and frees it.
    ///
    /// - Parameters:
    ///   - error: The result of a function of librdkafka; freed here.
    ///   - work: The operation, for the message.
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

    /// Throws if a function of librdkafka returned an error code.
    static func check(_ response: rd_kafka_resp_err_t, doing work: @autoclosure () -> String) throws(KafkaError) {
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(response, doing: work()) }
    }

    static func isClosed(_ client: String) -> KafkaError {
        KafkaError(.closed, "the Kafka \(client) is closed")
    }
}

extension KafkaError.Code {
    /// Whether errors of this kind usually resolve themselves: networks, moving leaders and coordinators, full queues.
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
