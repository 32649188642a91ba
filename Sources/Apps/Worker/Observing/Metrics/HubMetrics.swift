import NotificationHubs
import OpenMetrics
import Timestamps

/// The requests to one hub: how many came to what, and how long the hub took.
final class HubMetrics: Sendable {
    private let results: [Counter]
    private let seconds: Histogram

    init(_ hub: String, _ registry: MetricsRegistry) {
        results = HubReply.Verdict.examples.map { verdict in
            registry.counter(
                "newsflash_hub_requests",
                help: "Requests to the hub, probes included, by what they came to.",
                dimensions: [("hub", hub), ("result", verdict.label)]
            )
        }
        seconds = registry.histogram(
            "newsflash_hub_request_seconds",
            help: "From the first byte of a request to its answer, where there was one.",
            unit: "seconds",
            dimensions: [("hub", hub)]
        )
    }

    /// Counts one request.
    ///
    /// - Parameters:
    ///   - verdict: What it came to.
    ///   - duration: How long the hub took, where it answered.
    func ended(_ verdict: HubReply.Verdict, took duration: Duration?) {
        results[verdict.place].increment()
        if let duration { seconds.observe(duration.inSeconds) }
    }
}

extension HubReply.Verdict {
    /// One of each, in the order of ``place``.
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
