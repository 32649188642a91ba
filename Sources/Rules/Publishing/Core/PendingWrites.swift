import NewsflashTimestamps

/// Outcomes and dead letters that are being written to their topics.
struct PendingWrites {
    /// One unconfirmed outcome.
    struct Pending {
        /// The subject that is processed once the outcome is confirmed.
        enum Subject {
            case event(EventID)
            /// A record that could not be decoded.
            case record(RecordPosition)
            /// Nothing: a provisional outcome, or that of an event in the ledger that could not be decoded.
            case none
        }

        var subject: Subject
        var write: OutcomeWrite
        var failures = 0
        /// When the write was first requested.
        var since: Instant
    }

    private var pending: [WriteID: Pending] = [:]

    var count: Int { pending.count }

    /// When the oldest write was first requested.
    var oldest: Instant? { pending.values.lazy.map(\.since).min() }

    subscript(id: WriteID) -> Pending? { pending[id] }

    mutating func insert(_ write: Pending) { pending[write.write.id] = write }

    mutating func remove(_ id: WriteID) -> Pending? { pending.removeValue(forKey: id) }

    /// Counts a failure.
    ///
    /// - Returns: The number of failures, this one included; `nil` if the write is not awaited any more.
    mutating func failed(_ id: WriteID) -> Int? {
        pending[id]?.failures += 1
        return pending[id]?.failures
    }

    func contains(of partitions: Set<PartitionID>) -> Bool {
        pending.values.contains { partitions.contains($0.write.partition) }
    }

    /// Forgets the outcome of an event. It is not written again if it fails.
    mutating func forget(_ event: EventID) {
        pending = pending.filter { if case .event(event) = $0.value.subject { false } else { true } }
    }

    mutating func forget(_ partitions: Set<PartitionID>) {
        pending = pending.filter { !partitions.contains($0.value.write.partition) }
    }
}
