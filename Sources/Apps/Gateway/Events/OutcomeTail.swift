package import Kafka
package import StructuredLog

/// Follows the topic of outcomes: the last of what is there, and from then on all that comes.
package final class OutcomeTail: Sendable {
    /// How many records of each partition are read at the start.
    private static let records: Int64 = 2000

    private let client: KafkaConfiguration
    private let table: Shared<OutcomeTable>
    private let follower: TopicFollower

    /// Makes a tail that reads nothing yet.
    ///
    /// - Parameters:
    ///   - client: The cluster and the credentials.
    ///   - topic: The topic of outcomes.
    ///   - logger: Receives each fault once.
    ///   - interval: Between two looks for new partitions.
    package init(
        _ client: KafkaConfiguration,
        topic: String,
        logger: Logger,
        interval: Duration = .seconds(10)
    ) {
        self.client = client
        let table = Shared(OutcomeTable())
        self.table = table
        follower = TopicFollower([topic: .last(Self.records)], interval: interval, logger: logger) { messages in
            for message in messages {
                guard let value = message.value else { continue }
                table.withLock { $0.take(value) }
            }
        }
    }

    /// Begins to read, in the background.
    ///
    /// - Throws: `KafkaError` that names a property which cannot be used.
    package func open() throws(KafkaError) {
        try follower.open(KafkaReaderConfiguration(client: client, recovery: .tell))
    }

    /// Whether all is read that there is, and Kafka answers.
    var isCurrent: Bool { follower.isCurrent }

    /// Ends.
    package func close() async { await follower.close() }

    /// The result of a look for an event.
    package enum Finding: Sendable, Equatable {
        /// The latest record on it, as it is in the topic: JSON.
        case record([UInt8])
        /// The topic has no record on it.
        case none
        /// No record so far: the topic is still being read, or Kafka does not answer.
        case unavailable
    }

    /// Looks for the latest record on an event.
    ///
    /// - Parameter event: The event's id.
    /// - Returns: A record that is known, whether or not Kafka answers now.
    package func find(_ event: String) -> Finding {
        // Before the look: what is read meanwhile is found.
        let isCurrent = follower.isCurrent
        if let record = table.withLock({ $0.record(of: event) }) { return .record(record) }
        return isCurrent ? .none : .unavailable
    }
}
