import NewsEvents
import Timestamps

extension Event {
    /// When the requests of an event went, and when the hub took them.
    struct Times {
        var firstSend: Timestamp?
        private(set) var firstAccept: Timestamp?
        private(set) var lastAccept: Timestamp?

        /// Records that a hub accepted a request.
        ///
        /// - Returns: Whether it was the first of the event.
        mutating func noteAccept(at now: Timestamp) -> Bool {
            lastAccept = now
            guard firstAccept == nil else { return false }
            firstAccept = now
            return true
        }
    }

    /// What an outcome says of its way.
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
