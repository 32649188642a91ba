package import Timestamps

/// What the machine is doing, for health and metrics.
package struct PublishingStatus: Sendable, Equatable {
    package var hold: Hold?
    package var pausedUntil: Timestamp?
    package var isReading: Bool
    package var partitions: [SourcePartition]
    /// Events admitted and not ended.
    package var open: Int
    /// Requests in flight.
    package var inFlight: Int
    /// Ended events whose records are not confirmed.
    package var closing: Int
    package var heldBytes: Int
    /// When the oldest open event was consumed.
    package var oldestConsumedAt: Timestamp?
}

extension PublishingCore {
    package var status: PublishingStatus {
        PublishingStatus(
            hold: governor.hold,
            pausedUntil: governor.pausedUntil,
            isReading: isReading,
            partitions: trackers.keys.sorted { ($0.topic, $0.number) < ($1.topic, $1.number) },
            open: works.count,
            inFlight: governor.inFlight,
            closing: closings.count,
            heldBytes: heldBytes,
            oldestConsumedAt: works.values.lazy.map(\.consumedAt).min()
        )
    }
}
