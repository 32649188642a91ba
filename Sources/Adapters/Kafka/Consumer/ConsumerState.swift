import CRDKafka

/// A wish to close.
struct Closing: Sendable {
    /// When to give up.
    var end: ContinuousClock.Instant
    /// How long that is from now; never below zero.
    var remaining: Duration { max(.zero, end - .now) }
}

/// What callers and the consumer's thread share, under one lock.
struct ConsumerState {
    /// Nil once closed.
    var client: ClientHandle?
    /// Nil once closed; commits are answered here.
    var queue: EventQueue?
    /// Those subscribed to by name.
    var topics: [TopicHandle] = []
    var ownership: PartitionOwnership
    /// Asked before commits are sent.
    let membership: Membership
    /// Whether a commit while the group changes costs the assignment.
    let isCooperative: Bool
    /// See ``KafkaConsumerConfiguration/commitsToEnd``.
    let commitsToEnd: Bool
    var liveness = Liveness(at: .now)
    var isReading = true
    /// Partitions whose messages are not to come.
    var still: Set<KafkaTopicPartition> = []
    /// How far our partitions were read.
    var progress: [KafkaTopicPartition: ReadProgress] = [:]
    /// The logs of partitions that librdkafka has stopped to read.
    var found: [FoundLog] = []
    var lastServed = ContinuousClock.now
    /// Wishes of callers, in order.
    var assignments: [[KafkaTopicPartition: KafkaOffset]] = []
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

    /// Gives partitions up, with all that was said of them.
    ///
    /// - Returns: The commits that waited and are never sent.
    mutating func release(
        _ partitions: [KafkaTopicPartition],
        isLost: Bool,
        at now: ContinuousClock.Instant
    ) -> [KafkaTopicPartition: Int64] {
        still.subtract(partitions)
        for partition in partitions { progress[partition] = nil }
        return ownership.release(partitions, isLost: isLost, at: now)
    }

    /// The offsets to commit when the owner asks for some: the end of a partition if only control records are before it.
    mutating func offsetsToCommit(for wishes: [KafkaTopicPartition: Int64]) -> [KafkaTopicPartition: Int64] {
        guard commitsToEnd else { return wishes }
        return Dictionary(
            uniqueKeysWithValues: wishes.map { ($0, progress[$0]?.processed(upTo: $1) ?? $1) }
        )
    }

    /// Records that only control records are between the last message and an offset, and commits that offset if all messages
    /// are processed.
    mutating func passed(to offset: Int64, of partition: KafkaTopicPartition, at now: ContinuousClock.Instant) {
        progress[partition]?.passed(to: offset)
        guard commitsToEnd, let end = progress[partition]?.committableEnd else { return }
        _ = ownership.admit([partition: end])
        sendHeld(at: now)
    }

    /// Starts again with a partition whose offsets have gone back, and commits its new start.
    mutating func rewind(_ partition: KafkaTopicPartition, to offset: Int64, at now: ContinuousClock.Instant) {
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

    /// How long until a commit that waits is to be sent; nil where none waits or the group must come to rest first.
    func commitDelay(from now: ContinuousClock.Instant) -> Duration? {
        mayCommit(at: now) ? ownership.delay(from: now) : nil
    }

    /// Hands what waits and may go to librdkafka, which only queues it; so "is it ours" and "it is on its way" are one step.
    mutating func sendHeld(at now: ContinuousClock.Instant) {
        guard let client, let queue, mayCommit(at: now) else { return }
        let offsets = ownership.takeHeld(at: now)
        guard !offsets.isEmpty else { return }
        let list = TopicPartitionList(offsets)
        let epoch = UnsafeMutableRawPointer(bitPattern: UInt(ownership.epoch))
        rd_kafka_commit_queue(client.pointer, list.pointer, queue.pointer, nil, epoch)
    }
}

extension ConsumerState {
    /// The mark of a question to librdkafka's main thread; no epoch comes this far.
    static var question: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: UInt.max) }

    /// Asks librdkafka's main thread for a sign of life when it is time: a commit of nothing comes back from there at once,
    /// whatever the brokers do.
    mutating func askForSignOfLife(at now: ContinuousClock.Instant) {
        guard let client, let queue, liveness.shouldAsk(at: now) else { return }
        let nothing = TopicPartitionList([KafkaTopicPartition]())
        rd_kafka_commit_queue(client.pointer, nothing.pointer, queue.pointer, nil, Self.question)
    }
}
