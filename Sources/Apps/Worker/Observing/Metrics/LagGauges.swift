import Locks
import OpenMetrics
import Publishing
import Timestamps

/// How far each partition is behind; a partition that leaves takes its series with it.
final class LagGauges: Sendable {
    private let registry: MetricsRegistry
    private let shown = Locked<Set<SourcePartition>>([])

    init(_ registry: MetricsRegistry) {
        self.registry = registry
    }

    /// Shows lags, and nothing of any other partition.
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
                    help: "Records of a partition that are not done, those not read included.",
                    dimensions: lag.source.dimensions
                ).set(Double(lag.records))
                registry.gauge(
                    "newsflash_lag_seconds",
                    help: "Since the oldest record was written that is not done; 0 where all are.",
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
