import CNewsflashRDKafka
import NewsflashTopicPartitions

/// A request to close.
struct Closing: Sendable {
    /// The deadline.
    var end: ContinuousClock.Instant
    /// The time until the deadline; never negative.
    var remaining: Duration { max(.zero, end - .now) }
}

/// The state that callers and the consumer's thread share under one lock.
struct ConsumerState {
    /// `nil` after closing.
    var client: ClientHandle?
    /// The queue on which commits are answered; `nil` after closing.
    var queue: EventQueue?
    /// The topics that are subscribed to by name.
    var topics: [TopicHandle] = []
    var ownership: PartitionOwnership
    /// Consulted before commits are sent.
    let membership: Membership
    /// Whether a commit while the group changes costs the assignment.
    let isCooperative: Bool
    /// See ``KafkaConsumerConfiguration/commitsToEnd``.
    let commitsToEnd: Bool
    var liveness = Liveness(at: .now)
    var isReading = true
    /// Partitions whose messages must not be handed over.
    var still: Set<TopicPartition> = []
    /// How far our partitions have been read.
    var progress: [TopicPartition: ReadProgress] = [:]
    /// The logs of partitions that librdkafka has stopped to read.
    var found: [FoundLog] = []
    var lastServed = ContinuousClock.now
    /// Assignments that callers requested, in order.
    var assignments: [[TopicPartition: KafkaOffset]] = []
    /// Answers of the coordinator to questions of the consumer's thread.
    var startAnswers: [StartOffsetSearch.Answer] = []
    var closing: Closing?
    var waitingForClose: [Int: CheckedContinuation<Bool, Never>] = [:]
    var lastWaiter = 0

    init(
        client: ClientHandle,
        queue: EventQueue,
        membership: Membership,
        isCooperative: Bool,
        commitsToEnd: Bool,
        patience: Duration
    ) {
        self.client = client
        self.queue = queue
        self.membership = membership
        self.isCooperative = isCooperative
        self.commitsToEnd = commitsToEnd
        self.ownership = PartitionOwnership(patience: patience)
    }

    /// Gives up partitions and all state about them.
    ///
    /// - Returns: The waiting commits, which are never sent.
    mutating func release(
        _ partitions: [TopicPartition],
        isLost: Bool,
        at now: ContinuousClock.Instant
    ) -> [TopicPartition: Int64] {
        still.subtract(partitions)
        for partition in partitions { progress[partition] = nil }
        return ownership.release(partitions, isLost: isLost, at: now)
    }

    /// The offsets to commit when the owner asks for some: the end of a partition if only control records are before it.
    mutating func offsetsToCommit(for wishes: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        guard commitsToEnd else { return wishes }
        return Dictionary(
            uniqueKeysWithValues: wishes.map { ($0, progress[$0]?.processed(upTo: $1) ?? $1) }
        )
    }

    /// Records that only control records are between the last message and an offset, and commits that offset if all messages
    /// are processed.
    mutating func passed(to offset: Int64, of partition: TopicPartition, at now: ContinuousClock.Instant) {
        progress[partition]?.passed(to: offset)
        guard commitsToEnd, let end = progress[partition]?.committableEnd else { return }
        _ = ownership.admit([partition: end])
        sendHeld(at: now)
    }

    /// Starts again with a partition whose offsets have gone back, and commits its new start.
    mutating func rewind(_ partition: TopicPartition, to offset: Int64, at now: ContinuousClock.Instant) {
        still.remove(partition)
        progress[partition] = ReadProgress(from: offset)
        ownership.renew(partition)
        guard commitsToEnd else { return }
        _ = ownership.admit([partition: offset])
        sendHeld(at: now)
    }

    /// Whether commits may be sent, as far as the group and its coordinator are concerned.
    func mayCommit(at now: ContinuousClock.Instant) -> Bool {
        membership.hasCoordinator(at: now) && (!isCooperative || membership.isSettled)
    }

    /// The time until a waiting commit must be sent; `nil` if none waits or the group must become stable first.
    func commitDelay(from now: ContinuousClock.Instant) -> Duration? {
        mayCommit(at: now) ? ownership.delay(from: now) : nil
    }

    /// Passes waiting commits that may be sent to librdkafka, which only queues them. So checking ownership and sending are one
    /// step.
    mutating func sendHeld(at now: ContinuousClock.Instant) {
        guard let client, let queue, mayCommit(at: now) else { return }
        let offsets = ownership.dequeueOffsets(at: now)
        guard !offsets.isEmpty else { return }
        let list = TopicPartitionList(offsets)
        let epoch = UnsafeMutableRawPointer(bitPattern: UInt(ownership.epoch))
        rd_kafka_commit_queue(client.pointer, list.pointer, queue.pointer, nil, epoch)
    }
}

extension ConsumerState {
    /// Marks a question to librdkafka's main thread; no epoch gets this high.
    static var question: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: UInt.max) }

    /// Checks the liveness of librdkafka's main thread when it is time: the thread answers an empty commit at once, whatever
    /// the brokers do.
    mutating func askForSignOfLife(at now: ContinuousClock.Instant) {
        guard let client, let queue, liveness.shouldAsk(at: now) else { return }
        let nothing = TopicPartitionList([TopicPartition]())
        rd_kafka_commit_queue(client.pointer, nothing.pointer, queue.pointer, nil, Self.question)
    }
}
