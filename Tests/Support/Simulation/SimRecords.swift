import NewsflashPublishing
import NewsflashTimestamps

/// One record of the source topic.
struct SimSourceRecord: Sendable {
    let partition: Int
    let offset: Int64
    let event: SimEvent
    let writtenAt: Timestamp
    let appendedAt: Instant
    let value: [UInt8]
}

/// One record of the ledger topic.
struct SimLedgerLine: Sendable {
    let key: String
    /// `nil` for a tombstone.
    let value: [UInt8]?
    /// The process that wrote it.
    let writer: Int
    /// The facts that the value contains; workers read the value itself.
    let facts: @Sendable () -> SimLedgerFacts
    var appendedAt: Instant?
}

/// The audiences and waiting events that one ledger record contains.
struct SimLedgerFacts: Sendable {
    struct Audience: Sendable {
        /// The audience, such as `a/World`.
        var unit: String
        var actNumber: UInt64
        var revision: Int64
        var isCertain: Bool
        var isWithdrawal = false
    }

    var audiences: [Audience] = []
    /// The offsets of waiting events, with their causes.
    var waiting: [Int64: String] = [:]
    /// The term of its writer.
    var term: Int64 = 0
}

/// One record of the outcome topic.
struct SimOutcome: Sendable {
    /// One request as the outcome reports it.
    struct Request: Sendable {
        var units: [String]
        var isAccepted: Bool
        /// Whether its hub was not in the configuration.
        var lacksHub: Bool
    }

    var event: String
    var kind: String
    var partition: Int
    var offset: Int64
    var isFinal: Bool
    /// The outcome, such as `sent`.
    var verdict: String
    /// The reason, such as `superseded.killed`.
    var reason: String?
    var detail: String?
    var requests: [Request]
    /// Whether the worker repeats an outcome from the ledger.
    var isRepeated: Bool
    /// Whether a finished withdrawal continued with audiences of a late writer's record.
    var goesOn: Bool

    var isSent: Bool { verdict == "sent" || verdict == "partial" }
    var name: String { reason ?? verdict }
}

/// One command in the control topic.
struct SimOrder: Sendable, Equatable {
    var isPause: Bool
    /// The source; `nil` for all sources.
    var source: String?
    /// Whether the volume limit of a worker caused it.
    var isAutomatic: Bool
    var at: Timestamp
    /// The only event that is resumed; `nil` for a source.
    var event: ResumedEvent?
}

/// The topics that workers write to.
package enum SimTopic: String, Sendable, CaseIterable {
    case ledger, outcomes, deadLetters
}

/// A record that a worker writes.
struct SimWrite: Sendable {
    enum Content: Sendable {
        case ledger(SimLedgerLine)
        case outcome(SimOutcome)
        case deadLetter(SimOutcome)
    }

    /// The identifier, returned in ``SimDelivery``.
    let id: UInt64
    let partition: Int
    let content: Content

    var topic: SimTopic {
        switch content {
        case .ledger: .ledger
        case .outcome: .outcomes
        case .deadLetter: .deadLetters
        }
    }
}

/// The result of a ``SimWrite``.
struct SimDelivery: Sendable {
    let id: UInt64
    /// The offset; `nil` if the write failed.
    let offset: Int64?
}

/// One request to a hub.
struct SimRequest: Sendable {
    /// The identifier, unique in its worker.
    let id: UInt64
    let hub: String
    let tags: [String]
    /// The content; `nil` for a probe.
    let content: Content?
    /// The audiences, such as `a/World`.
    let units: [String]
    /// The offset of the source record whose request it is; `nil` for a probe.
    var sourceOffset: Int64?

    init(id: UInt64, hub: String, tags: [String], content: Content?) {
        self.id = id
        self.hub = hub
        self.tags = tags
        self.content = content
        units = tags.map { "\(hub)/\($0)" }
    }

    /// The event that a message contains.
    struct Content: Sendable, Equatable {
        var event: String
        var kind: String
        var revision: Int64
        var story: String
        /// See ``SimEvent/act``.
        let act: String
        /// The number of the act in the ledger.
        let actNumber: UInt64

        init(event: String, kind: String, source: String, revision: Int64, story: String, actNumber: UInt64) {
            self.event = event
            self.kind = kind
            self.revision = revision
            self.story = story
            act = SimEvent.act(event, kind, source)
            self.actNumber = actNumber
        }
    }
}

/// An answer of a hub, or a fault of the network.
package enum SimReply: Sendable, Equatable {
    case accepted
    case throttled(after: Duration?)
    case serverError
    case unavailable(after: Duration?)
    case refused
    /// The connection was cut after the request was written, or no answer came in time.
    case unknown
}

/// A record that a worker wants to read again.
struct SimRecall: Sendable {
    enum Place: Sendable {
        case ledger(Int64)
        case source(Int64)
    }

    let number: UInt64
    let partition: Int
    let place: Place
}
