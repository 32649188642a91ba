import NewsEvents
import Publishing
import StrictJSON
import Timestamps

extension ReplayFinding {
    /// The finding for people: the event on one line, and below it the differences of its requests.
    var lines: [String] {
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

    private static func list(_ title: String, _ audiences: [PlanDifference.Audience]) -> [String] {
        audiences.map { "    \(title): \($0)" }
    }

    /// The finding as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
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
        writer.endObject()
        return writer.finish()
    }
}

extension ReplayTotals {
    /// The totals for people, on one line.
    var line: String {
        var parts = ["\(counted(events, "event"))", "\(same) the same"]
        let kinds = PlanDifference.Kind.allCases.filter { (self.kinds[$0] ?? 0) > 0 }
            .map { "\($0.rawValue) \(self.kinds[$0] ?? 0)" }
        parts.append(kinds.isEmpty ? "none differ" : "\(differing) differ (\(kinds.joined(separator: ", ")))")
        if overtaken > 0 { parts.append("\(overtaken) overtaken by their own story") }
        if unknown > 0 { parts.append("\(unknown) without an outcome") }
        return parts.joined(separator: ", ")
    }

    /// The totals as a JSON object. Its member `totals` distinguishes it from the objects of events.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("totals")
        writer.beginObject()
        writer.member("events", Int64(events))
        writer.member("same", Int64(same))
        for kind in PlanDifference.Kind.allCases where kind != .same {
            writer.name(kind.rawValue)
            writer.value(kinds[kind] ?? 0)
        }
        writer.member("overtaken", Int64(overtaken))
        writer.member("unknown", Int64(unknown))
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }
}

extension ReplayReading.Found {
    /// Notes for people about skipped records.
    var notes: [String] {
        var notes: [String] = []
        if copies > 0 { notes.append("\(counted(copies, "record")) of earlier replays skipped") }
        if unreadable > 0 {
            let records = counted(unreadable, "record")
            notes.append("\(records) cannot be decoded as events: see 'newsflash dead-letters list'")
        }
        if strange > 0 { notes.append("\(counted(strange, "outcome")) cannot be decoded: skipped") }
        return notes
    }
}
