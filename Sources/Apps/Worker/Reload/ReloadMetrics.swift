import OpenMetrics
import Publishing

/// What becomes of configurations that are read again, in numbers.
final class ReloadMetrics: Sendable {
    private let results: [ReloadResult.Kind: Counter]
    private let differences: [PlanDifference.Kind: Counter]

    /// Makes all series, each at zero.
    ///
    /// - Parameter registry: Shows them.
    init(_ registry: MetricsRegistry) {
        results = Dictionary(
            uniqueKeysWithValues: ReloadResult.Kind.allCases.map { kind in
                let counter = registry.counter(
                    "newsflash_reloads",
                    help: "Configurations that were read again, by what became of them.",
                    dimensions: [("result", kind.rawValue)]
                )
                return (kind, counter)
            }
        )
        differences = Dictionary(
            uniqueKeysWithValues: PlanDifference.Kind.allCases.map { kind in
                let counter = registry.counter(
                    "newsflash_canary_events",
                    help: "Events that were planned by new rules too, by how that differs.",
                    dimensions: [("difference", kind.rawValue)]
                )
                return (kind, counter)
            }
        )
    }

    /// Counts a result, and the decisions by which it was judged.
    func ended(_ result: ReloadResult) {
        results[result.kind]?.increment()
        for (difference, count) in result.tally?.counts ?? [:] { differences[difference]?.increment(by: Int64(count)) }
    }
}
