import Kafka

/// What a killed worker had sent and not committed: only this may be sent again.
struct ReplayWindow: Sendable {
    /// The worker that was killed.
    var worker: String
    /// Its partitions, and where their next owner begins.
    var committed: [KafkaTopicPartition: Int64]
    /// What the hub had accepted from it at or above those offsets.
    var events: Set<String>

    /// Finds the window.
    ///
    /// - Parameters:
    ///   - worker: The worker that was killed.
    ///   - partitions: Those it owned.
    ///   - committed: The group's offsets just after; a partition without one begins at zero.
    ///   - acceptances: All that the hub accepted.
    ///   - places: Where each event lies in the source.
    init(
        worker: String,
        partitions: [KafkaTopicPartition],
        committed: [KafkaTopicPartition: Int64],
        acceptances: [Acceptance],
        places: [String: RecordPlace]
    ) {
        self.worker = worker
        self.committed = Dictionary(uniqueKeysWithValues: partitions.map { ($0, committed[$0] ?? 0) })
        var events: Set<String> = []
        for acceptance in acceptances where acceptance.worker == worker {
            guard
                let place = places[acceptance.event], let next = self.committed[place.partition], place.offset >= next
            else { continue }
            events.insert(acceptance.event)
        }
        self.events = events
    }
}

/// Where a record lies.
struct RecordPlace: Sendable, Hashable {
    var partition: KafkaTopicPartition
    var offset: Int64
}

/// Events that the hub accepted more than once.
struct Doubles: CustomStringConvertible {
    /// How often too many, over all events.
    let count: Int
    /// The events that were not to be sent again.
    let unexplained: [String]

    /// Counts.
    ///
    /// - Parameters:
    ///   - acceptances: All that the hub accepted.
    ///   - window: What may be there twice, and no more than twice; nil for nothing.
    init(_ acceptances: [Acceptance], window: ReplayWindow? = nil) {
        var counts: [String: Int] = [:]
        for acceptance in acceptances { counts[acceptance.event, default: 0] += 1 }
        let repeated = counts.filter { $0.value > 1 }
        count = repeated.values.reduce(0) { $0 + $1 - 1 }
        unexplained = repeated.filter { $0.value > (window?.events.contains($0.key) == true ? 2 : 1) }.keys.sorted()
    }

    var description: String {
        guard !unexplained.isEmpty else { return "\(count) doubles" }
        return "\(count) doubles, \(unexplained.count) unexplained: \(unexplained.prefix(10).joined(separator: ", "))"
    }
}
