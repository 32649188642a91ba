import HTTPTransport
import NotificationHubs

/// Hears how the requests to one hub end: counts them, and hands them to the publishing thread.
final class HubReplies: HTTPResultReceiver {
    private let loop: PublishingLoop
    private let metrics: HubMetrics

    init(_ loop: PublishingLoop, _ metrics: HubMetrics) {
        self.loop = loop
        self.metrics = metrics
    }

    func receive(_ results: [HTTPExchangeResult]) {
        // On the transport's thread: the publishing thread has more to do.
        loop.receive(results) { reply, took in metrics.ended(reply.verdict, took: took) }
    }
}
