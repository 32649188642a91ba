import NewsflashPublishing

/// The events that differ, as `newsflash replay` prints them. Events that would not be sent now are grouped by reason, because
/// one wrong rule often ends all of them.
package struct ReplayList {
    /// The maximum number of events that are printed for each reason.
    private static let sampleCount = 3

    private let differing: [ReplayFinding]

    package init(_ findings: [ReplayFinding]) {
        differing = findings.filter { $0.difference != nil }
    }

    /// First the events that would be sent now, then those that would not, the most frequent reason first.
    package var lines: [String] {
        let ending = Dictionary(grouping: differing.filter { !$0.wouldBeSent }, by: \.reasonNow)
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return differing.filter(\.wouldBeSent).flatMap(\.lines) + ending.flatMap(Self.paragraph)
    }

    private static func paragraph(_ reason: String, _ findings: [ReplayFinding]) -> [String] {
        guard findings.count > 1 else { return findings.flatMap(\.lines) }
        var lines = ["now \(reason): \(counted(findings.count, "event"))"]
        lines += findings.prefix(sampleCount).flatMap(\.lines).map { "  " + $0 }
        if findings.count > sampleCount {
            lines.append("  and \(findings.count - sampleCount) more; --json lists all")
        }
        return lines
    }
}

extension ReplayFinding {
    /// The reason why the event would not be sent now, such as `invalid.unmapped`; empty if it would be sent.
    fileprivate var reasonNow: String {
        guard case .end(let verdict) = forecast.decision else { return "" }
        return verdict.reason ?? verdict.outcome.rawValue
    }
}
