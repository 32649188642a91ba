import NewsflashEvents

/// Whether each kill reached every hub that had accepted news of its story, whatever the kill's revision is.
///
/// The acceptances of the hubs count, not the outcomes, so requests without an answer count as well, and also requests
/// in flight when their worker died. Only a kill that failed, because too many answers were lost, is left to a person.
package struct WithdrawalReachesAll: Guarantee {
    package let faults: [String]
    /// The number of stories that were withdrawn after a hub had accepted news of them, by the label of the hub.
    package let reached: [String: Int]
    /// The number of these withdrawals whose revision was not higher than that of the news.
    package let ofNoHigherRevision: Int

    /// Checks the acceptances of stories with a kill.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of the run.
    ///   - explained: The numbers of acceptances that may be repeats.
    package init(_ evidence: Evidence, explained: Set<Int>) {
        let kills = Self.kills(of: evidence)
        var stories: [AtHub: Notified] = [:]
        var order: [AtHub] = []
        for (number, acceptance) in evidence.acceptances.enumerated() {
            guard let kill = kills[acceptance.story] else { continue }
            let key = acceptance.storyAtHub
            if stories[key] == nil { order.append(key) }
            if kill.events.contains(acceptance.event) {
                stories[key, default: Notified()].withdrawal = acceptance
            } else if stories[key]?.withdrawal == nil || !explained.contains(number) {
                stories[key, default: Notified()].add(acceptance)
            }
        }
        var faults: [String] = []
        var reached: [String: Int] = [:]
        var ofNoHigherRevision = 0
        for key in order {
            guard let story = stories[key], let news = story.news, let kill = kills[key.name] else { continue }
            if let withdrawal = story.withdrawal {
                reached[key.hub, default: 0] += 1
                if withdrawal.revision <= story.highest { ofNoHigherRevision += 1 }
            } else if !kill.hasFailed {
                let events = kill.events.sorted().joined(separator: " and ")
                faults.append("\(key.hub) accepted \(news.event) by \(news.worker), and \(events) never (\(kill.word))")
            }
        }
        self.faults = faults
        self.reached = reached
        self.ofNoHigherRevision = ofNoHigherRevision
    }

    package var figures: String {
        let hubs = reached.sorted { $0.key < $1.key }.map { "\($0.value) at \($0.key)" }
        guard !hubs.isEmpty else { return "\(faults.count) withdrawals missed" }
        return "\(faults.count) withdrawals missed (\(hubs.joined(separator: ", ")); "
            + "\(ofNoHigherRevision) of no higher revision)"
    }

    /// The kills of a story that have ended.
    private struct Kill {
        var events: Set<String> = []
        /// The outcome of the last kill.
        var word = ""
        /// Whether one failed, which is permitted.
        var hasFailed = false
    }

    /// The state of a story at a hub.
    private struct Notified {
        /// The last accepted news.
        private(set) var news: Acceptance?
        /// The highest revision of accepted news.
        private(set) var highest = Int64.min
        /// The kill that was accepted after the news.
        var withdrawal: Acceptance?

        mutating func add(_ acceptance: Acceptance) {
            news = acceptance
            highest = max(highest, acceptance.revision)
            withdrawal = nil
        }
    }

    private static func kills(of evidence: Evidence) -> [String: Kill] {
        var kills: [String: Kill] = [:]
        for (number, record) in evidence.records.enumerated() where record.kind == .kill {
            guard let place = evidence.places[number], let outcome = evidence.outcomes[place]?.first else { continue }
            let hasFailed = ["failed", "partial", "unknown"].contains(outcome.word)
            kills[record.story, default: Kill()].events.insert(record.event)
            kills[record.story]?.word = outcome.word
            if hasFailed, record.permitted.contains(outcome.word) { kills[record.story]?.hasFailed = true }
        }
        return kills
    }
}
