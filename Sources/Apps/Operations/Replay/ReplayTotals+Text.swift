import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashWorker

extension ReplayTotals {
    /// The totals for people, on one line.
    package var line: String {
        var parts = ["\(counted(events, "event"))", "\(same) the same"]
        let kinds = PlanDifference.Kind.allCases.filter { (self.kinds[$0] ?? 0) > 0 }
            .map { "\($0.rawValue) \(self.kinds[$0] ?? 0)" }
        parts.append(kinds.isEmpty ? "none differ" : "\(differing) differ (\(kinds.joined(separator: ", ")))")
        if overtaken > 0 { parts.append("\(overtaken) overtaken by their own story") }
        if unknown > 0 { parts.append("\(unknown) without an outcome") }
        return parts.joined(separator: ", ")
    }

    /// The totals as a JSON object. Its member `totals` distinguishes it from the objects of events.
    package var json: [UInt8] {
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
    package var notes: [String] {
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
