import NewsflashEvents

/// Whether the hubs accepted the revisions of each story in order.
///
/// Kills are not checked here, because a kill has effect whatever its revision is, and ``NothingForbiddenSent`` checks
/// later acceptances. A repeat that ``NoNeedlessDoubles`` explains does not break the order. An event that is accepted
/// for the first time after a newer one always does.
package struct OrderedPerStory: Guarantee {
    package let faults: [String]

    /// Checks all acceptances.
    ///
    /// - Parameters:
    ///   - evidence: The evidence of the run.
    ///   - explained: The numbers of acceptances that may be repeats.
    package init(_ evidence: Evidence, explained: Set<Int>) {
        let kills = Set(evidence.records.lazy.filter { $0.kind == .kill }.map(\.event))
        var highest: [String: Acceptance] = [:]
        var faults: [String] = []
        for (number, acceptance) in evidence.acceptances.enumerated() where !kills.contains(acceptance.event) {
            guard let before = highest[acceptance.story], before.revision > acceptance.revision else {
                highest[acceptance.story] = acceptance
                continue
            }
            guard !explained.contains(number) else { continue }
            faults.append(
                "\(acceptance.event) by \(acceptance.worker) after revision \(before.revision) by \(before.worker)"
            )
        }
        self.faults = faults
    }

    package var figures: String { "\(faults.count) out of order" }
}
