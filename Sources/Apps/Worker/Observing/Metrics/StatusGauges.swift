import NewsflashBasics
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The gauges that a scrape reads from the latest status of the publishing core.
///
/// They are set at a scrape, so that they are current and cost nothing otherwise.
struct StatusGauges: Sendable {
    private let hubs: [String: HubGauges]
    private let events: [String: Gauge]
    private let ahead: Gauge
    private let pauses: Gauge
    private let unconfirmed: Gauge
    private let oldestUnconfirmed: Gauge
    private let stories: Gauge
    private let storyBytes: Gauge
    private let partitions: Gauge
    private let oldest: Gauge

    /// Makes the gauges of a worker.
    ///
    /// - Parameters:
    ///   - hubs: The names of its hubs, as in outcomes.
    ///   - registry: The registry that shows them.
    init(hubs: [String], _ registry: MetricsRegistry) {
        self.hubs = Dictionary(hubs.map { ($0, HubGauges($0, registry)) }) { first, _ in first }
        events = Dictionary(
            uniqueKeysWithValues: PublishingStatus.stateNames.map { phase in
                let dimensions = [("phase", phase)]
                return (phase, registry.gauge("newsflash_events", help: "Open events.", dimensions: dimensions))
            }
        )
        pauses = registry.gauge(
            "newsflash_pauses",
            help: "Pauses in force, of a source or of all sources."
        )
        ahead = registry.gauge(
            "newsflash_events_ahead",
            help: "Open express events that the priority scan found ahead of the consumer."
        )
        unconfirmed = registry.gauge("newsflash_unconfirmed_writes", help: "Writes that Kafka has not confirmed.")
        oldestUnconfirmed = registry.gauge(
            "newsflash_oldest_unconfirmed_seconds",
            help: "Age of the oldest write that Kafka has not confirmed; 0 if there is none.",
            unit: "seconds"
        )
        stories = registry.gauge("newsflash_stories", help: "Stories known to the worker.")
        storyBytes = registry.gauge(
            "newsflash_story_bytes",
            help: "Memory used by stories.",
            unit: "bytes"
        )
        partitions = registry.gauge("newsflash_assigned_partitions", help: "Source partitions of this worker.")
        oldest = registry.gauge(
            "newsflash_oldest_open_event_seconds",
            help: "Time since the oldest open event was consumed, except events in the ledger.",
            unit: "seconds"
        )
    }

    /// Shows the state of hubs.
    func set(_ states: [PublishingStatus.Hub]) {
        for state in states { hubs[state.name]?.set(state) }
    }

    /// Shows a status.
    func set(_ status: PublishingStatus, age: Duration, now: Timestamp) {
        set(status.hubs)
        for (phase, gauge) in events { gauge.set(Double(status.events[phase] ?? 0)) }
        ahead.set(Double(status.ahead))
        pauses.set(Double(status.pauses.count))
        unconfirmed.set(Double(status.unconfirmed))
        oldestUnconfirmed.set(status.unconfirmedFor.map { ($0 + age).inSeconds } ?? 0)
        stories.set(Double(status.stories))
        storyBytes.set(Double(status.storyBytes))
        partitions.set(Double(status.partitions.count))
        oldest.set(status.oldestConsumedAt.map { max(0, (now - $0).inSeconds) } ?? 0)
    }
}

/// The state of one hub at a scrape: its requests in flight, its limits, and whether its circuit is open.
struct HubGauges: Sendable {
    private let inFlight: Gauge
    private let concurrency: Gauge
    private let rate: Gauge
    private let throttled: Gauge
    private let limits: [SendingLimit: Gauge]
    private let open: [CircuitReason: Gauge]

    /// Makes the gauges of a hub.
    ///
    /// - Parameters:
    ///   - hub: Its name, as in outcomes.
    ///   - registry: The registry that shows them.
    init(_ hub: String, _ registry: MetricsRegistry) {
        func gauge(_ name: String, _ help: String) -> Gauge {
            registry.gauge(name, help: help, dimensions: [("hub", hub)])
        }
        inFlight = gauge("newsflash_requests_in_flight", "Requests to the hub in flight.")
        concurrency = gauge(
            "newsflash_hub_concurrency_limit",
            "The measured number of concurrent requests that the hub handles well."
        )
        rate = gauge(
            "newsflash_hub_rate_limit",
            "Requests per second that the hub accepts, measured by its throttling; 0 if no limit is known."
        )
        throttled = gauge("newsflash_hub_throttled", "1 until the end of the pause that the hub asked for.")
        limits = Dictionary(
            uniqueKeysWithValues: SendingLimit.allCases.map { limit in
                let gauge = registry.gauge(
                    "newsflash_hub_limit",
                    help: "1 for the reason for which the next request waits; idle if none waits.",
                    dimensions: [("hub", hub), ("limit", limit.rawValue)]
                )
                return (limit, gauge)
            }
        )
        open = Dictionary(
            uniqueKeysWithValues: CircuitReason.allCases.map { reason in
                let gauge = registry.gauge(
                    "newsflash_circuit_open",
                    help: "1 while sending to the hub is stopped for this reason.",
                    dimensions: [("hub", hub), ("reason", reason.rawValue)]
                )
                return (reason, gauge)
            }
        )
    }

    /// Shows the state of the hub.
    func set(_ hub: PublishingStatus.Hub) {
        inFlight.set(Double(hub.inFlight))
        concurrency.set(Double(hub.concurrencyLimit))
        rate.set(hub.rateLimit ?? 0)
        throttled.set(hub.pausedUntil == nil ? 0 : 1)
        for (limit, gauge) in limits { gauge.set(hub.limit == limit ? 1 : 0) }
        for (reason, gauge) in open { gauge.set(hub.circuit?.reason == reason ? 1 : 0) }
    }
}

/// The lag of each partition. The series of revoked partitions are removed.
final class LagGauges: Sendable {
    private let registry: MetricsRegistry
    private let shown = Locked<Set<TopicPartition>>([])

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

extension TopicPartition {
    fileprivate var dimensions: [(String, String)] { [("topic", topic), ("partition", String(partition))] }
}

/// The worker's health as metrics, so that alerts need no other source.
struct HealthGauges: Sendable {
    private let ready: Gauge
    private let unready: [Readiness.Cause: Gauge]
    private let kafkaFaults: Gauge

    init(_ registry: MetricsRegistry) {
        ready = registry.gauge("newsflash_ready", help: "1 if the worker is ready, as in /readyz.")
        unready = Dictionary(
            uniqueKeysWithValues: Readiness.Cause.all.map { cause in
                (
                    cause,
                    registry.gauge(
                        "newsflash_unready",
                        help: "1 if the worker is not ready for this reason; /readyz has the remedy.",
                        dimensions: [("reason", cause.word)]
                    )
                )
            }
        )
        kafkaFaults = registry.gauge("newsflash_kafka_faults", help: "Current Kafka faults.")
    }

    /// Sets the gauges.
    ///
    /// - Parameters:
    ///   - readiness: The readiness.
    ///   - faults: The number of current Kafka faults.
    func set(_ readiness: Readiness, kafkaFaults faults: Int) {
        ready.set(readiness.isReady ? 1 : 0)
        for (cause, gauge) in unready { gauge.set(readiness.causes.contains(cause) ? 1 : 0) }
        kafkaFaults.set(Double(faults))
    }
}
