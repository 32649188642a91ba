import Timestamps

/// What the worker knows of stories: all of our partitions' in compact tables, those under way as they are.
///
/// A story is known by partition and name: should one lie in two partitions, each is a story of its own.
struct Stories {
    /// What is known of a story that an event speaks of.
    enum Opening {
        case known(LiveStory)
        /// It has to be read from the ledger first.
        case unread(LiveStory)
    }

    /// The most bytes of all tables together.
    let byteLimit: Int
    private var slots: [(generation: UInt32, story: LiveStory?)] = []
    private var free: [Int32] = []
    private var index = StoryIndex()
    /// By the partition's number; empty for those that are not ours.
    private var tables: [StoryLedgerTable] = []
    /// The partitions whose tables we have.
    private(set) var partitions: Set<PartitionID> = []

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// What the tables take in memory.
    var byteCount: Int { partitions.reduce(0) { $0 + tables[Int($1.index)].byteCount } }

    /// How many stories of our partitions are known.
    var count: Int { tables.indices.reduce(0) { $0 + tables[$1].count } }

    /// The story of that name; `nil` once it is no longer at hand.
    subscript(id: StoryID) -> LiveStory? {
        slots[Int(id.slot)].generation == id.generation ? slots[Int(id.slot)].story : nil
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
        orElse unseen: consuming StoryRecord
    ) -> Opening {
        let key = LiveStory.Key(name, of: partition)
        if let story = story(of: key) { return .known(story) }
        let index = Int(partition.index)
        switch index < tables.count ? Self.entry(of: key, in: &tables[index]) : .unknown {
        case .unknown:
            return .known(insert(key, unseen, ledgerOffset: -1))
        case .known(let record, let place):
            let story = insert(key, record, ledgerOffset: place)
            return record.isIncomplete && place >= 0 ? opening(of: story) : .known(story)
        case .elsewhere(let place):
            let story = insert(key, unseen, ledgerOffset: place)
            return place >= 0 ? opening(of: story) : .known(story)
        }
    }

    /// Looks where the table lies: to read it by the array would copy it.
    private static func entry(of key: LiveStory.Key, in table: inout StoryLedgerTable) -> StoryLedgerTable.Entry {
        table.entry(of: key.name, hash: key.nameHash)
    }

    private func opening(of story: LiveStory) -> Opening {
        story.arrivals = []
        return .unread(story)
    }

    /// Keeps a story at hand of which all is known, as when an event of it waits in the ledger; one that is at hand already
    /// stays as it is.
    mutating func open(_ name: String, of partition: PartitionID, as record: StoryRecord, ledgerOffset: Int64)
        -> LiveStory
    {
        let key = LiveStory.Key(name, of: partition)
        return story(of: key) ?? insert(key, record, ledgerOffset: ledgerOffset)
    }

    /// Whether an event of the story of that name is under way.
    func isLive(_ name: String, of partition: PartitionID) -> Bool {
        story(of: LiveStory.Key(name, of: partition)) != nil
    }

    /// The story of that key, where it is at hand.
    private func story(of key: LiveStory.Key) -> LiveStory? {
        index.slot(of: key.nameHash) { slots[Int($0)].story?.key == key }.flatMap { slots[Int($0)].story }
    }

    /// Puts a story back into its table once nothing of it is under way.
    mutating func closeIfIdle(_ story: LiveStory) {
        guard story.isIdle, self[story.id] != nil else { return }
        let index = Int(story.partition.index)
        if index < tables.count { Self.put(&story.record, of: story, into: &tables[index]) }
        remove(story)
    }

    /// Puts a record of which something is known into its table from where it lies: to hand over what an object has would
    /// copy it.
    private static func put(_ record: inout StoryRecord, of story: LiveStory, into table: inout StoryLedgerTable) {
        guard record.isKnown else { return }
        table.set(record, of: story.name, hash: story.key.nameHash, place: story.ledgerOffset)
    }

    /// Takes up what a partition's ledger says.
    mutating func restore(_ table: StoryLedgerTable, of partition: PartitionID) {
        let index = Int(partition.index)
        while tables.count <= index { tables.append(StoryLedgerTable(byteLimit: 0)) }
        tables[index] = table
        partitions.insert(partition)
        shareMemory()
    }

    /// Gives each table the same part of the memory.
    private mutating func shareMemory() {
        let share = byteLimit / max(1, partitions.count)
        for partition in partitions { tables[Int(partition.index)].byteLimit = share }
    }

    /// Gives the longest untouched stories of a partition that have not changed since an instant.
    mutating func takeExpired(of partition: PartitionID, changedBefore: Timestamp, atMost count: Int) -> [String] {
        guard partitions.contains(partition) else { return [] }
        return tables[Int(partition.index)].takeExpired(changedBefore: changedBefore, atMost: count)
            .compactMap(\.story)
    }

    /// Forgets a partition that left: another worker knows more of it from now on.
    mutating func forget(_ partition: PartitionID) {
        if partitions.remove(partition) != nil { tables[Int(partition.index)] = StoryLedgerTable(byteLimit: 0) }
        shareMemory()
        for slot in slots.indices {
            if let story = slots[slot].story, story.partition == partition { remove(story) }
        }
    }

    private mutating func insert(
        _ key: LiveStory.Key,
        _ record: consuming StoryRecord,
        ledgerOffset: Int64
    ) -> LiveStory {
        if free.isEmpty {
            free.append(Int32(slots.count))
            slots.append((0, nil))
        }
        let slot = free.removeLast()
        let id = StoryID(slot: slot, generation: slots[Int(slot)].generation)
        let story = LiveStory(id, key, record: record, ledgerOffset: ledgerOffset)
        slots[Int(slot)].story = story
        index.insert(slot, hash: key.nameHash)
        return story
    }

    private mutating func remove(_ story: LiveStory) {
        let slot = story.id.slot
        index.remove(slot, hash: story.key.nameHash)
        slots[Int(slot)] = (story.id.generation &+ 1, nil)
        free.append(slot)
    }
}
