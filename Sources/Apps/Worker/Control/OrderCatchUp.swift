import Kafka

/// How far a worker that starts has read the control topic, and how far it has to.
///
/// Where the topic ended is asked beside the reading. Without an answer the end shows by a fetch that brings nothing, which
/// takes half a second.
struct OrderCatchUp: Sendable, Equatable {
    /// The offset of what comes next.
    private var next: Int64 = 0
    /// The offset behind what was there; `nil` until it is known.
    private var end: Int64?

    /// Whether all that was there is read.
    var isOver: Bool { end.map { next >= $0 } ?? false }

    /// Takes note of what was read.
    ///
    /// - Parameter offset: Of what comes next.
    mutating func come(to offset: Int64) { next = max(next, offset) }

    /// Takes note of the topic's ends at the start.
    ///
    /// - Parameter ends: What retention took from the beginning is not waited for.
    mutating func learn(_ ends: KafkaWatermarks) {
        next = max(next, ends.low)
        end = ends.high
    }
}
