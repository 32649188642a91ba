import Kafka
import NewsEvents
package import Publishing
import Timestamps
import TopicPartitions
import Worker

/// An outcome on one line: time, outcome, kind, story, source and audiences.
package struct TapLine {
    private static let longestListed = 4

    private let record: OutcomeRecord

    package init(_ record: OutcomeRecord) {
        self.record = record
    }

    /// Example: `2026-03-02T09:00:00.050Z  sent  flash  urn:desk:42  from urn:desk  2 of 2: main World (en), main World (fr)`.
    package var text: String {
        var parts = [record.at.rfc3339, record.verdict.reason ?? record.verdict.outcome.rawValue]
        parts.append(record.kind.isEmpty ? "unreadable" : record.kind)
        parts.append(record.story.isEmpty ? "\(record.origin.partition) offset \(record.origin.offset)" : record.story)
        if let source = record.source { parts.append("from \(source)") }
        if let replay = record.replay { parts.append("replay \(replay.id)") }
        if !record.targets.isEmpty { parts.append(audiences) }
        return parts.joined(separator: "  ")
    }

    private var audiences: String {
        let accepted = record.targets.count { $0.report.status == .accepted }
        var listed = record.targets.prefix(Self.longestListed).map { target in
            let request = target.request
            return "\(request.hub) \(request.tags.prefix(60))\(request.locale.map { " (\($0))" } ?? "")"
        }
        let more = record.targets.count - listed.count
        if more > 0 { listed.append("and \(more) more") }
        return "\(accepted) of \(record.targets.count): \(listed.joined(separator: ", "))"
    }
}
