import NewsflashTimestamps

/// The values in which the oracle records requests and acceptances.
extension Oracle {
    struct Place: Hashable {
        var partition: Int
        var offset: Int64
    }

    struct Acceptance {
        var unit: String
        var act: String
        var kind: String
        var revision: Int64
        var offset: Int64
        var state: RequestState
        var time: Instant
    }

    /// Requests and acceptances of one story.
    struct StoryLog {
        /// The acceptances by audience, in order.
        var accepted: [String: [Acceptance]] = [:]
        /// The first acceptance of a kill.
        var firstKill: Acceptance?
        /// The acts with at least one request, by audience.
        var attempts: [String: [String]] = [:]
        var acceptedCount = 0

        func accepted(of act: String) -> [Acceptance] {
            accepted.values.flatMap { $0.filter { $0.act == act } }
        }
    }
}
