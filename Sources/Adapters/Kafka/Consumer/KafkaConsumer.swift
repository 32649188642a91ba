import CNewsflashRDKafka
import NewsflashBasics
public import NewsflashTopicPartitions

/// Reads topics as a member of a group, or specified partitions.
///
/// One thread per consumer serves librdkafka, woken by a file descriptor, and calls the delegate. Messages come from one queue
/// for each partition. So reading can stop (``setReading(_:)``) while rebalances, commits and heartbeats continue, and fetched
/// messages are kept.
///
/// The consumer keeps itself and its delegate alive until ``close(deadline:)``, so it must be closed when it is no longer
/// needed.
public final class KafkaConsumer: Sendable {
    /// The configuration that it was created with.
    public let configuration: KafkaConsumerConfiguration
    private let wakeUp: WakeUp
    private let account: ReadAheadAccount?
    let membership: Membership
    private let state: Locked<ConsumerState>

    /// Creates a consumer and starts its thread. It reads nothing before you subscribe or assign.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - delegate: The receiver of messages and events; kept until the consumer is closed.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    public init(
        _ configuration: KafkaConsumerConfiguration,
        delegate: any KafkaConsumerDelegate
    ) throws(KafkaError) {
        guard !configuration.groupID.isEmpty else {
            throw KafkaError(.invalidArgument, "a Kafka consumer needs a group, but \"group.id\" is empty")
        }
        let wakeUp = try WakeUp()
        let membership = Membership(wakeUp: wakeUp)
        let client = try ClientHandle(
            RD_KAFKA_CONSUMER,
            properties: try configuration.properties(),
            client: configuration.client,
            events: RD_KAFKA_EVENT_REBALANCE | RD_KAFKA_EVENT_OFFSET_COMMIT | RD_KAFKA_EVENT_ERROR,
            membership: membership
        )
        try KafkaError.check(rd_kafka_poll_set_consumer(client.pointer), doing: "joining the consumer's queues")
        guard let queue = EventQueue.consumer(of: client) else {
            throw KafkaError(
                .invalidArgument,
                "the property \"group.id\" was emptied, but a Kafka consumer needs a group"
            )
        }
        queue.signal(wakeUp)
        self.configuration = configuration
        self.wakeUp = wakeUp
        self.membership = membership
        let account = configuration.readAhead.map { ReadAheadAccount($0, wake: wakeUp.signal) }
        self.account = account
        self.state = Locked(
            ConsumerState(
                client: client,
                queue: queue,
                membership: membership,
                isCooperative: configuration.assignmentStrategy == .cooperativeSticky,
                commitsToEnd: configuration.commitsToEnd,
                patience: configuration.sessionTimeout * 2
            )
        )
        let started = startThread(named: "kafka-consumer") {
            let loop = ConsumerLoop(
                self,
                delegate: delegate,
                client: client,
                queue: queue,
                wakeUp: wakeUp,
                account: account
            )
            loop.run()
        }
        guard started else { throw KafkaError(.noResources, "no thread left for a consumer") }
    }

    /// Joins the group for some topics, which replace those subscribed to before.
    ///
    /// - Parameter topics: Names, or regular expressions that begin with `^`.
    /// - Throws: ``KafkaError`` if a name cannot be used or the consumer is closed.
    public func subscribe(_ topics: [String]) throws(KafkaError) {
        let client = try openClient()
        // A client with a topic handle learns the topic's leaders while it joins the group. When librdkafka 2.0.2 asks for the
        // start of a partition whose leader it does not know, it waits for half a second.
        let known = topics.filter { !$0.hasPrefix("^") }.compactMap { try? TopicHandle($0, of: client) }
        state.withLock { $0.topics = known }
        let list = TopicPartitionList(topics: topics)
        try KafkaError.check(
            rd_kafka_subscribe(client.pointer, list.pointer),
            doing: "subscribing to \(topics.joined(separator: ", "))"
        )
        membership.subscribed(at: .now)
    }

    /// Reads the specified partitions without a group, instead of those assigned before; for tools and tests.
    ///
    /// Takes effect shortly afterwards on the consumer's thread; the delegate is called as for an assignment by the group, and
    /// if an error occurs.
    ///
    /// - Parameter offsets: The start in each partition.
    public func assign(_ offsets: [TopicPartition: KafkaOffset]) {
        state.withLock { $0.assignments.append(offsets) }
        wakeUp.signal()
    }

    /// Pauses or continues the flow of messages. Everything else continues, and no fetched message is lost or fetched again. A
    /// batch that is being handed over is not recalled.
    ///
    /// - Parameter isOn: Whether messages may come.
    public func setReading(_ isOn: Bool) {
        state.withLock { $0.isReading = isOn }
        wakeUp.signal()
    }

    /// Pauses or continues the flow of messages of some of our partitions; the others continue. A partition that was given up
    /// flows when it comes back.
    ///
    /// - Parameters:
    ///   - isOn: Whether messages may come.
    ///   - partitions: The partitions to pause or continue.
    public func setReading(_ isOn: Bool, of partitions: [TopicPartition]) {
        state.withLock { state in
            if isOn { state.still.subtract(partitions) } else { state.still.formUnion(partitions) }
        }
        wakeUp.signal()
    }

    /// The bytes of the messages that were handed over and not yet released, plus ``KafkaReadAhead/bytesBesideMessage`` for
    /// each of them; 0 without ``KafkaConsumerConfiguration/readAhead``.
    public var readAheadInUse: Int { account?.inUse ?? 0 }

    /// Whether messages wait because ``KafkaConsumerConfiguration/readAhead`` is used up.
    public var isReadAheadUsedUp: Bool { account.map { !$0.mayHaveCredit } ?? false }

    /// The partitions that are currently ours.
    public var assignment: [TopicPartition] { state.withLock { $0.ownership.partitions } }

    /// Commits without waiting; the delegate always gets the result of the newest offset of each partition. With
    /// ``KafkaConsumerConfiguration/commitsToEnd`` the committed offset may be higher.
    ///
    /// In a cooperative group commits are collected and sent once a second, and they wait while the group changes. Commits that
    /// still wait when their partition is revoked are reported as failed, with ``KafkaError/Code/notAssigned``.
    ///
    /// After the delegate has answered a revocation, or was informed of a loss, do not make commits for earlier messages, even
    /// if the partition has come back.
    ///
    /// - Parameter offsets: The next offset to read, for each partition.
    /// - Returns: The partitions that are not ours, for which nothing is committed.
    @discardableResult
    public func commit(_ offsets: [TopicPartition: Int64]) -> [TopicPartition] {
        let now = ContinuousClock.now
        let (refused, waits) = state.withLock { state in
            let refused = state.ownership.admit(state.offsetsToCommit(for: offsets))
            state.sendHeld(at: now)
            return (refused, state.ownership.delay(from: now) != nil)
        }
        if waits { wakeUp.signal() }
        return refused
    }

    /// Leaves the group: asks the delegate as for any revocation, commits its answer and closes.
    ///
    /// A coordinator that accepts connections and never answers would keep librdkafka waiting forever, and a delegate may not
    /// return. When the deadline passes, the instance stays in memory, with its threads, and a line is logged; then end the
    /// process.
    ///
    /// - Parameter deadline: The maximum duration, including the delegate's answer; half a second longer if the consumer's
    ///   thread hangs.
    /// - Returns: Whether it closed in time. True for a consumer that was closed before.
    @discardableResult
    public func close(deadline: Duration = .seconds(30)) async -> Bool {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                guard state.client != nil else { return nil }
                membership.isClosing()
                let end = ContinuousClock.now + deadline
                state.closing = Closing(end: min(end, state.closing?.end ?? end))
                state.lastWaiter += 1
                state.waitingForClose[state.lastWaiter] = continuation
                return state.lastWaiter
            }
            guard let number else { return continuation.resume(returning: true) }
            wakeUp.signal()
            // The consumer's thread observes the deadline itself, unless it hangs.
            scheduleBlocking(after: deadline + .milliseconds(500)) {
                guard let late = self.state.withLock({ $0.waitingForClose.removeValue(forKey: number) }) else { return }
                let message = "a consumer's thread hangs, and the consumer is abandoned; the process should end"
                self.configuration.client.log(KafkaLogLine(level: .critical, facility: "CLOSE", message: message))
                late.resume(returning: false)
            }
        }
    }
}

extension KafkaConsumer {
    /// Returns the instance for a caller's request.
    func openClient() throws(KafkaError) -> ClientHandle {
        guard let client = state.withLock({ $0.client }) else { throw KafkaError.isClosed("consumer") }
        return client
    }

    /// Changes the state that callers and the consumer's thread share.
    func withState<Result: Sendable>(_ body: (inout ConsumerState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
