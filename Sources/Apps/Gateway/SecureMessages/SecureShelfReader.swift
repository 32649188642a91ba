import Kafka
import Locks
import NewsEvents
import StructuredLog
import Timestamps
import Worker

/// Fills a shelf from the topics of events, and knows whether it has read what was there at the beginning.
final class SecureShelfReader: KafkaReaderDelegate {
    /// How long a topic that is not there, or a cluster that does not answer, is left alone.
    private static let patience = Duration.seconds(1)
    /// How long until topics are looked at again, whose partitions may have become more.
    private static let interval = Duration.seconds(30)

    private struct State {
        var shelf: SecureShelf
        /// The partitions that are read, by topic.
        var partitions: [String: Int32] = [:]
        /// Those of which not all is read that was there at the beginning; `nil` until they are known.
        var unread: Set<KafkaTopicPartition>?
        /// The topics that were said not to be there.
        var missing: Set<String> = []
    }

    private let topics: [String]
    private let decoders: SourceDecoders
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp
    private let state: Locked<State>
    /// Ends once all is read that was there at the beginning.
    let isCaughtUp = OneShot<Bool>()

    init(
        _ shelf: SecureShelf,
        topics: [String],
        decoders: SourceDecoders,
        logger: Logger,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.topics = topics
        self.decoders = decoders
        self.logger = logger
        self.clock = clock
        state = Locked(State(shelf: shelf))
    }

    /// Whether all is read that was there at the beginning.
    var isReady: Bool { state.withLock { $0.unread?.isEmpty == true } }

    /// What a user may have of an id; see ``SecureShelf/find(_:for:now:)``.
    func find(_ id: String, for user: String, now: Timestamp) -> SecureStory.Found? {
        state.withLock { $0.shelf.find(id, for: user, now: now) }
    }

    // MARK: - The partitions

    /// Looks for the partitions of the topics and begins to read those that are new, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - admin: Asks the cluster.
    ///   - reader: Reads.
    func survey(by admin: KafkaAdmin, _ reader: KafkaReader) async {
        while !Task.isCancelled {
            let isComplete = await look(by: admin, reader)
            try? await Task.sleep(for: isComplete ? Self.interval : Self.patience)
        }
    }

    /// - Returns: Whether every topic is there.
    private func look(by admin: KafkaAdmin, _ reader: KafkaReader) async -> Bool {
        let described: [KafkaTopic]
        do throws(KafkaError) {
            // Of all, since to ask for one by name would make it at some brokers.
            described = try await admin.topics().filter { topics.contains($0.name) }
            for topic in described { if let error = topic.error { throw error } }
        } catch {
            complain("the topics of events cannot be looked at", error, of: nil)
            return false
        }
        // A topic that is not there has nothing to be read.
        let missing = topics.filter { topic in !described.contains { $0.name == topic } }
        missing.forEach(tellOfMissing)
        let found = described.flatMap { topic in
            topic.partitions.map { KafkaTopicPartition(topic: topic.name, partition: $0.number) }
        }
        let new = state.withLock { state in
            let new = found.filter { $0.partition >= state.partitions[$0.topic] ?? 0 }
            for partition in new {
                state.partitions[partition.topic] = max(
                    state.partitions[partition.topic] ?? 0,
                    partition.partition + 1
                )
            }
            // What comes later was not there at the beginning.
            if state.unread == nil { state.unread = Set(new) }
            return new
        }
        for partition in new { reader.start(partition, at: .beginning) }
        if isReady { isCaughtUp.end(with: true) }
        return missing.isEmpty
    }

    /// Says once that a topic is not there, or not to be seen by these credentials.
    private func tellOfMissing(_ topic: String) {
        guard state.withLock({ $0.missing.insert(topic).inserted }) else { return }
        logger.warning(
            "a topic of events is not there, so no words of its events can be fetched",
            metadata: [
                "kafka.topic": .string(topic),
                "remedy": .string(
                    "make it with 'newsflash topics create', or let the user of these credentials Read it"
                ),
            ]
        )
    }

    // MARK: - KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        let now = clock()
        let events = messages.compactMap { message -> (NewsEvent, Timestamp)? in
            let decoder = decoders[message.topic]
            let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
            let outcome = message.withValue {
                decoder.decode(value: $0, headers: headers, writtenAt: message.timestamp)
            }
            guard case .event(let event, warnings: _) = outcome else { return nil }
            return (event, message.timestamp ?? now)
        }
        guard let topic = messages.first?.topic, !events.isEmpty else { return }
        state.withLock { state in
            for (event, arrival) in events { state.shelf.take(event, topic: topic, arrival: arrival) }
        }
        logger.trace(
            "events were read",
            metadata: ["kafka.topic": .string(topic), "kafka.offset": LogValue(messages.last?.offset ?? 0)]
        )
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: KafkaTopicPartition, offset: Int64) {
        state.withLock { _ = $0.unread?.remove(partition) }
        if isReady { isCaughtUp.end(with: true) }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: KafkaTopicPartition?) {
        complain("reading the topics of events meets a fault", error, of: partition?.topic)
        // What was next is gone from the log: on with what is still there.
        if let partition, error.code == .offsetOutOfRange { reader.start(partition, at: .beginning) }
    }

    private func complain(_ message: String, _ error: KafkaError, of topic: String?) {
        let remedy =
            error.meansForbidden ? "let the user of these credentials Read the topic \(topic ?? "")" : "tried again"
        logger.warning(
            message,
            metadata: [
                "kafka.topic": .string(topic ?? ""), "detail": .string(error.description), "remedy": .string(remedy),
            ]
        )
    }
}
