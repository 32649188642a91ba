import Timestamps

/// Whether of each story at most one request was in flight.
///
/// The times of acceptance at a hub that answers late show it: a worker that waits for the response is not accepted again
/// sooner.
package struct OneAtATimePerStory: Guarantee {
    package let faults: [String]

    /// Looks at all that the hub accepted.
    ///
    /// - Parameters:
    ///   - evidence: Everything that was seen.
    ///   - latency: How late the hub answers.
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
