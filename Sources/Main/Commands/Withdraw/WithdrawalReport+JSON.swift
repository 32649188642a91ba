import NewsEvents
import Publishing
import StrictJSON

extension WithdrawalReport {
    /// The report as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", "withdrawal")
        writer.member("story", event.story)
        writer.member("source", source)
        writer.member("event", event.id)
        writer.member("topic", origin.topic)
        writer.member("partition", Int64(origin.partition))
        writer.member("offset", origin.offset)
        writer.member("result", result.word)
        let targets = outcome?.targets ?? []
        writer.member("accepted", Int64(targets.count { $0.report.status == .accepted }))
        writer.member("audiences", Int64(targets.count))
        if let outcome {
            writer.name("outcome")
            writer.raw(outcome.json)
        }
        writer.endObject()
        return writer.finish()
    }
}

extension WithdrawalResult {
    fileprivate var word: String {
        switch self {
        case .withdrawn: "withdrawn"
        case .withdrawnBefore: "withdrawn_before"
        case .nobodyNotified: "nobody_notified"
        case .waits: "waits"
        case .incomplete: "incomplete"
        case .unanswered: "unanswered"
        }
    }
}

extension StorySearch.Found {
    /// The similar names and unread records for a story that no ledger has, as a JSON object.
    ///
    /// - Parameters:
    ///   - story: The name of the story.
    ///   - unread: The number of records that no worker has processed, per source.
    /// - Returns: One line.
    func unknownJSON(_ story: String, unread: [(source: String, records: Int64)]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", "unknown")
        writer.member("story", story)
        writer.member("similar", near.newest)
        writer.name("unread")
        writer.beginObject()
        for (source, records) in unread {
            writer.name(source)
            writer.value(records)
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }
}
