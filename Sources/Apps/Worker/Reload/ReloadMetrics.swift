import OpenMetrics
import Publishing

/// The results of configuration reloads, as metrics.
final class ReloadMetrics: Sendable {
    private let results: [ReloadResult.Kind: Counter]
    private let differences: [PlanDifference.Kind: Counter]

    /// Makes all series with zero.
    ///
    /// - Parameter registry: The registry that shows them.
    init(_ registry: MetricsRegistry) {
        results = Dictionary(
            uniqueKeysWithValues: ReloadResult.Kind.allCases.map { kind in
                let counter = registry.counter(
                    "newsflash_reloads",
                    help: "Configuration reloads by result.",
                    dimensions: [("result", kind.rawValue)]
                )
                return (kind, counter)
            }
        )
        differences = Dictionary(
            uniqueKeysWithValues: PlanDifference.Kind.allCases.map { kind in
                let counter = registry.counter(
                    "newsflash_canary_events",
                    help: "Events also planned with new rules, by difference.",
                    dimensions: [("difference", kind.rawValue)]
                )
                return (kind, counter)
            }
        )
    }

    /// Counts a result and the decisions compared for it.
    func ended(_ result: ReloadResult) {
        results[result.kind]?.increment()
        for (difference, count) in result.tally?.counts ?? [:] { differences[difference]?.increment(by: Int64(count)) }
    }
}
