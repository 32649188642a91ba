import NewsflashEvents
import NewsflashTimestamps

/// One story while an event of it is in memory: its facts, its inbox, and its current event.
///
/// An object, because every step reads much of it and changes little. It belongs to the ``Stories`` of one core and is used by
/// one thread.
final class Story {
    let name: String
    /// The key of the name in the index.
    let key: StoryIndex.Key
    let partition: PartitionID
    /// Whether it is in ``Stories``. After it was closed, another object may represent the same story.
    var isOpen = true
    /// The facts of the story, including changes that the ledger does not have yet.
    var facts: StoryFacts
    /// The offset of its latest confirmed record in the ledger; below zero if absent.
    var ledgerOffset: Int64
    /// The text that subscribers received, if it is in memory.
    var text: [EventText] = []
    /// Whether the text was requested, even if it was not found.
    var hasSoughtText = false
    /// Whether the text is being read.
    var isReadingText = false
    var inbox = StoryInbox()
    /// The event whose turn it is.
    var current: EventID?
    /// The events that follow: withdrawals, and at most one news event, which newer news supersedes.
    var queue: [EventID] = []
    /// The offsets of events that were dropped for the next owner of the partition: they were read and are not processed.
    var dropped: [Int64] = []
    /// Withdrawals that wait for a person while another source goes on with the story.
    var aside: [EventID] = []
    /// The changes, and which of them the ledger has confirmed.
    var versions = Versions()
    /// Whether an earlier owner may have sent one of its waiting events before it crashed.
    var isExposed = false
    /// The scopes that a person has resumed while its events waited in the ledger.
    var resumed: [PauseScope] = []
    /// The record of another writer, which is merged when the story's own record has been read.
    var overwrite: LateRecord?
    /// The ended withdrawal as read from the source, with its offset, for news that an earlier owner may have sent.
    var withdrawal: (offset: Int64, record: RecalledRecord)?
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

    /// The facts that a plan needs; `nil` if the story is unknown.
    var known: StoryFacts? {
        guard facts.isKnown else { return nil }
        guard !text.isEmpty else { return facts }
        var known = facts
        known.text = text
        return known
    }

    /// The text that subscribers received; empty if it is only in the source topic.
    var knownText: [EventText] { text.isEmpty ? facts.text : text }

    /// The latest admitted event that has not ended.
    var newest: EventID? { queue.last ?? current }

    /// Its admitted events that have not ended.
    var members: [EventID] { [current].compactMap(\.self) + queue + aside }

    /// Calls a body for each of its events that have not ended, including undecided ones.
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

    /// Whether no event or write of it is in progress, so that its facts can go back to the index.
    var isIdle: Bool {
        current == nil && queue.isEmpty && aside.isEmpty && holders == 0 && deciding == nil && inbox.isEmpty
            && versions.isConfirmed
    }
}

/// The records of a story in the order of their arrival; they are decided one at a time.
struct StoryInbox {
    /// Whether nothing is decided because a record of the story is being read from the ledger or the source.
    var isStalled = false
    private var events: [EventID] = []
    private var head = 0

    var isEmpty: Bool { !isStalled && head == events.count }

    /// The undecided events, in order.
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

    /// Stalls before an event that was about to be decided: it is the first one again.
    mutating func stall(before event: EventID) {
        isStalled = true
        events.replaceSubrange(..<head, with: [event])
        head = 0
    }

    /// Removes an event that is dropped.
    mutating func remove(_ event: EventID) {
        guard head < events.count else { return }
        events.removeFirst(head)
        head = 0
        events.removeAll { $0 == event }
    }
}

/// Counts the changes of a story's facts, and those that the ledger has confirmed.
struct Versions {
    /// The consequence of a change once the ledger has confirmed it.
    enum Consequence {
        /// The outcome of the event is written.
        case end(EventID, OutcomeWrite)
        /// The event's offset is processed, because the ledger has its bytes.
        case wait(RecordPosition)
        /// A provisional outcome is written.
        case announce(OutcomeRecord)
        /// The outcome of an event is written that waited and cannot be decoded any more.
        case outcome(OutcomeRecord, DeadLetter.Stage, any OriginalRecord)
    }

    private(set) var latest: UInt64 = 0
    private(set) var confirmed: UInt64 = 0
    /// The change that the ledger must confirm before another request of the story begins.
    private var barrier: UInt64 = 0
    /// The change that the ledger must confirm before a request for news of the story begins.
    private var newsBarrier: UInt64 = 0
    /// Whether the story is listed for the next batch.
    var isListed = false
    /// Requests that a hub accepted and that are not in a batch yet.
    var atRisk = 0
    /// Whether the latest record lists requests in flight as possibly accepted.
    var hasIntents = false
    /// Whether a request is in flight that the latest record does not list.
    var missesIntents = false
    private var consequences: [(version: UInt64, consequence: Consequence)] = []

    /// Whether the ledger has confirmed all changes.
    var isConfirmed: Bool { confirmed == latest }

    /// Whether requests may begin: the ledger has confirmed all changes that must come before them.
    func isPastBarrier(isNews: Bool) -> Bool { confirmed >= (isNews ? max(barrier, newsBarrier) : barrier) }

    mutating func change() { latest += 1 }

    mutating func raiseBarrier() { barrier = latest }

    mutating func raiseNewsBarrier() { newsBarrier = latest }

    mutating func add(_ consequence: Consequence) { consequences.append((latest, consequence)) }

    /// Whether the ledger has not confirmed yet that it has the bytes of a record.
    func isPending(_ place: RecordPosition) -> Bool {
        consequences.contains { if case .wait(place) = $0.consequence { true } else { false } }
    }

    /// Records that the ledger has confirmed all changes up to a version.
    ///
    /// - Returns: The consequences, in order.
    mutating func confirm(_ version: UInt64) -> ArraySlice<(version: UInt64, consequence: Consequence)> {
        confirmed = max(confirmed, version)
        let due = consequences.prefix { $0.version <= confirmed }
        consequences = due.count == consequences.count ? [] : Array(consequences.dropFirst(due.count))
        return due
    }
}
