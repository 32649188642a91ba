package import NewsEvents
package import NotificationHubs
import Timestamps

/// Names one request to a hub while it is under way.
package struct SendID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// Names one list of records to write until all are confirmed.
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
    /// End these requests if they can be ended; nobody waits for their answers.
    case cancel([SendID])
    /// Write records; answer with ``PublishingCore/writesEnded(_:now:)`` when the broker has confirmed all or refused one.
    case write(WriteOrder)
    /// Read one record of the ledger; answer with ``PublishingCore/recalled(_:now:)``.
    case recall(RecallOrder)
    /// The partition is restored: its records may come.
    case flow(PartitionID)
    /// Commit these offsets; answer with ``PublishingCore/commitEnded(_:succeeded:now:)``.
    case commit([SourcePartition: Int64])
    /// Tell the other workers, and those who come after us.
    case control(ControlRecord)
    /// Read the hub's secrets again, before the sends that follow.
    case reloadCredentials
    /// Tell people.
    case report(PublishingReport)
}

/// One request.
package struct SendOrder: Sendable {
    package var id: SendID
    /// Which hub, by its place in ``PublishingConfiguration/hubs``.
    package var hub: Int
    package var message: HubMessage
    package var expression: TagExpression
}

/// Records that are written and confirmed together. An object, since several wait for the same one.
package final class WriteOrder: Sendable {
    package let id: WriteID
    /// Whose ledger it concerns.
    package let partition: PartitionID
    package let ledger: LedgerWrite?
    package let outcome: OutcomeRecord?
    /// Where in its way the event ended, if the original goes to the dead letters.
    package let deadLetter: DeadLetter.Stage?
    package let original: (any OriginalRecord)?

    package init(
        id: WriteID,
        partition: PartitionID,
        ledger: LedgerWrite? = nil,
        outcome: OutcomeRecord? = nil,
        deadLetter: DeadLetter.Stage? = nil,
        original: (any OriginalRecord)? = nil
    ) {
        self.id = id
        self.partition = partition
        self.ledger = ledger
        self.outcome = outcome
        self.deadLetter = deadLetter
        self.original = original
    }

    /// The same order with a newer state of its story.
    func with(_ record: StoryRecord) -> WriteOrder {
        WriteOrder(
            id: id,
            partition: partition,
            ledger: ledger.map { LedgerWrite(story: $0.story, record: record) },
            outcome: outcome,
            deadLetter: deadLetter,
            original: original
        )
    }
}

/// One record of the ledger.
package struct LedgerWrite: Sendable {
    package var story: String
    /// `nil` for a tombstone: the story is forgotten.
    package var record: StoryRecord?
}

/// Something of a story that is to be read, because memory does not keep it.
package struct RecallOrder: Sendable {
    package enum Place: Sendable, Equatable {
        /// The story's record, at this offset of the partition's ledger.
        case ledger(Int64)
        /// The words that readers were told, in the event at this offset of the source.
        case source(Int64)
    }

    package var partition: PartitionID
    package var place: Place
    package var story: StoryID
    package var name: String
}

/// What was read for a ``RecallOrder``.
package struct RecalledStory: Sendable {
    package var story: StoryID
    /// What the ledger says; `nil` where it was not asked, or has nothing of it any more.
    package var record: StoryRecord?
    /// The words that readers were told; `nil` where they were not asked for, or are gone.
    package var text: [EventText]?

    package init(story: StoryID, record: StoryRecord? = nil, text: [EventText]? = nil) {
        self.story = story
        self.record = record
        self.text = text
    }
}

/// What a partition's ledger says.
package struct RestoredLedger: Sendable {
    package var partition: PartitionID
    /// The assignment it was read for.
    package var assignment: UInt32
    package var stories: StoryLedgerTable
    /// The stories of which an event waits, whole, with their waiting events as they were read.
    package var waiting: [(name: String, record: StoryRecord, ledgerOffset: Int64, events: [IncomingRecord])]
    /// Whether its offsets are those of the present log; `false` where the source topic was made anew.
    package var fitsSource: Bool

    package init(
        partition: PartitionID,
        assignment: UInt32,
        stories: StoryLedgerTable,
        waiting: [(name: String, record: StoryRecord, ledgerOffset: Int64, events: [IncomingRecord])] = [],
        fitsSource: Bool = true
    ) {
        self.partition = partition
        self.assignment = assignment
        self.stories = stories
        self.waiting = waiting
        self.fitsSource = fitsSource
    }
}

/// How one request ended.
package struct SendResult: Sendable {
    package var id: SendID
    package var reply: HubReply
    /// How long the hub took, without what this process took to notice; `nil` where nobody measured it.
    package var took: Duration?

    package init(id: SendID, reply: HubReply, took: Duration? = nil) {
        self.id = id
        self.reply = reply
        self.took = took
    }
}

/// How one write ended.
package struct WriteResult: Sendable {
    package var id: WriteID
    /// Why it failed; `nil` when all its records are confirmed.
    package var failure: String?
    /// Where the ledger's record lies, where there is one.
    package var ledgerOffset: Int64?

    package init(id: WriteID, failure: String?, ledgerOffset: Int64? = nil) {
        self.id = id
        self.failure = failure
        self.ledgerOffset = ledgerOffset
    }
}
