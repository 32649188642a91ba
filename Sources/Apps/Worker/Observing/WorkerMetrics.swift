import Locks
import OpenMetrics
import Publishing

/// The worker's metrics; each says in its help what it means.
final class WorkerMetrics: Sendable {
    let registry = MetricsRegistry()
    private let expressLatency: Histogram
    private let normalLatency: Histogram
    /// Of each kind of outcome that there was so far.
    private let outcomes = Locked<[OutcomeKind: Counter]>([:])
    private let counters = Locked<[CounterKey: Counter]>([:])
    private let tombstones: Counter
    private let recognitions: Counter
    private let repairs: Counter
    private let writeFailures: Counter
    private let gauges: Gauges

    /// A counter's name and the value of its one dimension.
    private struct CounterKey: Hashable {
        var name: String
        var value: String
    }

    /// What the publishing thread sets each turn.
    private struct Gauges: Sendable {
        let inFlight: Gauge
        let concurrency: Gauge
        let rate: Gauge
        let paused: Gauge
        let events: [String: Gauge]
        let ahead: Gauge
        let sourceHolds: Gauge
        let unconfirmed: Gauge
        let droppedLines: Gauge
        let stories: Gauge
        let storyBytes: Gauge
        let partitions: Gauge
        let oldest: Gauge
        let held: [HoldReason: Gauge]

        init(_ registry: MetricsRegistry) {
            inFlight = registry.gauge("newsflash_requests_in_flight", help: "Requests to the hub under way.")
            concurrency = registry.gauge(
                "newsflash_hub_concurrency_limit",
                help: "Requests at once that the hub takes well, as far as the worker has found out."
            )
            rate = registry.gauge(
                "newsflash_hub_rate_limit",
                help: "Requests a second that the hub takes, learned from its refusals; 0 where no bound is known."
            )
            paused = registry.gauge("newsflash_hub_paused", help: "1 while the hub has asked for a pause.")
            events = Dictionary(
                uniqueKeysWithValues: EventPhase.names.map { phase in
                    let dimensions = [("phase", phase)]
                    return (
                        phase, registry.gauge("newsflash_events", help: "Events on their way.", dimensions: dimensions)
                    )
                }
            )
            sourceHolds = registry.gauge(
                "newsflash_source_holds",
                help: "Orders in force that keep the news of a source, or of all."
            )
            ahead = registry.gauge(
                "newsflash_events_ahead",
                help: "Express events on their way that the scout found and the reader has not come to."
            )
            unconfirmed = registry.gauge("newsflash_unconfirmed_writes", help: "Ends of events that are not confirmed.")
            droppedLines = registry.gauge(
                "newsflash_log_lines_dropped",
                help: "Log lines that found no room because nobody read them, since the start."
            )
            stories = registry.gauge("newsflash_stories", help: "Stories that the worker knows of.")
            storyBytes = registry.gauge(
                "newsflash_story_bytes",
                help: "What the stories take in memory.",
                unit: "bytes"
            )
            partitions = registry.gauge("newsflash_assigned_partitions", help: "Source partitions of this worker.")
            oldest = registry.gauge(
                "newsflash_oldest_open_event_seconds",
                help: "Since the oldest open event was consumed.",
                unit: "seconds"
            )
            var held: [HoldReason: Gauge] = [:]
            for reason in HoldReason.allCases {
                held[reason] = registry.gauge(
                    "newsflash_line_held",
                    help: "1 while sending is stopped for this reason.",
                    dimensions: [("reason", reason.rawValue)]
                )
            }
            self.held = held
        }
    }

    init() {
        let registry = registry
        func latency(_ lane: String) -> Histogram {
            registry.histogram(
                "newsflash_accept_latency_seconds",
                help: "From published to accepted by the hub.",
                unit: "seconds",
                dimensions: [("lane", lane)]
            )
        }
        expressLatency = latency("express")
        normalLatency = latency("normal")
        tombstones = registry.counter("newsflash_tombstones", help: "Records without a value, passed over.")
        writeFailures = registry.counter("newsflash_write_failures", help: "Outcomes or dead letters not confirmed.")
        recognitions = registry.counter(
            "newsflash_recognized_records",
            help: "Records met again that the ledger knows as done."
        )
        repairs = registry.counter("newsflash_ledger_repairs", help: "Records of late writers that were mended.")
        gauges = Gauges(registry)
    }

    func ended(_ outcome: OutcomeRecord) {
        let verdict = outcome.verdict
        counter(of: verdict.outcome).increment()
        if verdict.isDeadLetter {
            let reason = verdict.reason ?? verdict.outcome.rawValue
            counter("newsflash_dead_letters", "Dead letters.", ("reason", reason)).increment()
        }
        guard let milliseconds = outcome.timing.firstAccept else { return }
        let isExpress = outcome.kind == "flash" || outcome.kind == "kill"
        (isExpress ? expressLatency : normalLatency).observe(max(0, milliseconds / 1000))
    }

    func retried(_ label: String) {
        counter("newsflash_retries", "Requests that will be tried again.", ("error", label)).increment()
    }

    func passedTombstone() { tombstones.increment() }

    func recognized() { recognitions.increment() }

    func repaired() { repairs.increment() }

    func writeFailed() { writeFailures.increment() }

    func set(_ status: PublishingStatus, oldestAge: Double, droppedLines: Int) {
        gauges.droppedLines.set(Double(droppedLines))
        gauges.inFlight.set(Double(status.inFlight))
        gauges.concurrency.set(Double(status.concurrencyLimit))
        gauges.rate.set(status.rateLimit ?? 0)
        gauges.paused.set(status.pausedUntil == nil ? 0 : 1)
        for (phase, gauge) in gauges.events { gauge.set(Double(status.events[phase] ?? 0)) }
        gauges.ahead.set(Double(status.ahead))
        gauges.sourceHolds.set(Double(status.sourceHolds.count))
        gauges.unconfirmed.set(Double(status.unconfirmed))
        gauges.stories.set(Double(status.stories))
        gauges.storyBytes.set(Double(status.storyBytes))
        gauges.partitions.set(Double(status.partitions.count))
        gauges.oldest.set(oldestAge)
        for (reason, gauge) in gauges.held { gauge.set(status.hold?.reason == reason ? 1 : 0) }
    }

    /// The counter of one kind of outcome, made when there is the first.
    private func counter(of outcome: OutcomeKind) -> Counter {
        outcomes.withLock { counters in
            if let counter = counters[outcome] { return counter }
            let dimensions = [("outcome", outcome.rawValue)]
            let counter = registry.counter("newsflash_outcomes", help: "Final outcomes.", dimensions: dimensions)
            counters[outcome] = counter
            return counter
        }
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
