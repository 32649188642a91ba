import NewsEvents
package import NotificationHubs
package import Timestamps

/// Names one request to a hub while it is under way.
package struct SendID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Names one pair of records to write until both are confirmed.
package struct WriteID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// What the machine asks the edge to do.
package enum PublishingAction: Sendable {
    /// Send one request; answer with ``PublishingCore/sendsEnded(_:now:)``.
    case send(SendOrder)
    /// Write an outcome and, where there is one, a dead letter; answer with ``PublishingCore/writesEnded(_:now:)`` when
    /// the broker has confirmed both or refused one.
    case write(WriteOrder)
    /// Write an outcome that is not final and nobody waits for.
    case announce(OutcomeRecord)
    /// Commit these offsets; answer with ``PublishingCore/commitEnded(_:succeeded:now:)``.
    case commit([SourcePartition: Int64])
    /// Read on, or stop reading.
    case setReading(Bool)
    /// Let go of a record's bytes.
    case release(RecordID)
    /// Read the hub's secrets again, before the sends that follow.
    case reloadCredentials
    /// Tell people.
    case report(PublishingReport)
}

/// One request.
package struct SendOrder: Sendable {
    package var id: SendID
    package var message: HubMessage
    package var expression: TagExpression
}

/// One event's records to write.
package struct WriteOrder: Sendable {
    package var id: WriteID
    /// Under whose name the original's bytes are held.
    package var record: RecordID
    package var outcome: OutcomeRecord
    package var deadLetter: DeadLetter?
}

/// What people should hear of.
package enum PublishingReport: Sendable, Equatable {
    /// An event ended; its record is on its way to the outcomes.
    case ended(OutcomeRecord)
    /// A record without a value was passed over.
    case tombstone(RecordOrigin)
    case held(Hold)
    case released(HoldReason, after: Duration)
    /// The hub asked for a pause.
    case paused(until: Timestamp)
    /// A request failed and will be tried again.
    case retrying(event: String, attempt: Int, label: String, detail: String, at: Timestamp)
    /// A write to Kafka failed and will be tried again.
    case writeFailed(event: String, detail: String, at: Timestamp)
}

/// How one request ended.
package struct SendResult: Sendable {
    package var id: SendID
    package var reply: HubReply

    package init(id: SendID, reply: HubReply) {
        self.id = id
        self.reply = reply
    }
}

/// How one write ended.
package struct WriteResult: Sendable {
    package var id: WriteID
    /// Why it failed; `nil` when all its records are confirmed.
    package var failure: String?

    package init(id: WriteID, failure: String?) {
        self.id = id
        self.failure = failure
    }
}
