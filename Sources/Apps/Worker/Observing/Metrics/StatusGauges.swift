import OpenMetrics
import Publishing
import Timestamps

/// The gauges that a scrape reads from the latest status of the publishing core.
///
/// They are set at a scrape, so that they are current and cost nothing otherwise.
struct StatusGauges: Sendable {
    private let hubs: [String: HubGauges]
    private let events: [String: Gauge]
    private let ahead: Gauge
    private let sourceHolds: Gauge
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
        sourceHolds = registry.gauge(
            "newsflash_source_holds",
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
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - age: Its age.
    ///   - now: The current time.
    func set(_ status: PublishingStatus, age: Duration, now: Timestamp) {
        set(status.hubs)
        for (phase, gauge) in events { gauge.set(Double(status.events[phase] ?? 0)) }
        ahead.set(Double(status.ahead))
        sourceHolds.set(Double(status.sourceHolds.count))
        unconfirmed.set(Double(status.unconfirmed))
        oldestUnconfirmed.set(status.unconfirmedFor.map { ($0 + age).inSeconds } ?? 0)
        stories.set(Double(status.stories))
        storyBytes.set(Double(status.storyBytes))
        partitions.set(Double(status.partitions.count))
        oldest.set(status.oldestConsumedAt.map { max(0, (now - $0).inSeconds) } ?? 0)
    }
}
