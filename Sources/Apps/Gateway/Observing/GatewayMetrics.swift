import OpenMetrics
import Worker

/// What a gateway counts: requests by what they asked for and what came of them, never whose they were.
final class GatewayMetrics: Sendable {
    let registry = MetricsRegistry()

    /// Makes metrics in which nothing has happened.
    init() {
        ProcessMetrics.add(to: registry)
        registry.gauge(
            "newsflash_gateway_build_info",
            help: "1; the label says which version runs.",
            dimensions: [("version", WorkerVersion.current)]
        ).set(1)
    }

    /// Counts an answer.
    ///
    /// - Parameters:
    ///   - action: What was asked for, as the audit log calls it; `none` where it came to nothing that is served.
    ///   - status: Of the answer.
    ///   - duration: From the request's last byte to its answer.
    func answered(_ action: String, status: Int, after duration: Duration) {
        registry.counter(
            "newsflash_gateway_requests",
            help: "Requests that were answered, by what they asked for and the status of the answer.",
            dimensions: [("action", action), ("status", "\(status)")]
        ).increment()
        registry.histogram(
            "newsflash_gateway_request_seconds",
            help: "From a request's arrival to its answer, by what it asked for.",
            unit: "seconds",
            dimensions: [("action", action)]
        ).observe(duration / .seconds(1))
    }

    /// Counts a refusal.
    ///
    /// - Parameter label: Why, as the answer's member `error` says it.
    func refused(_ label: String) {
        registry.counter(
            "newsflash_gateway_refusals",
            help: "Requests that were refused, by the error that their answer names.",
            dimensions: [("error", label)]
        ).increment()
    }
}
