import NewsflashPublishing
import NewsflashStrictJSON
package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// The state of a dead letter.
package enum DeadLetterState: Sendable, Equatable {
    /// Nothing was done about it.
    case open
    /// It was redriven so often that a redrive leaves it out.
    case quarantined
    /// A copy of it is in its source topic; with the worker's verdict on the copy, if known.
    case redriven(RedrivenCopy)
    /// Its event was sent by a later record.
    case sentSince(Timestamp)

    /// The name of the state in JSON and lists.
    package var word: String {
        switch self {
        case .open: "open"
        case .quarantined: "quarantined"
        case .redriven: "redriven"
        case .sentSince: "sent"
        }
    }

    /// Whether anything remains to do about it.
    package var isOpen: Bool {
        switch self {
        case .open, .quarantined: true
        case .redriven, .sentSince: false
        }
    }
}

/// A copy of a dead letter in its source topic.
package struct RedrivenCopy: Sendable, Equatable {
    package var partition: TopicPartition
    package var offset: Int64
    /// The worker's latest verdict on it.
    var verdict: EventVerdict?

    package var place: String { "\(partition) offset \(offset)" }
}

extension RedrivenCopy {
    /// Creates a copy that has become a dead letter itself.
    init(failed letter: DeadLetterEntry) {
        let origin = letter.origin
        partition = origin.partition
        offset = origin.offset
        let outcome: OutcomeKind = letter.reason.hasPrefix("invalid") ? .invalid : .failed
        verdict = EventVerdict(outcome, letter.reason, letter.detail)
    }
}

/// A dead letter and its state.
package struct AssessedDeadLetter: Sendable {
    package var letter: DeadLetterEntry
    package var state: DeadLetterState

    /// The dead letter as a JSON object.
    package var json: [UInt8] { JSONWriter.object { write(into: &$0) } }

    /// Writes the dead letter and its state as members of the current object.
    func write(into writer: inout JSONWriter) {
        letter.write(into: &writer)
        writer.member("state", state.word)
        switch state {
        case .open, .quarantined: break
        case .redriven(let copy):
            writer.name("copy")
            writer.beginObject()
            writer.member("topic", copy.partition.topic)
            writer.member("partition", Int64(copy.partition.partition))
            writer.member("offset", copy.offset)
            writer.member("outcome", copy.verdict?.outcome.rawValue)
            writer.member("reason", copy.verdict?.reason)
            writer.endObject()
        case .sentSince(let at):
            writer.member("sentAt", at.rfc3339)
        }
    }
}
