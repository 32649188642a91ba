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
    /// The name of the source that it comes from; `nil` for the first that can decode it.
    package var source: String?
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
    /// The offset in its source.
    let offset: Int64
    /// What was decided, oldest first: provisional outcomes, and the final one at the end. Empty for a record without a
    /// value, which is passed over.
    package internal(set) var outcomes: [OutcomeRecord] = []
    /// The requests that were sent for it, oldest first. Attempts for one audience that got the same answer are one.
    package internal(set) var requests: [RehearsedRequest] = []
    /// What readers were told; `nil` where they were told nothing.
    package internal(set) var telling: Telling?
    /// The circuits that opened or closed after it came and before the next record did.
    package internal(set) var circuits: [RehearsedCircuit] = []

    /// What was decided when it came.
    package var first: OutcomeRecord? { outcomes.first }
    /// How it ended; `nil` where it waits for ever, as for a person.
    package var last: OutcomeRecord? { outcomes.last.flatMap { $0.isFinal ? $0 : nil } }
}

/// A request that the core had sent in a rehearsal, with the attempts after it that got the same answer.
package struct RehearsedRequest: Sendable {
    /// The number of the first attempt at the hub, from 1, probes included.
    package let number: Int
    /// When the first attempt was sent.
    package let at: Timestamp
    /// The hub's name in the configuration.
    package let hub: String
    /// As the first attempt was planned.
    package let send: PlannedSend
    package let answer: HubAnswer
    /// Whether the answer says that the hub accepted it.
    package let isAccepted: Bool
    /// How many attempts there were.
    package internal(set) var times = 1
    /// When the last attempt was sent.
    package internal(set) var lastAt: Timestamp

    /// Whether another attempt tells the same audience the same at the same hub.
    func isRepeated(by other: RehearsedRequest) -> Bool {
        hub == other.hub && send.recipients == other.send.recipients && send.template == other.send.template
    }
}

extension RehearsedRecord {
    /// Adds a request, or counts it with the one before for the same audience if that got the same answer.
    mutating func add(_ request: RehearsedRequest) {
        guard let last = requests.lastIndex(where: { $0.isRepeated(by: request) }),
            requests[last].answer == request.answer
        else { return requests.append(request) }
        requests[last].times += 1
        requests[last].lastAt = request.at
    }
}

/// A hub's circuit that opened or closed.
package struct RehearsedCircuit: Sendable, Equatable {
    package let at: Timestamp
    /// The hub's name in the configuration.
    package let hub: String
    /// Why it opened; `nil` if it closed.
    package let reason: HoldReason?
}
