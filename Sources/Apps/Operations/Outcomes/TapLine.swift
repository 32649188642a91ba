import NewsflashEvents
package import NewsflashPublishing
import NewsflashTimestamps

/// An outcome on one line: time, outcome, kind, story, source and audiences.
package struct TapLine {
    private static let longestListed = 4

    private let record: OutcomeRecord

    package init(_ record: OutcomeRecord) {
        self.record = record
    }

    /// The outcome for a screen: what does not fit continues on lines of its own. Without a width it is ``text``, in which
    /// characters that could control a terminal are escaped.
    package func lines(_ style: ScreenStyle) -> [String] {
        guard style.width != nil else { return [text.harmless] }
        var table = TextTable([.init(minimum: 24), .init(minimum: 8), .init(minimum: 10), .init("", .wrapped)])
        let parts = parts
        let tone: ScreenStyle.Tone? =
            switch record.verdict.outcome {
            case .partial, .held, .deferred: .caution
            case .failed, .invalid, .expired: .bad
            case .sent, .duplicate, .superseded, .suppressed, .shadow: nil
            }
        table.append([
            TextTable.Cell(parts[0]), TextTable.Cell(parts[1], tone), TextTable.Cell(parts[2]),
            TextTable.Cell(parts.dropFirst(3).joined(separator: "  ")),
        ])
        return table.lines(style)
    }

    /// Example: `2026-03-02T09:00:00.050Z  sent  flash  urn:desk:42  from urn:desk  2 of 2: main World (en), main World (fr)`.
    package var text: String { parts.joined(separator: "  ") }

    private var parts: [String] {
        var parts = [record.at.rfc3339, record.verdict.reason ?? record.verdict.outcome.rawValue]
        parts.append(record.kind.isEmpty ? "unreadable" : record.kind)
        parts.append(record.story.isEmpty ? "\(record.origin.partition) offset \(record.origin.offset)" : record.story)
        if let source = record.source { parts.append("from \(source)") }
        if let replay = record.replay { parts.append("replay \(replay.id)") }
        if !record.targets.isEmpty { parts.append(audiences) }
        return parts
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
