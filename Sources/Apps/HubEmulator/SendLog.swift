/// The accepted sends, the latest of them in full.
struct SendLog {
    private let capacity: Int
    /// A ring once it is full: the oldest is at `oldest`.
    private var ring: [SendRecord] = []
    private var oldest = 0
    /// The sequence number given last.
    private(set) var last: Int64 = 0
    /// The sequence number given last before the last reset.
    private(set) var base: Int64 = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// How many are kept.
    var count: Int { ring.count }

    mutating func nextSequence() -> Int64 {
        last += 1
        return last
    }

    mutating func append(_ record: SendRecord) {
        if ring.count < capacity {
            ring.append(record)
        } else {
            ring[oldest] = record
            oldest = (oldest + 1) % capacity
        }
    }

    mutating func removeAll() {
        ring = []
        oldest = 0
        base = last
    }

    /// Those after a sequence number, the oldest first.
    func records(after sequence: Int64, limit: Int = .max) -> [SendRecord] {
        let first = last - Int64(ring.count) + 1
        let skipped = Int(clamping: max(0, max(sequence, 0) + 1 - first))
        guard skipped < ring.count else { return [] }
        return (skipped..<min(ring.count, skipped + min(limit, ring.count))).map { ring[(oldest + $0) % ring.count] }
    }
}

/// Counts since the start or the last reset.
package struct HubStatistics: Sendable, Equatable {
    /// Requests to the hub, whatever became of them.
    package var received = 0
    /// Accepted sends, those with a fault behind them too.
    package var accepted = 0
    /// Answers by status.
    package var byStatus: [Int: Int] = [:]
    /// Answers that a fault decided.
    package var faults = 0
}
