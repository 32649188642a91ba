import OpenMetrics

/// What health says, as numbers: an alert needs no second way to ask.
struct HealthGauges: Sendable {
    private let ready: Gauge
    private let unready: [Readiness.Cause: Gauge]
    private let kafkaFaults: Gauge

    init(_ registry: MetricsRegistry) {
        ready = registry.gauge("newsflash_ready", help: "1 while the worker does its work, as /readyz says.")
        unready = Dictionary(
            uniqueKeysWithValues: Readiness.Cause.all.map { cause in
                (
                    cause,
                    registry.gauge(
                        "newsflash_unready",
                        help: "1 while this keeps the worker from its work; /readyz says what to do.",
                        dimensions: [("reason", cause.word)]
                    )
                )
            }
        )
        kafkaFaults = registry.gauge("newsflash_kafka_faults", help: "Complaints of Kafka that stand.")
    }

    /// Shows what health says.
    ///
    /// - Parameters:
    ///   - readiness: What it says.
    ///   - faults: How many complaints of Kafka stand.
    func set(_ readiness: Readiness, kafkaFaults faults: Int) {
        ready.set(readiness.isReady ? 1 : 0)
        for (cause, gauge) in unready { gauge.set(readiness.causes.contains(cause) ? 1 : 0) }
        kafkaFaults.set(Double(faults))
    }
}
