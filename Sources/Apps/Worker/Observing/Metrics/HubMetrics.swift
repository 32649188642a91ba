import NotificationHubs
import OpenMetrics
import Timestamps

/// The requests to one hub: counts by result, and response times.
final class HubMetrics: Sendable {
    private let results: [Counter]
    private let seconds: Histogram

    init(_ hub: String, _ registry: MetricsRegistry) {
        results = HubReply.Verdict.examples.map { verdict in
            registry.counter(
                "newsflash_hub_requests",
                help: "Requests to the hub by result, including probes.",
                dimensions: [("hub", hub), ("result", verdict.label)]
            )
        }
        seconds = registry.histogram(
            "newsflash_hub_request_seconds",
            help: "Time from the first byte of a request to its response, if there was one.",
            unit: "seconds",
            dimensions: [("hub", hub)]
        )
    }

    /// Counts one request.
    ///
    /// - Parameters:
    ///   - verdict: The result.
    ///   - duration: The response time, if the hub responded.
    func ended(_ verdict: HubReply.Verdict, took duration: Duration?) {
        results[verdict.place].increment()
        if let duration { seconds.observe(duration.inSeconds) }
    }
}

extension HubReply.Verdict {
    /// One verdict of each kind, in the order of ``place``.
    fileprivate static let examples: [HubReply.Verdict] = [
        .accepted, .throttled(after: nil), .refused, .unauthorized, .forbidden, .notFound, .gone, .unavailable,
        .notSent, .unknown,
    ]

    fileprivate var place: Int {
        switch self {
        case .accepted: 0
        case .throttled: 1
        case .refused: 2
        case .unauthorized: 3
        case .forbidden: 4
        case .notFound: 5
        case .gone: 6
        case .unavailable: 7
        case .notSent: 8
        case .unknown: 9
        }
    }
}
