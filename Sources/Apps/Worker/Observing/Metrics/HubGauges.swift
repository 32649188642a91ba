import OpenMetrics
import Publishing

/// The state of one hub at a scrape: its requests in flight, its limits, and whether its circuit is open.
struct HubGauges: Sendable {
    private let inFlight: Gauge
    private let concurrency: Gauge
    private let rate: Gauge
    private let throttled: Gauge
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
        for (reason, gauge) in open { gauge.set(hub.hold?.reason == reason ? 1 : 0) }
    }
}
