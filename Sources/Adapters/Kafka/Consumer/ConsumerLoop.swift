import CNewsflashRDKafka
import NewsflashTopicPartitions

/// The consumer's thread: waits for the descriptor, handles events, passes messages to the delegate.
final class ConsumerLoop {
    let consumer: KafkaConsumer
    let delegate: any KafkaConsumerDelegate
    let client: ClientHandle
    let queue: EventQueue
    let wakeUp: WakeUp
    /// Round-robin: each round starts with the next partition.
    private var partitions: [PartitionMessageQueue] = []
    private var first = 0
    /// Whether the group moves partitions one by one: in the latest rebalance, or, before the first, by the configuration.
    var isCooperative: Bool
    /// The subscribed topics that the brokers did not know when they were asked last.
    var missingTopics: Set<String> = []
    /// Our partitions that are not being read yet.
    var search = StartOffsetSearch()
    private let account: ReadAheadAccount?

    /// Prepares the loop; it does nothing before ``run()``.
    init(
        _ consumer: KafkaConsumer,
        delegate: any KafkaConsumerDelegate,
        client: ClientHandle,
        queue: EventQueue,
        wakeUp: WakeUp,
        account: ReadAheadAccount?
    ) {
        self.consumer = consumer
        isCooperative = consumer.configuration.assignmentStrategy == .cooperativeSticky
        self.delegate = delegate
        self.client = client
        self.queue = queue
        self.wakeUp = wakeUp
        self.account = account
    }

    /// Runs until the consumer is closed.
    func run() {
        while true {
            let now = ContinuousClock.now
            let delay = consumer.withState { $0.commitDelay(from: now) }
            let delays = [delay, search.delay(from: now)].compactMap(\.self)
            wakeUp.wait(atMost: min(.seconds(1), delays.min() ?? .seconds(1)))
            serve(queue)
            serveCallers()
            if let closing = consumer.withState({ $0.closing }) {
                finish(isClosed: close(closing), closing)
                return
            }
            handOverMessages()
        }
    }

    /// Handles all events of a queue: only an emptied queue signals again.
    func serve(_ queue: EventQueue, closing: Closing? = nil) {
        while let event = queue.next() {
            switch event.kind {
            case RD_KAFKA_EVENT_REBALANCE: rebalance(event, closing: closing)
            case RD_KAFKA_EVENT_OFFSET_COMMIT: committed(event)
            case RD_KAFKA_EVENT_ERROR: failed(event)
            default: break
            }
        }
    }

    private func serveCallers() {
        let now = ContinuousClock.now
        if consumer.membership.missesLines(at: now) { warnOfMissingLines() }
        let assignments = consumer.withState { state in
            state.lastServed = now
            state.sendHeld(at: now)
            state.askForSignOfLife(at: now)
            defer { state.assignments = [] }
            return state.assignments
        }
        for offsets in assignments { assign(offsets) }
        searchStartOffsets()
        readOnWhatWasFound()
    }

    private func warnOfMissingLines() {
        let message =
            "\(client.name): librdkafka \(KafkaLibrary.version) does not report how this member joins its group (no known line "
            + "CGRPJOINSTATE). Until it does, only assignments are known: commits go on, but in a cooperative group a commit "
            + "during a rebalance may cost the assignment, and records after the last commit are read again; and a join that "
            + "hangs is not noticed. Use a version of librdkafka that was tested, or the assignment strategy range"
        consumer.configuration.client.log(KafkaLogLine(level: .warning, facility: "CGRP", message: message))
    }

    /// Whether librdkafka may be given other partitions to read. While the group changes, it would mistake them for the answer
    /// to a rebalance.
    var mayAssign: Bool { consumer.membership.isSettled || consumer.membership.groupState.phase == .outside }

    /// Reports the result of a commit.
    func committed(_ event: borrowing ClientEvent) {
        if rd_kafka_event_opaque(event.pointer) == ConsumerState.question {
            let now = ContinuousClock.now
            return consumer.withState { state in
                state.liveness.wasAnswered()
                state.askForSignOfLife(at: now)
            }
        }
        // librdkafka also answers if there is no offset to commit; nobody requested that.
        guard event.response != RD_KAFKA_RESP_ERR__NO_OFFSET else { return }
        let offsets = Dictionary(event.partitions.map { ($0.partition, $0.offset) }) { $1 }
        var error = event.commitError
        // Commits within a revocation carry no epoch and do not concern the gate. They are not tried again.
        if rd_kafka_event_opaque(event.pointer) == nil, error?.code == .rebalanceInProgress {
            error = KafkaError(.notAssigned, "committing before giving up partitions: the group changed before that")
        }
        if let mark = rd_kafka_event_opaque(event.pointer) {
            let isRefused = event.meansThatTheGroupChanges
            let epoch = UInt64(UInt(bitPattern: mark))
            let now = ContinuousClock.now
            consumer.withState { state in
                state.ownership.commitWasAnswered(offsets, isRefused: isRefused, sentIn: epoch, at: now)
            }
        }
        delegate.kafkaConsumer(consumer, didCommit: offsets, error: error)
    }

    private func failed(_ event: borrowing ClientEvent) {
        var partition: TopicPartition?
        if let place = rd_kafka_event_topic_partition(event.pointer) {
            if let topic = place.pointee.topic {
                partition = TopicPartition(topic: String(cString: topic), partition: place.pointee.partition)
            }
            rd_kafka_topic_partition_destroy(place)
        }
        guard var error = event.error(doing: partition.map { "reading \($0)" } ?? "reading") else { return }
        error.partition = partition
        if error.code == .unknownTopicOrPartition {
            // If the topic is one that is subscribed to, only the text has its name.
            let topics = Set(consumer.assignment.map(\.topic))
            missingTopics.formUnion(topics.filter { $0 == partition?.topic || error.message.contains(" \($0): ") })
        }
        if error.isFatal { lose(consumer.assignment) }
        delegate.kafkaConsumer(consumer, didFail: error)
    }
}

extension ClientEvent {
    /// Why a commit failed, as a whole or for one partition; `nil` if it succeeded.
    var commitError: KafkaError? {
        if let error = error(doing: "committing") { return error }
        let failed = partitions.first { $0.response != RD_KAFKA_RESP_ERR_NO_ERROR }
        return failed.map { KafkaError($0.response, doing: "committing \($0.partition)") }
    }

    /// Whether a commit was refused because the group is changing or has changed.
    var meansThatTheGroupChanges: Bool {
        response.meansThatTheGroupChanges || partitions.contains { $0.response.meansThatTheGroupChanges }
    }
}

extension rd_kafka_resp_err_t {
    /// Whether a commit was refused because the group is changing or has changed.
    fileprivate var meansThatTheGroupChanges: Bool {
        self == RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS || self == RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION
            || self == RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID
    }
}

// MARK: - Messages

extension ConsumerLoop {
    /// The partitions that are being read.
    var readPartitions: [TopicPartition] { partitions.map(\.partition) }

    /// Begins to read partitions. Called before they are assigned, so that their first messages arrive in these queues.
    func open(_ added: [TopicPartition]) {
        for partition in added {
            guard let messages = EventQueue.messages(of: partition, client: client) else { continue }
            messages.signal(wakeUp)
            partitions.append(
                PartitionMessageQueue(partition, messages: messages, limits: consumer.configuration.fetchLimits)
            )
        }
    }

    /// Stops reading partitions and discards their fetched messages.
    func stopReading(_ removed: [TopicPartition]) {
        let removed = Set(removed)
        search.leave(removed)
        partitions.removeAll { removed.contains($0.partition) }
    }

    /// Passes messages to the delegate, batch by batch, until none are left or a caller has a request.
    ///
    /// Stopping early is safe: the caller has signalled, so the thread comes back here without waiting.
    private func handOverMessages() {
        while true {
            let still = consumer.withState { state in
                state.isReading && state.closing == nil && state.assignments.isEmpty ? state.still : nil
            }
            guard let still else { return }
            let batch = nextBatch(without: still)
            guard !batch.isEmpty else { return }
            handOver(batch)
            serve(queue)
            // Handle pending commits and liveness checks here too: with a backlog the loop may not pause for a long time.
            serveCallers()
        }
    }

    /// Passes messages to the delegate and records their offsets afterwards: a scan ahead of the consumer must also read the
    /// messages that are not handed over yet.
    private func handOver(_ batch: [KafkaMessage]) {
        let ends = Dictionary(batch.lazy.map { ($0.topicPartition, $0.offset + 1) }) { $1 }
        delegate.kafkaConsumer(consumer, didReceive: batch)
        consumer.withState { state in
            for (partition, end) in ends { state.progress[partition]?.handedOver(upTo: end) }
        }
    }

    /// Returns the next messages: a fair share of each partition, round-robin until the batch is full, all are empty, or the
    /// read-ahead is used up.
    private func nextBatch(without still: Set<TopicPartition>) -> [KafkaMessage] {
        let limit = max(1, consumer.configuration.maximumBatch)
        var batch: [KafkaMessage] = []
        guard !partitions.isEmpty else { return batch }
        let share = max(16, limit / partitions.count)
        var quiet = 0
        while batch.count < limit, quiet < partitions.count, account?.mayHaveCredit ?? true {
            first = (first + 1) % partitions.count
            let source = partitions[first]
            let isFlowing = !still.contains(source.partition)
            let count = min(share, limit - batch.count)
            quiet = isFlowing && dequeue(count, from: source, into: &batch) ? 0 : quiet + 1
        }
        return batch
    }

    private func dequeue(_ count: Int, from source: PartitionMessageQueue, into batch: inout [KafkaMessage]) -> Bool {
        for taken in 0..<count {
            guard let pointer = source.next() else { return taken > 0 }
            guard pointer.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
                report(pointer, of: source.partition, after: &batch)
                continue
            }
            let bytes = KafkaMessage.byteCount(of: pointer)
            if let account, !account.reserve(account.cost(ofBytes: bytes)) {
                source.putBack(pointer)
                consumer.withState { $0.progress[source.partition]?.waits(at: pointer.pointee.offset) }
                return taken > 0
            }
            if source.pace.took(bytes: bytes) { client.wakeFetchers() }
            let message = KafkaMessage(
                taking: pointer,
                topicPartition: source.partition,
                client: client,
                account: account
            )
            batch.append(message)
        }
        return true
    }

    /// Reports the event that came in place of a message, after the messages before it.
    private func report(
        _ pointer: UnsafeMutablePointer<rd_kafka_message_t>,
        of partition: TopicPartition,
        after batch: inout [KafkaMessage]
    ) {
        defer { rd_kafka_message_destroy(pointer) }
        if !batch.isEmpty {
            handOver(batch)
            batch = []
        }
        if pointer.pointee.err == RD_KAFKA_RESP_ERR__PARTITION_EOF {
            let (end, now) = (pointer.pointee.offset, ContinuousClock.now)
            consumer.withState { $0.passed(to: end, of: partition, at: now) }
            guard consumer.configuration.reportsPartitionEnd else { return }
            delegate.kafkaConsumer(consumer, didReachEndOf: partition, offset: end)
        } else if Self.endsReading(pointer.pointee.err) {
            findLog(of: partition)
        } else {
            let detail = rd_kafka_message_errstr(pointer).map { String(cString: $0) }
            var error = KafkaError(pointer.pointee.err, doing: "reading \(partition)", saying: detail)
            error.partition = partition
            delegate.kafkaConsumer(consumer, didFail: error)
        }
    }
}

/// The message queue of one partition.
final class PartitionMessageQueue {
    let partition: TopicPartition
    private let messages: EventQueue
    /// The next message, which was dequeued when there was no credit for it.
    private var waiting: UnsafeMutablePointer<rd_kafka_message_t>?
    /// Counts the dequeued messages.
    var pace: FetcherWakeupPolicy

    init(_ partition: TopicPartition, messages: EventQueue, limits: FetchLimits) {
        self.pace = FetcherWakeupPolicy(limits)
        self.partition = partition
        self.messages = messages
    }

    deinit {
        if let waiting { rd_kafka_message_destroy(waiting) }
    }

    /// Returns the next message, which the caller owns; `nil` if there is none.
    func next() -> UnsafeMutablePointer<rd_kafka_message_t>? {
        waiting.take() ?? messages.nextMessage()
    }

    /// Puts a message back, to return it next time. There is only one, because it is returned before any other is dequeued.
    func putBack(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        waiting = message
    }
}
