import NewsflashBasics
package import NewsflashKafka
package import NewsflashObservability
import NewsflashStrictJSON

/// Follows the topic of outcomes: reads the last records, then all new ones.
package final class OutcomeFollower: Sendable {
    /// The number of records read from each partition at the start.
    private static let records: Int64 = 2000

    private let client: KafkaConfiguration
    private let table: Shared<OutcomeIndex>
    private let follower: TopicFollower

    /// Creates a reader that is not open yet.
    ///
    /// - Parameters:
    ///   - client: The cluster and the credentials.
    ///   - topic: The topic of outcomes.
    ///   - logger: Logs each fault once.
    ///   - interval: The interval between two checks for new partitions.
    package init(
        _ client: KafkaConfiguration,
        topic: String,
        logger: Logger,
        interval: Duration = .seconds(10)
    ) {
        self.client = client
        let table = Shared(OutcomeIndex())
        self.table = table
        follower = TopicFollower([topic: .last(Self.records)], interval: interval, logger: logger) { messages in
            for message in messages {
                guard let value = message.value else { continue }
                table.withLock { $0.add(value) }
            }
        }
    }

    /// Starts reading in the background.
    ///
    /// - Throws: `KafkaError` that names an invalid property.
    package func open() throws(KafkaError) {
        try follower.open(KafkaReaderConfiguration(client: client, recovery: .tell))
    }

    /// Whether the topic exists, all existing records have been read and Kafka responds.
    var isCurrent: Bool { follower.isCurrent }

    /// Waits until ``isCurrent`` is true for the first time.
    ///
    /// - Returns: `false` if the task was cancelled before.
    func waitUntilCurrent() async -> Bool { await follower.current.wait() ?? false }

    /// Stops reading.
    package func close() async { await follower.close() }

    /// The result of a search for an event.
    package enum Finding: Sendable, Equatable {
        /// The latest record about the event, as in the topic: JSON.
        case record([UInt8])
        /// The topic has no record about the event.
        case none
        /// No record found yet: the topic is missing or still being read, or Kafka does not respond.
        case unavailable
    }

    /// Finds the latest record about an event.
    ///
    /// - Parameter event: The event's ID.
    /// - Returns: A known record, even if Kafka does not respond now.
    package func find(_ event: String) -> Finding {
        // Read before the search, so that records added meanwhile are found.
        let isCurrent = follower.isCurrent
        if let record = table.withLock({ $0.record(of: event) }) { return .record(record) }
        return isCurrent ? .none : .unavailable
    }
}

/// The outcomes of the most recent events, with a memory limit.
struct OutcomeIndex {
    private struct Entry {
        var record: [UInt8]
        var kind: String
    }

    /// The entries; the weight of each is the size of its record in bytes.
    private var entries: RecentEntries<String, Entry>

    init(maximumBytes: Int = 32 << 20) {
        entries = RecentEntries(capacity: maximumBytes)
    }

    /// Returns the latest record about an event.
    func record(of event: String) -> [UInt8]? { entries[event]?.record }

    /// Adds a record of the topic; invalid records are ignored.
    mutating func add(_ record: [UInt8]) {
        guard record.count <= 256 << 10, let value = try? JSONReader.read(record),
            let event = value[member: "event"]?.string, !event.isEmpty,
            let kind = value[member: "outcome"]?.string
        else { return }
        // A duplicate's outcome does not replace that of the original.
        if kind == "duplicate", let known = entries[event], known.kind != "duplicate" { return }
        entries.keep(Entry(record: record, kind: kind), for: event, weight: record.count)
    }
}
