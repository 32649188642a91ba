import Kafka

/// The progress of reading the control topic's history, and the end of the history.
///
/// The end offset is queried in parallel. Without a response, an empty fetch shows the end, which takes half a second.
struct OrderCatchUp: Sendable, Equatable {
    /// The offset of the next record.
    private var next: Int64 = 0
    /// The offset after the last record of the history; `nil` until it is known.
    private var end: Int64?

    /// Whether the whole history is read.
    var isOver: Bool { end.map { next >= $0 } ?? false }

    /// Records progress.
    ///
    /// - Parameter offset: The offset of the next record.
    mutating func reach(_ offset: Int64) { next = max(next, offset) }

    /// Records the topic's ends at the start.
    ///
    /// - Parameter ends: The ends. Records before the low end were deleted and are not waited for.
    mutating func learn(_ ends: KafkaWatermarks) {
        next = max(next, ends.low)
        end = ends.high
    }
}
