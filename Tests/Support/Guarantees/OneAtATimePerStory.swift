import NewsflashTimestamps

/// Whether each story had at most one request in flight.
///
/// The times of acceptance at a slow hub show it, because a worker that waits for the response sends no other request
/// before it.
package struct OneAtATimePerStory: Guarantee {
    package let faults: [String]

    /// Checks all acceptances.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of the run.
    ///   - latency: The delay of the hub's answers.
    package init(_ evidence: Evidence, latency: Duration) {
        var latest: [String: Acceptance] = [:]
        var faults: [String] = []
        for acceptance in evidence.acceptances {
            if let before = latest.updateValue(acceptance, forKey: acceptance.story),
                acceptance.time - before.time < latency
            {
                faults.append(
                    "\(acceptance.event) \((acceptance.time - before.time).milliseconds) after \(before.event), before its response"
                )
            }
        }
        self.faults = faults
    }

    package var figures: String { "\(faults.count) at the same time" }
}
