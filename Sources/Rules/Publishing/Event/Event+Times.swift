import NewsflashEvents
import NewsflashTimestamps

extension Event {
    /// When the requests of an event began, and when the hub accepted them.
    struct Times {
        var firstSend: Timestamp?
        private(set) var firstAccept: Timestamp?
        private(set) var lastAccept: Timestamp?

        /// Records that a hub accepted a request.
        ///
        /// - Returns: Whether it was the first of the event.
        mutating func recordAcceptance(at now: Timestamp) -> Bool {
            lastAccept = now
            guard firstAccept == nil else { return false }
            firstAccept = now
            return true
        }
    }

    /// The times in its outcome.
    var timing: OutcomeRecord.Timing {
        let published = news.published
        let times = times
        var timing = OutcomeRecord.Timing()
        timing.consumed = consumedAt.milliseconds(since: published)
        timing.firstSend = times.firstSend.map { $0.milliseconds(since: published) }
        timing.firstAccept = times.firstAccept.map { $0.milliseconds(since: published) }
        timing.lastAccept = times.lastAccept.map { $0.milliseconds(since: published) }
        return timing
    }
}
