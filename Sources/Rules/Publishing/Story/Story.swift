import NewsEvents
import Timestamps

/// One story while an event of it is in memory: its facts, its inbox, and whose turn it is.
///
/// An object, because every step reads much of it and changes little. It belongs to the ``Stories`` of one core, which no other
/// thread sees.
final class Story {
    let name: String
    /// The key of the name in the index.
    let key: StoryIndex.Key
    let partition: PartitionID
    /// Whether ``Stories`` has it. After it was closed, another object may stand for the same story.
    var isOpen = true
    /// The facts of the story, as the ledger has them or is about to have them.
    var facts: StoryFacts
    /// The offset of its latest confirmed record in the ledger; below zero for none.
    var ledgerOffset: Int64
    /// The words that subscribers were notified of, if they are in memory.
    var text: [EventText] = []
    /// Whether the words were asked for, found or not.
    var hasSoughtText = false
    /// Whether they are being read.
    var isReadingText = false
    var inbox = StoryInbox()
    /// The event whose turn it is.
    var current: EventID?
    /// The events that follow: withdrawals, and at most one of news, which newer news takes the place of.
    var queue: [EventID] = []
    /// The offsets of events that were dropped for the next owner of the partition: they were read and are not processed.
    var dropped: [Int64] = []
    /// Withdrawals that wait for a person while another source goes on with the story.
    var aside: [EventID] = []
    /// Which of its changes the ledger has.
    var versions = Versions()
    /// Whether an earlier owner may have sent one of its waiting events and crashed.
    var isExposed = false
    /// Whether a person has released one of its waiting events.
    var isReleased = false
    /// The record of another writer, to be merged when what is being read has come.
    var overwrite: LateRecord?
    /// Events that ended and whose outcomes are not confirmed, and steps that still need the story.
    var holders = 0
    /// The event of the inbox that is being decided.
    var deciding: EventID?

    init(
        _ name: String,
        _ key: StoryIndex.Key,
        of partition: PartitionID,
        facts: StoryFacts,
        ledgerOffset: Int64
    ) {
        self.name = name
        self.key = key
        self.partition = partition
        self.facts = facts
        self.ledgerOffset = ledgerOffset
    }

    /// The facts that a plan needs; `nil` if nothing is known of the story.
    var known: StoryFacts? {
        guard facts.isKnown else { return nil }
        guard !text.isEmpty else { return facts }
        var known = facts
        known.text = text
        return known
    }

    /// The words that subscribers were notified of; empty if only the source topic has them.
    var knownText: [EventText] { text.isEmpty ? facts.text : text }

    /// The event that was admitted last and has not ended.
    var newest: EventID? { queue.last ?? current }

    /// Its admitted events that have not ended.
    var members: [EventID] { [current].compactMap(\.self) + queue + aside }

    /// Calls a body for each of its events that have not ended, those that are not decided included.
    func forEachBegun(_ body: (EventID) -> Void) {
        deciding.map(body)
        current.map(body)
        queue.forEach(body)
        aside.forEach(body)
        inbox.waiting.forEach(body)
    }

    /// Removes an event that is dropped.
    func remove(_ event: EventID) {
        if current == event { current = nil }
        queue.removeAll { $0 == event }
        aside.removeAll { $0 == event }
        inbox.remove(event)
    }

    /// Whether nothing of it is in progress, so that its facts can go back to the index.
    var isIdle: Bool {
        current == nil && queue.isEmpty && aside.isEmpty && holders == 0 && deciding == nil && inbox.isEmpty
            && versions.isConfirmed
    }
}

/// The records of a story in the order in which they came; one is decided at a time.
struct StoryInbox {
    /// Whether nothing is decided because the story's record is being read from the ledger.
    var isStalled = false
    private var events: [EventID] = []
    private var head = 0

    var isEmpty: Bool { !isStalled && head == events.count }

    /// The events that are not decided, in order.
    var waiting: ArraySlice<EventID> { events[head...] }

    mutating func append(_ event: EventID) { events.append(event) }

    /// The next event to decide; `nil` while the inbox is stalled.
    mutating func next() -> EventID? {
        guard !isStalled, head < events.count else { return nil }
        defer {
            head += 1
            if head == events.count {
                events.removeAll()
                head = 0
            }
        }
        return events[head]
    }

    /// Removes an event that is dropped.
    mutating func remove(_ event: EventID) {
        guard head < events.count else { return }
        events.removeFirst(head)
        head = 0
        events.removeAll { $0 == event }
    }
}

/// Counts the changes of a story's facts, and which of them the ledger has.
struct Versions {
    /// The consequence of a change once the ledger has it.
    enum Consequence {
        /// The outcome of the event is written.
        case end(EventID, OutcomeWrite)
        /// The event's offset is processed, because the ledger has its bytes.
        case wait(RecordPlace)
        /// A provisional outcome is written.
        case announce(OutcomeRecord)
        /// The outcome of an event that waited and cannot be decoded any more is written.
        case outcome(OutcomeRecord, DeadLetter.Stage, any OriginalRecord)
    }

    private(set) var latest: UInt64 = 0
    private(set) var confirmed: UInt64 = 0
    /// The change that the ledger must have before another request of the story begins.
    private var barrier: UInt64 = 0
    /// The change that the ledger must have before a request of news of the story begins.
    private var newsBarrier: UInt64 = 0
    /// Whether the story is listed for the next batch.
    var isListed = false
    /// Requests that a hub accepted and that are in no batch yet.
    var atRisk = 0
    /// Whether the latest record names requests in flight as possibly accepted.
    var hasIntents = false
    /// Whether a request is in flight that the latest record does not name.
    var missesIntents = false
    private var consequences: [(version: UInt64, consequence: Consequence)] = []

    /// Whether the ledger has everything.
    var isConfirmed: Bool { confirmed == latest }

    /// Whether requests may begin: the ledger has what must not be forgotten before.
    func isPastBarrier(isNews: Bool) -> Bool { confirmed >= (isNews ? max(barrier, newsBarrier) : barrier) }

    mutating func change() { latest += 1 }

    mutating func raiseBarrier() { barrier = latest }

    mutating func raiseNewsBarrier() { newsBarrier = latest }

    mutating func add(_ consequence: Consequence) { consequences.append((latest, consequence)) }

    /// Whether the ledger is still to confirm that it has the bytes of a record.
    func isPending(_ place: RecordPlace) -> Bool {
        consequences.contains { if case .wait(place) = $0.consequence { true } else { false } }
    }

    /// Records that the ledger has all changes up to one.
    ///
    /// - Returns: The consequences, in order.
    mutating func confirm(_ version: UInt64) -> ArraySlice<(version: UInt64, consequence: Consequence)> {
        confirmed = max(confirmed, version)
        let due = consequences.prefix { $0.version <= confirmed }
        consequences = due.count == consequences.count ? [] : Array(consequences.dropFirst(due.count))
        return due
    }
}
