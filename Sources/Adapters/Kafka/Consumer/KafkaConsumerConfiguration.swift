/// The settings of a consumer. By default it reads at least once and with low latency.
public struct KafkaConsumerConfiguration: Sendable {
    /// The rule by which the members of a group share the partitions. All members of one group must use the same.
    public enum AssignmentStrategy: String, Sendable, CaseIterable {
        /// Neighbouring partitions for each member; all partitions stop for a moment when the group changes. The default,
        /// because librdkafka 2.0.2 has known hangs with the cooperative strategy.
        case range
        /// One by one around the members; all partitions stop for a moment when the group changes.
        case roundRobin = "roundrobin"
        /// Only the partitions that move stop. While the group changes, a `CommitGate` delays commits, because librdkafka 2.0.2
        /// loses the whole assignment if a commit meets a new generation.
        case cooperativeSticky = "cooperative-sticky"
    }

    /// The beginning of a partition for which the group has no offset.
    ///
    /// An offset that is not in the log any more is never skipped silently: with ``error``, reading stops there; otherwise, the
    /// delegate gets the gap (``KafkaConsumerDelegate/kafkaConsumer(_:didMiss:)``) and the oldest record of the log follows,
    /// also with ``latest``.
    public enum OffsetReset: String, Sendable, CaseIterable {
        /// The oldest record.
        case earliest
        /// The end: earlier records are never read.
        case latest
        /// None: an error is reported, and the partition is not read until it is assigned again. Others are read.
        case error
    }

    /// The cluster and the identity of this client.
    public var client: KafkaConfiguration
    /// The group that shares the partitions and keeps the offsets.
    public var groupID: String
    /// A stable name of this member: with it a restart within the session time-out moves no partition. If two live members have
    /// the same name, the older one gets a fatal error.
    public var groupInstanceID: String?
    /// The rule by which the members share the partitions.
    public var assignmentStrategy: AssignmentStrategy
    /// The start without a usable offset.
    public var offsetReset: OffsetReset
    /// How long the group waits for a member's heartbeat before it assigns its partitions to others.
    public var sessionTimeout: Duration
    /// The maximum duration of ``KafkaConsumerDelegate/kafkaConsumer(_:willRevoke:deadline:)`` and the commit of its answer
    /// together, and of the request for the group's offsets when partitions are assigned. Must be well below the session
    /// time-out.
    public var revokeDeadline: Duration
    /// Whether the delegate is called when a partition has been read to its current end.
    public var reportsPartitionEnd: Bool
    /// Whether a commit of the last message passes the records after it that are not messages, so that lag becomes zero: the
    /// control records of transactions, and the records of aborted ones. The consumer commits the end automatically after it
    /// has reached the end and all messages before it were committed; the delegate gets the result like that of its own
    /// commits. An open transaction is not passed.
    public var commitsToEnd = false
    /// The maximum number of messages that the delegate gets at once.
    public var maximumBatch: Int
    /// The limit of messages that are handed over and not yet released by the owner; `nil` for no limit. librdkafka's queues
    /// are in addition: about ``queuedBytesPerPartition`` for each partition that has a backlog.
    public var readAhead: KafkaReadAhead?
    /// The number of fetched messages of one partition, not yet handed over, at which fetching pauses: librdkafka's
    /// `queued.min.messages`.
    ///
    /// A fetcher of librdkafka 2.0.2 that finds all partitions of a broker full pauses for up to a second, even if messages are
    /// handed over meanwhile. The consumer wakes it whenever half of this number was handed over, so small queues cost no
    /// speed: with 2000 messages and 1 MiB for one partition, 200,000 records of 400 bytes a second can flow. The wake-up
    /// ignores other values in the properties of ``client``.
    public var queuedMessagesPerPartition = 2_000
    /// The same in bytes: librdkafka's `queued.max.messages.kbytes`. It is checked between fetches, so a partition may hold one
    /// more fetch, which may be larger in memory than on the wire if records are compressed.
    public var queuedBytesPerPartition = 1 << 20
    /// The maximum number of bytes of one partition in one fetch: librdkafka's `fetch.message.max.bytes`. A larger record comes
    /// alone. A message keeps the memory of its whole fetch.
    public var fetchBytesPerPartition = 256 << 10

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - client: The cluster and the identity of this client.
    ///   - groupID: The group that shares the partitions and keeps the offsets.
    ///   - groupInstanceID: A stable name of this member.
    ///   - assignmentStrategy: The rule by which the members share the partitions.
    ///   - offsetReset: The start without a usable offset.
    ///   - sessionTimeout: How long the group waits for a member's heartbeat.
    ///   - revokeDeadline: How long giving up partitions may take.
    ///   - reportsPartitionEnd: Whether the delegate is called when a partition has been read to its current end.
    ///   - maximumBatch: The maximum number of messages that the delegate gets at once.
    ///   - readAhead: The limit of messages that are handed over and not yet released by the owner; `nil` for no limit.
    public init(
        client: KafkaConfiguration,
        groupID: String,
        groupInstanceID: String? = nil,
        assignmentStrategy: AssignmentStrategy = .range,
        offsetReset: OffsetReset = .error,
        sessionTimeout: Duration = .seconds(45),
        revokeDeadline: Duration = .seconds(10),
        reportsPartitionEnd: Bool = false,
        maximumBatch: Int = 500,
        readAhead: KafkaReadAhead? = nil
    ) {
        self.client = client
        self.groupID = groupID
        self.groupInstanceID = groupInstanceID
        self.assignmentStrategy = assignmentStrategy
        self.offsetReset = offsetReset
        self.sessionTimeout = sessionTimeout
        self.revokeDeadline = revokeDeadline
        self.reportsPartitionEnd = reportsPartitionEnd
        self.maximumBatch = maximumBatch
        self.readAhead = readAhead
    }
}

extension KafkaConsumerConfiguration {
    /// The limits of librdkafka's own read-ahead.
    var fetchLimits: FetchLimits {
        FetchLimits(
            messages: queuedMessagesPerPartition,
            bytes: queuedBytesPerPartition,
            fetchBytes: fetchBytesPerPartition
        )
    }

    /// Returns the properties for librdkafka in the order in which they are set: later ones win.
    func properties() throws(KafkaError) -> [(String, String)] {
        var properties = try client.commonProperties()
        // A partition that is added while a fetch for others is in flight is read when that fetch is answered; a new one, whose
        // start must be requested too, after two fetches.
        properties += fetchLimits.properties(wait: .milliseconds(80))
        properties += [
            ("group.id", groupID),
            ("partition.assignment.strategy", assignmentStrategy.rawValue),
            ("session.timeout.ms", "\(sessionTimeout.milliseconds)"),
            ("heartbeat.interval.ms", "\(min(3000, max(100, sessionTimeout.milliseconds / 10)))"),
            // A delegate that gives up partitions takes no messages meanwhile, and must not be removed from the group for that.
            (
                "max.poll.interval.ms",
                "\(max(300_000, sessionTimeout.milliseconds, (revokeDeadline + .seconds(60)).milliseconds))"
            ),
            ("enable.partition.eof", reportsPartitionEnd || commitsToEnd ? "true" : "false"),
        ]
        if let groupInstanceID { properties.append(("group.instance.id", groupInstanceID)) }
        properties += client.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        // The consumer decides itself; see `PartitionResumption`.
        properties.append(("auto.offset.reset", "error"))
        // Needed by `Membership`, in addition to the caller's own debug contexts.
        properties.append(("debug", client.properties["debug"].map { "\($0),cgrp" } ?? "cgrp"))
        return properties
    }
}

/// The limit of messages that a consumer hands over before its owner releases earlier ones.
///
/// A message counts until the last reference to its ``KafkaMessage`` is released, so no call is needed to give it back.
public struct KafkaReadAhead: Sendable, Hashable {
    /// The maximum number of bytes in use. A single message that is larger is handed over when no other is in use.
    public var byteLimit: Int
    /// The memory that the owner needs for each message in addition to its bytes; counted for each.
    public var bytesBesideMessage: Int

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - byteLimit: The maximum number of bytes in use.
    ///   - bytesBesideMessage: The memory that the owner needs for each message in addition to its bytes.
    public init(byteLimit: Int, bytesBesideMessage: Int = 0) {
        self.byteLimit = byteLimit
        self.bytesBesideMessage = bytesBesideMessage
    }
}
