import NewsEvents
import Timestamps

/// Names a story while an event of it is worked on.
package struct StoryID: Hashable, Sendable {
    var slot: Int32
    /// Tells one user of the slot from the next.
    var generation: UInt32
}

/// One story while an event of it is worked on.
struct LiveStory: Sendable {
    let name: String
    let partition: PartitionID
    /// What has ended, as the ledger says or is about to say.
    var record: StoryRecord
    /// Where the ledger has it; below zero for nowhere.
    var ledgerOffset: Int64 = -1
    /// The words that readers were told last, as long as they are at hand.
    var text: [EventText] = []
    /// Whether the words were asked for, found or not.
    var hasSoughtText = false
    /// Events that came while something of the story is being read; `nil` once it is known.
    var arrivals: [EventID]?
    /// What a late writer left in the ledger; to be united with what is read.
    var intruder: Intruder?
    /// The event whose turn it is.
    var current: EventID?
    /// The event that follows. One is enough: whoever comes later takes its place.
    var next: EventID?
    /// Records of this story that are not confirmed.
    var writes = 0
    /// Steps that are not done with it, so that it must stay at hand though nothing else is under way.
    var holders = 0

    /// Whether nothing of it is under way, so that the table can have it back.
    var isIdle: Bool { current == nil && next == nil && writes == 0 && arrivals == nil && holders == 0 }

    /// A record in a room of its own, since hardly any story has one.
    final class Intruder: Sendable {
        let record: StoryRecord

        init(_ record: StoryRecord) {
            self.record = record
        }
    }

    /// The words that readers were told last; empty where only the source topic has them.
    var toldText: [EventText] { text.isEmpty ? record.text : text }

    /// The event that was admitted last.
    var newest: EventID? { next ?? current }
}

/// What the worker knows of stories: all of our partitions' in compact tables, those under way as they are.
///
/// A story is known by partition and name: should one lie in two partitions, each is a story of its own.
struct Stories: Sendable {
    private struct Key: Hashable {
        var partition: PartitionID
        var name: String
    }

    /// What is known of a story that an event speaks of.
    enum Opening {
        case known(StoryID)
        /// It has to be read from the ledger first, at this offset.
        case unread(StoryID, ledgerOffset: Int64)
    }

    /// The most bytes of all tables together.
    let byteLimit: Int
    private var slots: [(generation: UInt32, story: LiveStory?)] = []
    private var free: [Int32] = []
    private var live: [Key: StoryID] = [:]
    private var tables: [PartitionID: StoryLedgerTable] = [:]

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// What the tables take in memory.
    var byteCount: Int { tables.values.reduce(0) { $0 + $1.byteCount } }

    /// How many stories of our partitions are known.
    var count: Int { tables.values.reduce(0) { $0 + $1.count } }

    subscript(id: StoryID) -> LiveStory? {
        let slot = slots[Int(id.slot)]
        return slot.generation == id.generation ? slot.story : nil
    }

    /// Changes a story where it lies.
    @discardableResult
    mutating func update<Result>(_ id: StoryID, _ change: (inout LiveStory) -> Result) -> Result? {
        guard slots[Int(id.slot)].generation == id.generation else { return nil }
        return slots[Int(id.slot)].story?.changed(change)
    }

    /// Looks a story up and keeps it at hand until ``closeIfIdle(_:)``.
    ///
    /// - Parameters:
    ///   - name: The story.
    ///   - partition: One that is restored.
    ///   - unseen: What a story is that nothing is known of.
    /// - Returns: The story, and whether something of it has to be read first.
    mutating func open(
        _ name: String,
        of partition: PartitionID,
        orElse unseen: @autoclosure () -> StoryRecord
    ) -> Opening {
        let key = Key(partition: partition, name: name)
        if let id = live[key] { return .known(id) }
        var story = LiveStory(name: name, partition: partition, record: unseen())
        var unread: Int64?
        switch tables[partition]?.entry(of: name) ?? .unknown {
        case .unknown: break
        case .known(let record, let place):
            story.record = record
            story.ledgerOffset = place
            if record.isIncomplete, place >= 0 { unread = place }
        case .elsewhere(let place):
            if place >= 0 { unread = place }
            story.ledgerOffset = place
        }
        if unread != nil { story.arrivals = [] }
        let id = insert(story)
        live[key] = id
        return unread.map { .unread(id, ledgerOffset: $0) } ?? .known(id)
    }

    /// Keeps a story at hand of which all is known, as when an event of it waits in the ledger.
    ///
    /// - Returns: Its name; one that is at hand already stays as it is.
    mutating func open(_ name: String, of partition: PartitionID, as record: StoryRecord, ledgerOffset: Int64)
        -> StoryID
    {
        let key = Key(partition: partition, name: name)
        if let id = live[key] { return id }
        let id = insert(LiveStory(name: name, partition: partition, record: record, ledgerOffset: ledgerOffset))
        live[key] = id
        return id
    }

    /// The story of that name, if an event of it is under way.
    func liveID(of name: String, in partition: PartitionID) -> StoryID? {
        live[Key(partition: partition, name: name)]
    }

    /// Puts a story back into its table once nothing of it is under way.
    mutating func closeIfIdle(_ id: StoryID) {
        guard let story = self[id], story.isIdle else { return }
        if story.record.isKnown {
            tables[story.partition]?.set(story.record, of: story.name, place: story.ledgerOffset)
        }
        remove(id, story)
    }

    /// Takes up what a partition's ledger says.
    mutating func restore(_ table: StoryLedgerTable, of partition: PartitionID) {
        tables[partition] = table
        shareMemory()
    }

    /// Gives each table the same part of the memory.
    private mutating func shareMemory() {
        let share = byteLimit / max(1, tables.count)
        for partition in Array(tables.keys) { tables[partition]?.byteLimit = share }
    }

    /// Gives the longest untouched stories of a partition that have not changed since an instant.
    mutating func takeExpired(of partition: PartitionID, changedBefore: Timestamp, atMost count: Int) -> [String] {
        tables[partition]?.takeExpired(changedBefore: changedBefore, atMost: count).compactMap(\.story) ?? []
    }

    /// The partitions whose tables we have.
    var partitions: [PartitionID] { Array(tables.keys) }

    /// Forgets a partition that left: another worker knows more of it from now on.
    mutating func forget(_ partition: PartitionID) {
        tables[partition] = nil
        shareMemory()
        for (key, id) in live where key.partition == partition {
            if let story = self[id] { remove(id, story) }
        }
    }

    private mutating func insert(_ story: LiveStory) -> StoryID {
        if let slot = free.popLast() {
            slots[Int(slot)].story = story
            return StoryID(slot: slot, generation: slots[Int(slot)].generation)
        }
        slots.append((0, story))
        return StoryID(slot: Int32(slots.count - 1), generation: 0)
    }

    private mutating func remove(_ id: StoryID, _ story: LiveStory) {
        live[Key(partition: story.partition, name: story.name)] = nil
        slots[Int(id.slot)].story = nil
        slots[Int(id.slot)].generation &+= 1
        free.append(id.slot)
    }
}

extension LiveStory {
    mutating func changed<Result>(_ change: (inout LiveStory) -> Result) -> Result { change(&self) }
}
