import Locks
import OpenMetrics
import Publishing
import Timestamps

/// The lag of each partition. The series of revoked partitions are removed.
final class LagGauges: Sendable {
    private let registry: MetricsRegistry
    private let shown = Locked<Set<SourcePartition>>([])

    init(_ registry: MetricsRegistry) {
        self.registry = registry
    }

    /// Shows these lags and removes all others.
    func set(_ lags: [PartitionLag]) {
        shown.withLock { shown in
            let present = Set(lags.map(\.source))
            for gone in shown.subtracting(present) {
                registry.remove("newsflash_lag_records", dimensions: gone.dimensions)
                registry.remove("newsflash_lag_seconds", dimensions: gone.dimensions)
            }
            shown = present
            for lag in lags {
                registry.gauge(
                    "newsflash_lag_records",
                    help: "Unprocessed records of a partition, including unread ones.",
                    dimensions: lag.source.dimensions
                ).set(Double(lag.records))
                registry.gauge(
                    "newsflash_lag_seconds",
                    help: "Age of the oldest unprocessed record; 0 if all are processed.",
                    unit: "seconds",
                    dimensions: lag.source.dimensions
                ).set(lag.age.inSeconds)
            }
        }
    }
}

extension SourcePartition {
    fileprivate var dimensions: [(String, String)] { [("topic", topic), ("partition", String(number))] }
}
