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
