import OpenMetrics
import Publishing
import Timestamps

/// What a scrape takes from the latest snapshot of the publishing machine.
///
/// Set when somebody asks, so that nobody's asking costs nothing and what is shown is of this moment.
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
    ///   - hubs: The names of its hubs, as outcomes have them.
    ///   - registry: The registry that shows them.
    init(hubs: [String], _ registry: MetricsRegistry) {
        self.hubs = Dictionary(hubs.map { ($0, HubGauges($0, registry)) }) { first, _ in first }
        events = Dictionary(
            uniqueKeysWithValues: PublishingStatus.stateNames.map { phase in
                let dimensions = [("phase", phase)]
                return (phase, registry.gauge("newsflash_events", help: "Events on their way.", dimensions: dimensions))
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
        oldestUnconfirmed = registry.gauge(
            "newsflash_oldest_unconfirmed_seconds",
            help: "How long the oldest write waits that Kafka has not confirmed; 0 where none does.",
            unit: "seconds"
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
    }

    /// Shows the state of hubs.
    func set(_ states: [PublishingStatus.Hub]) {
        for state in states { hubs[state.name]?.set(state) }
    }

    /// Shows a snapshot.
    ///
    /// - Parameters:
    ///   - status: The snapshot.
    ///   - age: How old it is.
    ///   - now: The present.
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
