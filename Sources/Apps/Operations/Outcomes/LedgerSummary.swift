import NewsflashEvents
package import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
package import NewsflashTopicPartitions

/// The ledger record of a story, for display without the text of the news.
package struct LedgerSummary: Sendable {
    package let partition: TopicPartition
    package let offset: Int64
    /// The key of the record.
    package let story: String
    package let record: StoryFacts

    /// The record as lines for people.
    ///
    /// - Parameter ended: The source offsets of the events whose final outcomes were found. They are confirmed, although the
    ///   ledger record is older.
    /// - Returns: A heading, and a line for each fact.
    package func lines(ended: Set<Int64>) -> [String] {
        var lines = ["ledger record of \(story), at \(partition) offset \(offset):"]
        lines.append("  \(phase), changed \(record.changedAt.rfc3339)")
        if record.revision > 0 {
            let rule =
                record.isFinal ? "a repeat of it is not sent" : "it did not reach every audience, so a repeat is sent"
            lines.append(
                "  latest: event \(record.eventID) (\(record.kind.rawValue)), revision \(record.revision); \(rule)"
            )
        }
        if record.isSecure { lines.append("  secure: its text is no longer sent") }
        lines += record.audiences.map { "  " + Self.line($0) }
        if !record.wasNotified { lines.append("  no subscriber was notified") }
        for closing in record.closing where !ended.contains(closing.offset) {
            let verdict = closing.verdict.reason ?? closing.verdict.outcome.rawValue
            lines.append(
                "  ended: event \(closing.event), \(verdict); its outcome was not confirmed yet when this was written"
            )
        }
        lines += record.waiting.map { "  waits: offset \($0.offset), \($0.reason.words)\(until($0)), \(tries($0))" }
        return lines
    }

    private var phase: String {
        switch record.phase {
        case .open: "open"
        case .held: "held by its desk: the next revision releases or withdraws it"
        case .killed where !record.wasNotified: "withdrawn before anybody was notified: later revisions are refused"
        case .killed where record.awaitingWithdrawal.isEmpty: "withdrawn at every audience: later revisions are refused"
        case .killed: "withdrawn, not yet at every audience: later revisions are refused"
        }
    }

    /// One fact about an audience, for people.
    package static func line(_ fact: AudienceFact) -> String {
        let heading =
            switch fact.certainty {
            case .accepted: "accepted"
            case .possible: "may have been accepted, the hub did not respond"
            case .suspected: "may have been sent by a worker that crashed"
            case .owed: "not notified yet, due with the next event of the story"
            }
        let locale = fact.locale.map { " (\($0))" } ?? ""
        let audience = fact.isForUsers ? "users by name" : "\(fact.expression)"
        return "\(heading): \(fact.hub), \(fact.format), \(audience)\(locale), \(fact.act.kind.rawValue) of revision "
            + "\(fact.act.revision), \(fact.act.at.rfc3339)"
    }

    private func until(_ waiting: StoryFacts.Waiting) -> String {
        waiting.until.map { ", until \($0.rfc3339)" } ?? ", until a person ends the wait"
    }

    private func tries(_ waiting: StoryFacts.Waiting) -> String {
        waiting.attempts == 0 ? "not tried yet" : "tried \(counted(waiting.attempts, "time"))"
    }

    /// The record as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("type", "ledger")
            writer.member("topic", partition.topic)
            writer.member("partition", Int64(partition.partition))
            writer.member("offset", offset)
            writer.member("story", story)
            writer.member("phase", record.phase.rawValue)
            writer.member("revision", record.revision)
            writer.member("event", record.eventID)
            writer.member("kind", record.kind.rawValue)
            writer.member("final", record.isFinal)
            writer.member("secure", record.isSecure)
            writer.member("changed", record.changedAt.rfc3339)
            writer.member("audiences", objects: record.audiences) { writer, fact in
                writer.member("hub", fact.hub)
                writer.member("platform", fact.format)
                writer.member("tags", "\(fact.expression)")
                writer.member("locale", fact.locale)
                writer.member("kind", fact.act.kind.rawValue)
                writer.member("revision", fact.act.revision)
                writer.member("at", fact.act.at.rfc3339)
                writer.member("certainty", fact.certainty.rawValue)
            }
            writer.member("closing", objects: record.closing) { writer, closing in
                writer.member("offset", closing.offset)
                writer.member("event", closing.event)
                writer.member("outcome", closing.verdict.outcome.rawValue)
                writer.member("reason", closing.verdict.reason)
            }
            writer.member("waiting", objects: record.waiting) { writer, waiting in
                writer.member("offset", waiting.offset)
                writer.member("reason", waiting.reason.rawValue)
                writer.member("until", waiting.until?.rfc3339)
                writer.member("attempts", Int64(waiting.attempts))
            }
        }
    }
}

extension StoryFacts.WaitReason {
    /// The cause of the wait, and what ends it, for people.
    var words: String {
        switch self {
        case .embargo: "for the end of its embargo"
        case .retry: "to be tried again"
        case .hub: "for a hub that accepts nothing now"
        case .turn: "for an earlier event of its story"
        case .approval: "for approvals (send it again with the names of the approvers)"
        case .quietHours: "for the end of the quiet hours of its subscribers"
        case .pause: "for its source to be resumed: \(Self.remedy)"
        case .embargoDropped:
            "because it has no embargo and an earlier revision has: publish a revision with an embargo, or run "
                + "'newsflash resume --event'"
        case .volumeLimit: "because a volume limit paused its source: \(Self.remedy)"
        }
    }

    private static let remedy = "see 'newsflash pauses', then 'newsflash resume' (one event: '--event')"
}
