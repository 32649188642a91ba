import OpenMetrics
import Publishing
import Timestamps

/// What a scrape takes from the latest snapshot of the publishing machine.
///
/// Set when somebody asks, so that nobody's asking costs nothing and what is shown is of this moment.
struct StatusGauges: Sendable {
    private let inFlight: Gauge
    private let concurrency: Gauge
    private let rate: Gauge
    private let paused: Gauge
    private let events: [String: Gauge]
    private let ahead: Gauge
    private let sourceHolds: Gauge
    private let unconfirmed: Gauge
    private let oldestUnconfirmed: Gauge
    private let stories: Gauge
    private let storyBytes: Gauge
    private let partitions: Gauge
    private let oldest: Gauge
    private let held: [HoldReason: Gauge]

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
        held = Dictionary(
            uniqueKeysWithValues: HoldReason.allCases.map { reason in
                (
                    reason,
                    registry.gauge(
                        "newsflash_line_held",
                        help: "1 while sending is stopped for this reason.",
                        dimensions: [("reason", reason.rawValue)]
                    )
                )
            }
        )
    }

    /// Shows a snapshot.
    ///
    /// - Parameters:
    ///   - status: The snapshot.
    ///   - age: How old it is.
    ///   - now: The present.
    func set(_ status: PublishingStatus, age: Duration, now: Timestamp) {
        inFlight.set(Double(status.inFlight))
        concurrency.set(Double(status.concurrencyLimit))
        rate.set(status.rateLimit ?? 0)
        paused.set(status.pausedUntil == nil ? 0 : 1)
        for (phase, gauge) in events { gauge.set(Double(status.events[phase] ?? 0)) }
        ahead.set(Double(status.ahead))
        sourceHolds.set(Double(status.sourceHolds.count))
        unconfirmed.set(Double(status.unconfirmed))
        oldestUnconfirmed.set(status.unconfirmedFor.map { ($0 + age).inSeconds } ?? 0)
        stories.set(Double(status.stories))
        storyBytes.set(Double(status.storyBytes))
        partitions.set(Double(status.partitions.count))
        oldest.set(status.oldestConsumedAt.map { max(0, (now - $0).inSeconds) } ?? 0)
        for (reason, gauge) in held {
            gauge.set(status.hubs.contains { $0.hold?.reason == reason } || status.hold?.reason == reason ? 1 : 0)
        }
    }
}
