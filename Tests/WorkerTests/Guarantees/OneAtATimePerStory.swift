import HubEmulator
import Timestamps

/// Of a story at most one request is under way.
///
/// Shows in the times of acceptance at a hub that answers late: whoever waits for the answer cannot be accepted again
/// sooner.
struct OneAtATimePerStory {
    /// How late the hub answers.
    let latency: Duration

    /// Where two sends of a story were too close.
    func violations(in sends: [SendRecord]) -> [String] {
        var latest: [String: Timestamp] = [:]
        var violations: [String] = []
        for send in sends {
            let story = send.property("story") ?? ""
            if let before = latest.updateValue(send.time, forKey: story), send.time - before < latency {
                violations.append("\(story): send \(send.sequence) before the answer to the last")
            }
        }
        return violations
    }
}
