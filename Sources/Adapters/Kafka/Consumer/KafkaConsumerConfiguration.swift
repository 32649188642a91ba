/// How a consumer reads: at least once and with low latency unless told otherwise.
public struct KafkaConsumerConfiguration: Sendable {
    /// How the members of a group share the partitions. All members of one group must use the same.
    public enum AssignmentStrategy: String, Sendable, CaseIterable {
        /// Neighbouring partitions to each member; all partitions stop for a moment when the group changes. The default:
        /// librdkafka 2.0.2 has known hangs with the cooperative strategy.
        case range
        /// One by one around the members; all partitions stop for a moment when the group changes.
        case roundRobin = "roundrobin"
        /// Only the partitions that move stop. While the group changes, commits are held back by a `CommitGate`, as
        /// librdkafka 2.0.2 loses the whole assignment over a commit that meets a new generation.
        case cooperativeSticky = "cooperative-sticky"
    }

    /// The beginning of a partition for which the group has no offset.
    ///
    /// An offset that is not in the log any more is never passed over without a word: with ``error``, reading stops there;
    /// otherwise, the delegate gets the gap (``KafkaConsumerDelegate/kafkaConsumer(_:didMiss:)``) and the oldest record of the
    /// log follows, also with ``latest``.
    public enum OffsetReset: String, Sendable, CaseIterable {
        /// At the oldest record.
        case earliest
        /// After the newest record: what was written before is never read.
        case latest
        /// Nowhere: an error is reported, and the partition is not read until it is assigned again. Others are read.
        case error
    }

    /// Where the cluster is and who we are.
    public var client: KafkaConfiguration
    /// The group that shares the partitions and keeps the offsets.
    public var groupID: String
    /// A lasting name for this member: a restart within the session time-out then moves no partition. Two live owners of
    /// one name are a fatal error for the older.
    public var groupInstanceID: String?
    /// How the members share the partitions.
    public var assignmentStrategy: AssignmentStrategy
    /// Where to begin without a usable offset.
    public var offsetReset: OffsetReset
    /// How long the group waits for a member's heartbeat before it gives its partitions away.
    public var sessionTimeout: Duration
    /// How long a delegate may take over ``KafkaConsumerDelegate/kafkaConsumer(_:willRevoke:deadline:)`` and the commit
    /// of its answer together; and how long to ask for the group's offsets when partitions come. Well below the session
    /// time-out.
    public var revokeDeadline: Duration
    /// Whether the delegate hears when a partition was read to its present end.
    public var reportsPartitionEnd: Bool
    /// Whether a commit of the last message passes the records after it that are not messages, so that lag becomes zero: the
    /// control records of transactions, and the records of aborted ones. The consumer commits the end by itself once it has
    /// reached the end and all messages before it were committed; the delegate gets the result as that of its own commits.
    /// An open transaction is not passed.
    public var commitsToEnd = false
    /// The most messages handed to the delegate at once.
    public var maximumBatch: Int
    /// How much may be handed over before the owner has let go of what came earlier; nil for no limit. What waits in
    /// librdkafka comes on top: about ``queuedBytesPerPartition`` for each partition that has a backlog.
    public var readAhead: KafkaReadAhead?
    /// From how many messages of one partition, fetched and not handed over, no more of it are fetched: librdkafka's
    /// `queued.min.messages`.
    ///
    /// A fetcher of librdkafka 2.0.2 that finds all partitions of a broker full would rest for up to a second, whatever is
    /// taken meanwhile. The consumer wakes it each time half of this number was taken, so small queues cost no speed: 2000
    /// messages and 1 MiB of one partition let 200,000 records of 400 bytes a second flow. That does not know of a property
    /// in ``client`` that says otherwise.
    public var queuedMessagesPerPartition = 2_000
    /// The same in bytes: librdkafka's `queued.max.messages.kbytes`. It is looked at between fetches, so a partition may
    /// hold as much as one more fetch, which compressed records make larger than it was on the wire.
    public var queuedBytesPerPartition = 1 << 20
    /// The most bytes that one fetch brings of one partition: librdkafka's `fetch.message.max.bytes`. A larger record comes
    /// alone. A message keeps the memory of what it was fetched with.
    public var fetchBytesPerPartition = 256 << 10

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - client: Where the cluster is and who we are.
    ///   - groupID: The group that shares the partitions and keeps the offsets.
    ///   - groupInstanceID: A lasting name for this member.
    ///   - assignmentStrategy: How the members share the partitions.
    ///   - offsetReset: Where to begin without a usable offset.
    ///   - sessionTimeout: How long the group waits for a member's heartbeat.
    ///   - revokeDeadline: How long giving partitions back may take.
    ///   - reportsPartitionEnd: Whether the delegate hears when a partition was read to its present end.
    ///   - maximumBatch: The most messages handed to the delegate at once.
    ///   - readAhead: How much may be handed over before the owner has let go of what came earlier; nil for no limit.
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
    /// How far librdkafka reads ahead by itself.
    var fetchLimits: FetchLimits {
        FetchLimits(
            messages: queuedMessagesPerPartition,
            bytes: queuedBytesPerPartition,
            fetchBytes: fetchBytesPerPartition
        )
    }

    /// The properties for librdkafka, in the order they are set: later ones win.
    func properties() throws(KafkaError) -> [(String, String)] {
        var properties = try client.commonProperties()
        // A partition that comes while a fetch for others is under way is read when that is answered; a new one, of which
        // its start has to be asked as well, after two of them.
        properties += fetchLimits.properties(wait: .milliseconds(80))
        properties += [
            ("group.id", groupID),
            ("partition.assignment.strategy", assignmentStrategy.rawValue),
            ("session.timeout.ms", "\(sessionTimeout.milliseconds)"),
            ("heartbeat.interval.ms", "\(min(3000, max(100, sessionTimeout.milliseconds / 10)))"),
            // A delegate that gives partitions back takes no messages meanwhile, and must not be put out of the group for it.
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
        // For `Membership`, beside what the caller wants to see.
        properties.append(("debug", client.properties["debug"].map { "\($0),cgrp" } ?? "cgrp"))
        return properties
    }
}
