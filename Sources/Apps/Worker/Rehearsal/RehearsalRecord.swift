package import NewsEvents
package import Publishing
package import Timestamps

/// A record that a rehearsal is given.
package struct RehearsalRecord: Sendable {
    /// When it comes; `nil` for when its event was published, or at once where it is none.
    package var appendAt: Timestamp?
    package var key: [UInt8]?
    /// `nil` for a tombstone.
    package var value: [UInt8]?
    package var headers: [EventHeader]
    /// An order to hold or release a source in place of a record; it is given when it comes.
    package var order: ControlRecord?

    package init(
        appendAt: Timestamp? = nil,
        key: [UInt8]? = nil,
        value: [UInt8]?,
        headers: [EventHeader] = []
    ) {
        self.appendAt = appendAt
        self.key = key
        self.value = value
        self.headers = headers
    }
}

/// What became of a record in a rehearsal.
package struct RehearsedRecord: Sendable {
    package let record: RehearsalRecord
    /// When it came.
    package let appendedAt: Timestamp
    /// What it says.
    package let content: DecodeOutcome
    /// The name of the source that read it; `nil` where none understood it.
    package let source: String?
    /// What was decided, oldest first: provisional outcomes, and the final one at the end. Empty for a record without a
    /// value, which is passed over.
    package internal(set) var outcomes: [OutcomeRecord] = []
    /// What readers were told; `nil` where they were told nothing.
    package internal(set) var telling: Telling?

    /// What was decided when it came.
    package var first: OutcomeRecord? { outcomes.first }
    /// How it ended; `nil` where it waits for ever, as for a person.
    package var last: OutcomeRecord? { outcomes.last.flatMap { $0.isFinal ? $0 : nil } }
}
