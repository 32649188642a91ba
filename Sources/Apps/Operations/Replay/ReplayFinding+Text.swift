import NewsflashEvents
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps

extension ReplayFinding {
    /// The finding for people: the event on one line, and below it the differences of its requests.
    package var lines: [String] {
        guard let difference else { return [] }
        let event = record.event
        let time = (record.timestamp ?? event.published).rfc3339
        var lines = [
            "\(difference.kind.rawValue)  \(record.place)  \(time)  \(event.kind.rawValue)  \(event.id)  story \(event.story)"
        ]
        lines += Self.list("no longer notified", difference.lost)
        lines += Self.list("newly notified", difference.gained)
        lines += Self.list("other words for", difference.reworded)
        if case .end(let verdict) = forecast.decision { lines.append("    now \(verdict.line)") }
        if let outcome, !outcome.verdict.isNotified { lines.append("    then \(outcome.verdict.line)") }
        return lines
    }

    private static func list(_ title: String, _ audiences: [PlanDifference.ComparedAudience]) -> [String] {
        audiences.map { "    \(title): \($0)" }
    }

    /// The finding as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            switch result {
            case .compared(let difference): writer.member("difference", difference.kind.rawValue)
            case .unknown: writer.member("difference", "unknown")
            case .overtaken: writer.member("difference", "overtaken")
            }
            writer.member("event", record.event.id)
            writer.member("source", record.event.source)
            writer.member("story", record.event.story)
            writer.member("revision", record.event.revision)
            writer.member("kind", record.event.kind.rawValue)
            writer.member("origin", record.place)
            writer.member("timestamp", record.timestamp?.rfc3339)
            if let difference {
                writer.member("lost", difference.lost.map(\.description))
                writer.member("gained", difference.gained.map(\.description))
                writer.member("reworded", difference.reworded.map(\.description))
            }
            writer.member("then", outcome.map { $0.verdict.reason ?? $0.verdict.outcome.rawValue })
            switch forecast.decision {
            case .send: writer.member("now", "send")
            case .end(let verdict): writer.member("now", verdict.reason ?? verdict.outcome.rawValue)
            }
        }
    }
}
