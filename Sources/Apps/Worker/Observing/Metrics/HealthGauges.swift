import OpenMetrics

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
