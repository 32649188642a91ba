import NewsflashEvents
import NewsflashTimestamps
package import NewsflashTopicPartitions
package import NotificationHubs

/// Identifies one request to a hub while it is in flight.
package struct SendID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Identifies one outcome, or one batch of the ledger, until it is confirmed.
package struct WriteID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Identifies one record that must be read again.
package struct RecallID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// An action that the core asks of its surroundings.
package enum PublishingAction: Sendable {
    /// Send one request; answer with ``PublishingCore/requestsEnded(_:now:)``.
    case send(SendRequest)
    /// Cancel these requests if possible; their answers are not needed.
    case cancel([SendID])
    /// Write one batch of the ledger; answer with ``PublishingCore/ledgerWritten(_:now:)``.
    case writeLedger(LedgerBatch)
    /// Write an outcome and perhaps a dead letter; answer with ``PublishingCore/outcomesWritten(_:now:)``.
    case writeOutcome(OutcomeWrite)
    /// Read one record; answer with ``PublishingCore/recalled(_:now:)``.
    case recall(RecallRequest)
    /// Read the ledger of the partition again, because another writer added records since it was read; answer with
    /// ``PublishingCore/restored(_:now:)``.
    case readLedgerAgain(PartitionID, assignment: UInt32)
    /// The partition is restored: start to deliver its records.
    case flow(PartitionID)
    /// Commit these offsets; answer with ``PublishingCore/commitEnded(_:succeeded:now:)``.
    case commit([TopicPartition: Int64])
    /// Write an order to the control topic.
    case control(ControlRecord)
    /// Read the hub's secrets again, before the sends that follow.
    case reloadCredentials
    /// Log and count this.
    case report(PublishingReport)
}

/// One request.
package struct SendRequest: Sendable {
    package var id: SendID
    /// The index of the hub in ``PublishingConfiguration/hubs``.
    package var hub: Int
    package var message: HubMessage
    package var expression: TagExpression
    /// The record of its event; `nil` for a probe.
    package var place: RecordPosition?
}

/// Records of one partition of the ledger that are written together.
package struct LedgerBatch: Sendable {
    package let id: WriteID
    package let partition: PartitionID
    package let writes: [LedgerWrite]
}

/// One record of the ledger.
package enum LedgerWrite: Sendable {
    case facts(StoryFacts, of: String)
    /// A tombstone, because the story is forgotten.
    case forgotten(String)
    case owner(LedgerOwner)

    package var key: String {
        switch self {
        case .facts(_, let name), .forgotten(let name): name
        case .owner: LedgerOwner.key
        }
    }

    /// The record's value; `nil` for a tombstone.
    package var value: [UInt8]? {
        switch self {
        case .facts(let facts, let name): LedgerRecordCodec.encode(facts, of: name)
        case .forgotten: nil
        case .owner(let owner): owner.encoded
        }
    }
}

/// The result of writing a batch of the ledger.
package struct LedgerResult: Sendable {
    package var id: WriteID
    package var partition: PartitionID
    /// The offset of each record, in the order of the batch; or the reason why not all were written.
    package var result: Result<[Int64], WriteFailure>

    package init(id: WriteID, partition: PartitionID, result: Result<[Int64], WriteFailure>) {
        self.id = id
        self.partition = partition
        self.result = result
    }
}

/// Why records were not written.
package struct WriteFailure: Error, Sendable {
    package var detail: String

    package init(_ detail: String) {
        self.detail = detail
    }
}

/// The outcome of an event, with its dead letter, written once the ledger contains the facts.
package final class OutcomeWrite: Sendable {
    package let id: WriteID
    package let partition: PartitionID
    package let outcome: OutcomeRecord
    /// The stage at which the event ended, if the original goes to the dead letters.
    package let deadLetter: DeadLetter.Stage?
    package let original: (any OriginalRecord)?

    package init(
        id: WriteID,
        partition: PartitionID,
        outcome: OutcomeRecord,
        deadLetter: DeadLetter.Stage? = nil,
        original: (any OriginalRecord)? = nil
    ) {
        self.id = id
        self.partition = partition
        self.outcome = outcome
        self.deadLetter = deadLetter
        self.original = original
    }
}

/// A request to read one record that is not in memory.
package struct RecallRequest: Sendable {
    package enum Place: Sendable, Equatable {
        /// The record of a story, at this offset of the partition's ledger.
        case ledger(Int64)
        /// The event at this offset of the source.
        case source(Int64)
    }

    package var id: RecallID
    package var partition: PartitionID
    package var place: Place
}

/// The record that was read for a ``RecallRequest``.
package struct RecalledRecord: Sendable {
    package var id: RecallID
    /// The story that the record belongs to; `nil` if the record does not exist any more.
    package var story: String?
    /// Its facts, if the ledger was read.
    package var facts: StoryFacts?
    /// The decoded events: the waiting events of ``facts``, in the same order, or the one event that was read in the source.
    package var events: [IncomingRecord]

    package init(
        id: RecallID,
        story: String? = nil,
        facts: StoryFacts? = nil,
        events: [IncomingRecord] = []
    ) {
        self.id = id
        self.story = story
        self.facts = facts
        self.events = events
    }

    /// The answer to a ``RecallRequest/Place/source(_:)``.
    ///
    /// - Parameters:
    ///   - id: The identifier of the order.
    ///   - record: The record at that offset.
    package init(id: RecallID, event record: IncomingRecord) {
        self.init(id: id)
        guard case .event(let event, warnings: _) = record.content else { return }
        story = event.storyKey
        events = [record]
    }
}

/// The content of a partition's ledger.
package struct RestoredLedger: Sendable {
    /// A story with waiting events.
    package struct WaitingStory: Sendable {
        package var key: StoryIndex.Key
        package var ledgerOffset: Int64
        package var events: [StoryFacts.Waiting]
        /// Whether one of its events has ended and does not wait any more, but its outcome or dead letter was not confirmed.
        package var isAnyOver: Bool

        package init(
            key: StoryIndex.Key,
            ledgerOffset: Int64,
            events: [StoryFacts.Waiting],
            isAnyOver: Bool = false
        ) {
            self.key = key
            self.ledgerOffset = ledgerOffset
            self.events = events
            self.isAnyOver = isAnyOver
        }
    }

    package var partition: PartitionID
    /// The assignment for which it was read.
    package var assignment: UInt32
    package var stories: StoryIndex
    package var waiting: [WaitingStory]
    /// Records of late writers whose facts may not be in a later record.
    package var late: [LateRecord]
    /// The owners of the partition so far.
    package var owners: LedgerOwners
    /// The offset after the last record of the source; `nil` if the broker did not return it.
    package var sourceEnd: Int64?
    /// The offset after the last record of the ledger that was read; `nil` without a ledger.
    package var ledgerEnd: Int64?

    package init(
        partition: PartitionID,
        assignment: UInt32,
        stories: StoryIndex,
        waiting: [WaitingStory] = [],
        late: [LateRecord] = [],
        owners: LedgerOwners = LedgerOwners(),
        sourceEnd: Int64? = nil,
        ledgerEnd: Int64? = nil
    ) {
        self.partition = partition
        self.assignment = assignment
        self.stories = stories
        self.waiting = waiting
        self.late = late
        self.owners = owners
        self.sourceEnd = sourceEnd
        self.ledgerEnd = ledgerEnd
    }

    /// Whether its offsets are those of the current log; false if the source topic was created again.
    var fitsSource: Bool { sourceEnd.map { stories.highestProcessed < $0 } ?? true }
}

/// How one request ended.
package struct SendResult: Sendable {
    package var id: SendID
    package var reply: HubReply
    /// How long the hub took, without the delay until this process noticed; `nil` if it was not measured.
    package var took: Duration?

    package init(id: SendID, reply: HubReply, took: Duration? = nil) {
        self.id = id
        self.reply = reply
        self.took = took
    }
}

/// The result of writing an outcome.
package struct WriteResult: Sendable {
    package var id: WriteID
    /// The reason for the failure; `nil` if all its records are confirmed.
    package var failure: String?

    package init(id: WriteID, failure: String?) {
        self.id = id
        self.failure = failure
    }
}
