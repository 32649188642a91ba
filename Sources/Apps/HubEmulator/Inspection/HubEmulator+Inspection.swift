import HTTPTransport
import Locks
import Timestamps

/// Requests below `/_emulator`.
extension HubEmulator {
    /// Answers from what is there now; the hub waits only until that is looked up, not while it is written.
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
            newsroom: newsDesk.withLock { $0 }?.facts
        )
        let (found, change) = change { inspection.look(&$0, about: facts) }
        publish(change)
        if let failure = change.failure { return .problem(500, failure.description) }
        return found()
    }

    /// Tells those who watch the console what became of an event.
    ///
    /// - Parameter outcome: From the worker.
    package func report(_ outcome: NewsOutcome) {
        streams.send([outcome.watched])
    }

    /// Sets who publishes the events that someone writes in the console.
    ///
    /// - Parameter desk: Nothing for nobody: the console then sends to the hub itself.
    package func setNewsDesk(_ desk: (any NewsDesk)?) {
        newsDesk.withLock { $0 = desk }
    }
}
