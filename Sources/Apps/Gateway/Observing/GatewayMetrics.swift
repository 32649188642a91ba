import OpenMetrics
import Worker

/// The gateway's metrics: requests by action and result, never by user.
final class GatewayMetrics: Sendable {
    let registry = MetricsRegistry()

    /// Creates metrics with zero counts.
    init() {
        ProcessMetrics.add(to: registry)
        registry.gauge(
            "newsflash_gateway_build_info",
            help: "Always 1; the label is the running version.",
            dimensions: [("version", WorkerVersion.current)]
        ).set(1)
    }

    /// Counts a response.
    ///
    /// - Parameters:
    ///   - action: The action as in the audit log; `none` for an unknown address.
    ///   - status: The status of the response.
    ///   - duration: The time from the request's last byte to its response.
    func answered(_ action: String, status: Int, after duration: Duration) {
        registry.counter(
            "newsflash_gateway_requests",
            help: "Answered requests by action and status of the response.",
            dimensions: [("action", action), ("status", "\(status)")]
        ).increment()
        registry.histogram(
            "newsflash_gateway_request_seconds",
            help: "Time from a request's last byte to its response, by action.",
            unit: "seconds",
            dimensions: [("action", action)]
        ).observe(duration / .seconds(1))
    }

    /// Counts a refusal.
    ///
    /// - Parameter label: The reason, as in the response's member `error`.
    func refused(_ label: String) {
        registry.counter(
            "newsflash_gateway_refusals",
            help: "Refused requests by the error in their response.",
            dimensions: [("error", label)]
        ).increment()
    }
}
