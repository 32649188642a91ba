import Kafka
import Locks
import NewsEvents
import OpenMetrics
import Publishing
import StructuredLog
import Timestamps

/// The worker's metrics; each says in its help what it means.
///
/// Every series that an alert may ask for is there from the start, with zero: a counter that begins with its first event shows
/// no increase by it. Counts are kept by the threads where things happen; what is only looked at is taken at a scrape.
final class WorkerMetrics: Sendable {
    let registry = MetricsRegistry()
    /// Requests, by the places of their hubs.
    let hubs: [HubMetrics]
    /// What a scrape takes from a snapshot.
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

    /// A counter's name and the value of its one dimension.
    private struct CounterKey: Hashable {
        var name: String
        var value: String
    }

    /// From how soon nobody could do better, to how late it is no news any more.
    private static let latencyBuckets: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600,
    ]

    /// Makes the metrics of a worker that has done nothing yet.
    ///
    /// - Parameter hubs: The names of its hubs, as outcomes have them.
    init(hubs: [String] = []) {
        let registry = registry
        func latency(_ lane: String) -> Histogram {
            registry.histogram(
                "newsflash_accept_latency_seconds",
                help: "From published to accepted by the hub.",
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
        tombstones = registry.counter("newsflash_tombstones", help: "Records without a value, passed over.")
        writeFailures = registry.counter("newsflash_write_failures", help: "Outcomes or dead letters not confirmed.")
        recognitions = registry.counter(
            "newsflash_recognized_records",
            help: "Records met again that the ledger knows as done."
        )
        repairs = registry.counter("newsflash_ledger_repairs", help: "Records of late writers that were mended.")
        restorations = registry.histogram(
            "newsflash_ledger_restore_seconds",
            help: "From the assignment of a partition until its ledger was read.",
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
        // What a person ordered once more was published long ago, and its readers did not wait for it since.
        guard outcome.replay == nil, let milliseconds = outcome.timing.firstAccept else { return }
        let isExpress = outcome.kind == "flash" || outcome.kind == "kill"
        (isExpress ? expressLatency : normalLatency).observe(max(0, milliseconds / 1000))
    }

    func retried(_ label: String) { retries(label).increment() }

    func passedTombstone() { tombstones.increment() }

    func recognized() { recognitions.increment() }

    func repaired() { repairs.increment() }

    func writeFailed() { writeFailures.increment() }

    /// Takes note that a partition's ledger was read.
    ///
    /// - Parameter duration: Since the partition was assigned.
    func restored(after duration: Duration) { restorations.observe(duration.inSeconds) }

    /// Shows how many lines of a log were lost.
    ///
    /// - Parameter logger: Which log.
    func show(_ logger: Logger) {
        registry.counter(
            "newsflash_log_lines_dropped",
            help: "Log lines that found no room because nobody read them."
        ) { Double(logger.droppedLines) }
    }

    /// Shows what runs here.
    ///
    /// - Parameter digest: Of the rules in force, which may be others by the next scrape.
    func showBuild(config digest: String) {
        func dimensions(_ digest: String) -> [(String, String)] {
            [("version", WorkerVersion.current), ("librdkafka", KafkaLibrary.version), ("config", digest)]
        }
        shownConfig.withLock { shown in
            guard shown != digest else { return }
            if let shown { registry.remove("newsflash_build_info", dimensions: dimensions(shown)) }
            registry.gauge(
                "newsflash_build_info",
                help: "1; the labels say which version runs, by which rules.",
                dimensions: dimensions(digest)
            ).set(1)
            shown = digest
        }
    }

    private func deadLetters(_ reason: String) -> Counter {
        counter("newsflash_dead_letters", "Dead letters.", ("reason", reason))
    }

    private func retries(_ label: String) -> Counter {
        counter("newsflash_retries", "Requests that will be tried again.", ("error", label))
    }

    /// The counter of one value, made once; values come from closed lists of ours.
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
