import HTTPTransport
import Locks
import Timestamps

/// Requests below `/_emulator`.
extension HubEmulator {
    /// Answers from the current state. The hub is locked only during the lookup, not while the response is written.
    func inspect(
        _ request: EmulatedRequest,
        segments: [String],
        target: RequestTarget,
        now: Timestamp
    ) -> HTTPResponse {
        let inspection = Inspection(
            request: request,
            segments: segments,
            target: target,
            host: target.host ?? request.headers["Host"] ?? configuration.host,
            now: now,
            journal: journal
        )
        let facts = EmulatorFacts(
            hubName: configuration.hubName,
            tier: configuration.tier,
            rules: rules,
            url: url,
            authority: authority,
            newsroom: newsPublisher.withLock { $0 }?.facts
        )
        let (found, change) = change { inspection.look(&$0, about: facts) }
        publish(change)
        if let failure = change.failure { return .problem(500, failure.description) }
        return found()
    }

    /// Sends the outcome of an event to the open consoles.
    ///
    /// - Parameter outcome: The outcome, as reported by the worker.
    package func report(_ outcome: NewsOutcome) {
        streams.send([outcome.watched])
    }

    /// Sets the publisher for events that are written in the console.
    ///
    /// - Parameter desk: The publisher; with `nil`, the console sends to the hub directly.
    package func setNewsPublisher(_ desk: (any NewsPublisher)?) {
        newsPublisher.withLock { $0 = desk }
    }
}
