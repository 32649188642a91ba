import Kafka
import Locks
import NewsEvents
import OpenMetrics
import Publishing
import StructuredLog
import Timestamps

/// The worker's metrics; each help text describes one.
///
/// Every series that an alert may use exists from the start with zero, because a counter that starts with its first event shows
/// no increase for it. Counts are kept by the threads where the events happen; other values are read at a scrape.
final class WorkerMetrics: Sendable {
    let registry = MetricsRegistry()
    /// The request metrics by hub index.
    let hubs: [HubMetrics]
    /// The gauges that a scrape reads from the core's status.
    let status: StatusGauges
    let lag: LagGauges
    let health: HealthGauges
    private let shownConfig = Locked<String?>(nil)
    private let expressLatency: Histogram
    private let normalLatency: Histogram
    private let outcomes: [OutcomeKind: Counter]
    private let counters = Locked<[CounterKey: Counter]>([:])
    private let tombstones: Counter
    private let recognitions: Counter
    private let repairs: Counter
    private let writeFailures: Counter
    private let restorations: Histogram

    /// The name of a counter and the value of its only dimension.
    private struct CounterKey: Hashable {
        var name: String
        var value: String
    }

    /// From the shortest possible latency to an age at which it is no longer news.
    private static let latencyBuckets: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600,
    ]

    /// Makes the metrics of a worker that has done nothing yet.
    ///
    /// - Parameter hubs: The names of its hubs, as in outcomes.
    init(hubs: [String] = []) {
        let registry = registry
        func latency(_ lane: String) -> Histogram {
            registry.histogram(
                "newsflash_accept_latency_seconds",
                help: "Time from publication to acceptance by the hub.",
                unit: "seconds",
                dimensions: [("lane", lane)],
                buckets: Self.latencyBuckets
            )
        }
        expressLatency = latency("express")
        normalLatency = latency("normal")
        self.hubs = hubs.map { HubMetrics($0, registry) }
        let outcomes = OutcomeKind.allCases.map { kind in
            (
                kind,
                registry.counter(
                    "newsflash_outcomes",
                    help: "Final outcomes.",
                    dimensions: [("outcome", kind.rawValue)]
                )
            )
        }
        self.outcomes = Dictionary(uniqueKeysWithValues: outcomes)
        tombstones = registry.counter("newsflash_tombstones", help: "Skipped records without a value.")
        writeFailures = registry.counter("newsflash_write_failures", help: "Failed writes of outcomes or dead letters.")
        recognitions = registry.counter(
            "newsflash_recognized_records",
            help: "Records read again that were already processed."
        )
        repairs = registry.counter("newsflash_ledger_repairs", help: "Repaired records of late writers.")
        restorations = registry.histogram(
            "newsflash_ledger_restore_seconds",
            help: "Time from the assignment of a partition until its ledger was read.",
            unit: "seconds"
        )
        status = StatusGauges(hubs: hubs, registry)
        lag = LagGauges(registry)
        health = HealthGauges(registry)
        ProcessMetrics.add(to: registry)
        for reason in InvalidReason.known.map(\.rawValue) + EventVerdict.failureReasons { _ = deadLetters(reason) }
        for label in ["unavailable", "unknown"] { _ = retries(label) }
    }

    func ended(_ outcome: OutcomeRecord) {
        let kind = outcome.verdict.outcome
        outcomes[kind]?.increment()
        if kind.isDeadLetter { deadLetters(outcome.verdict.reason ?? kind.rawValue).increment() }
        // A replay was published long ago, and subscribers did not wait for it, so it has no latency.
        guard outcome.replay == nil, let milliseconds = outcome.timing.firstAccept else { return }
        let isExpress = outcome.kind == "flash" || outcome.kind == "kill"
        (isExpress ? expressLatency : normalLatency).observe(max(0, milliseconds / 1000))
    }

    func retried(_ label: String) { retries(label).increment() }

    func passedTombstone() { tombstones.increment() }

    func recognized() { recognitions.increment() }

    func repaired() { repairs.increment() }

    func writeFailed() { writeFailures.increment() }

    /// Records that a partition's ledger was read.
    ///
    /// - Parameter duration: The time since the partition was assigned.
    func restored(after duration: Duration) { restorations.observe(duration.inSeconds) }

    /// Shows the number of dropped log lines.
    ///
    /// - Parameter logger: The log.
    func show(_ logger: Logger) {
        registry.counter(
            "newsflash_log_lines_dropped",
            help: "Log lines dropped because the output was too slow."
        ) { Double(logger.droppedLines) }
    }

    /// Shows the version and the rules in force.
    ///
    /// - Parameter digest: The digest of the rules in force, which may change before the next scrape.
    func showBuild(config digest: String) {
        func dimensions(_ digest: String) -> [(String, String)] {
            [("version", WorkerVersion.current), ("librdkafka", KafkaLibrary.version), ("config", digest)]
        }
        shownConfig.withLock { shown in
            guard shown != digest else { return }
            if let shown { registry.remove("newsflash_build_info", dimensions: dimensions(shown)) }
            registry.gauge(
                "newsflash_build_info",
                help: "Always 1; the labels contain the versions and the digest of the rules.",
                dimensions: dimensions(digest)
            ).set(1)
            shown = digest
        }
    }

    private func deadLetters(_ reason: String) -> Counter {
        counter("newsflash_dead_letters", "Dead letters.", ("reason", reason))
    }

    private func retries(_ label: String) -> Counter {
        counter("newsflash_retries", "Requests that will be retried.", ("error", label))
    }

    /// The counter for one value, created once. The values come from our closed lists.
    private func counter(_ name: String, _ help: String, _ dimension: (String, String)) -> Counter {
        counters.withLock { counters in
            let key = CounterKey(name: name, value: dimension.1)
            if let counter = counters[key] { return counter }
            let counter = registry.counter(name, help: help, dimensions: [dimension])
            counters[key] = counter
            return counter
        }
    }
}
