package import NewsflashEvents
package import NewsflashPublishing
package import NewsflashTimestamps

/// An input record of a rehearsal.
package struct RehearsalRecord: Sendable {
    /// When it arrives. If `nil`, at the event's publication time, or at once if it is not an event.
    package var appendAt: Timestamp?
    package var key: [UInt8]?
    /// `nil` for a tombstone.
    package var value: [UInt8]?
    package var headers: [EventHeader]
    /// The name of its source; `nil` for the first that can decode it.
    package var source: String?
    /// A command to pause or resume a source, instead of a record.
    package var order: ControlRecord?
    /// The identifier of the event that the command resumes; `nil` for a command with another scope.
    package var resumedEvent: String?

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

/// The result of a record in a rehearsal.
package struct RehearsedRecord: Sendable {
    package let record: RehearsalRecord
    /// When it arrived.
    package let appendedAt: Timestamp
    /// The decoded content.
    package let content: DecodeOutcome
    /// The name of the source that decoded it; `nil` if none could.
    package let source: String?
    /// The offset in its source.
    let offset: Int64
    /// The decisions, oldest first: provisional outcomes, then the final one. Empty for a record without a value, which is
    /// skipped.
    package internal(set) var outcomes: [OutcomeRecord] = []
    /// The requests that were sent for it, oldest first. Attempts for one audience with the same response are combined.
    package internal(set) var requests: [RehearsedRequest] = []
    /// The content of the notifications; `nil` if nobody was notified.
    package internal(set) var telling: RehearsedPush?
    /// The circuits that opened or closed between its arrival and the next record's.
    package internal(set) var circuits: [RehearsedCircuit] = []

    /// The decision at its arrival.
    package var first: OutcomeRecord? { outcomes.first }
    /// The final outcome; `nil` if it waits indefinitely, for example for a person.
    package var last: OutcomeRecord? { outcomes.last.flatMap { $0.isFinal ? $0 : nil } }
}

/// A request that the core made in a rehearsal, with later attempts that got the same response.
package struct RehearsedRequest: Sendable {
    /// The number of the first attempt at the hub, from 1, including probes.
    package let number: Int
    /// When the first attempt was sent.
    package let at: Timestamp
    /// The hub's name in the configuration.
    package let hub: String
    /// The first attempt as planned.
    package let send: PlannedSend
    package let answer: RehearsedAnswer
    /// Whether the hub accepted it, according to the response.
    package let isAccepted: Bool
    /// The number of attempts.
    package internal(set) var times = 1
    /// When the last attempt was sent.
    package internal(set) var lastAt: Timestamp

    /// Whether another attempt sends the same to the same audience at the same hub.
    func isRepeated(by other: RehearsedRequest) -> Bool {
        hub == other.hub && send.audience == other.send.audience && send.template == other.send.template
    }
}

extension RehearsedRecord {
    /// Adds a request, or combines it with the previous one for the same audience if that got the same response.
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
    /// The reason for opening; `nil` if it closed.
    package let reason: CircuitReason?
}
