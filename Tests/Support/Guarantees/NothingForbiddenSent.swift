import NewsflashEvents
import NewsflashTimestamps

/// Whether no event was sent that subscribers must not get, because it is expired, stale, killed, held or invalid.
///
/// After one hub has accepted a kill, no hub may accept an event of the story.
package struct NothingForbiddenSent: Guarantee {
    package let faults: [String]

    /// Checks all acceptances.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of the run.
    ///   - explained: The numbers of acceptances that may be repeats.
    package init(_ evidence: Evidence, explained: Set<Int>) {
        let rules = Rules(evidence)
        var kills: [String: Acceptance] = [:]
        var faults: [String] = []
        for (number, acceptance) in evidence.acceptances.enumerated() {
            if let end = rules.ends[acceptance.event], acceptance.time > end + evidence.patience.request {
                faults.append("\(acceptance.event) \((acceptance.time - end).milliseconds) after it had expired")
            }
            if !rules.sendable.contains(acceptance.event) {
                faults.append("\(acceptance.event), which must never be sent, by \(acceptance.worker)")
            } else if let kill = kills[acceptance.story], !explained.contains(number),
                acceptance.event != kill.event
            {
                faults.append("\(acceptance.event) after \(kill.event) had withdrawn the story")
            }
            if let hold = rules.holds[acceptance.story], acceptance.revision < hold.revision,
                acceptance.time > hold.since + evidence.patience.request, !explained.contains(number)
            {
                let late = (acceptance.time - hold.since).milliseconds
                faults.append("\(acceptance.event) \(late) after the story was held")
            }
            if rules.kills.contains(acceptance.event) { kills[acceptance.story] = acceptance }
        }
        self.faults = faults
    }

    package var figures: String { "\(faults.count) forbidden" }

    /// The rules of the plan, and the times from which they apply.
    private struct Rules {
        /// The end of each event's life.
        var ends: [String: Timestamp] = [:]
        /// The events that may be sent.
        var sendable: Set<String> = []
        /// The events that withdraw a story.
        var kills: Set<String> = []
        /// The time from which a story is held, by its first outcome.
        var holds: [String: (revision: Int64, since: Timestamp)] = [:]

        init(_ evidence: Evidence) {
            for (number, record) in evidence.records.enumerated() {
                if record.mayBeSent || record.isRepeat { sendable.insert(record.event) }
                if record.kind == .kill { kills.insert(record.event) }
                if let life = record.expires, let written = evidence.written[number] {
                    ends[record.event] = written + life
                }
                if record.kind == .hold, let place = evidence.places[number],
                    let outcome = evidence.outcomes[place]?.first
                {
                    holds[record.story] = (record.revision, outcome.at)
                }
            }
        }
    }
}
