import OpenMetrics
import Publishing

/// What becomes of configurations that are read again, in numbers.
final class ReloadMetrics: Sendable {
    private let results: [ReloadResult.Kind: Counter]
    private let differences: [PlanDifference.Kind: Counter]
    private let running: Gauge

    /// Makes all series, each at nought.
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
                    help: "Events that were planned by rules on trial too, by how that differs.",
                    dimensions: [("difference", kind.rawValue)]
                )
                return (kind, counter)
            }
        )
        running = registry.gauge("newsflash_canary_running", help: "1 while rules are tried beside those in force.")
    }

    func ended(_ kind: ReloadResult.Kind) { results[kind]?.increment() }

    func isCanaryRunning(_ isRunning: Bool) { running.set(isRunning ? 1 : 0) }

    /// Counts what a step has added to a trial.
    ///
    /// - Parameters:
    ///   - before: The trial before it.
    ///   - step: Gives the trial after it.
    func noting(_ before: CanaryTally?, _ step: () -> CanaryTally?) {
        let after = step()
        guard let before, let after else { return }
        for (kind, count) in after.counts {
            let added = count - (before.counts[kind] ?? 0)
            if added > 0 { differences[kind]?.increment(by: Int64(added)) }
        }
    }
}
