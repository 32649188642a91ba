import NewsflashTimestamps

/// The stories of our partitions: an index of all, and those with an event in memory.
///
/// A story is identified by partition and name: one name in two partitions means two stories.
struct Stories {
    /// A story that was opened.
    struct Opened {
        let story: Story
        /// The offset of the ledger record that must be read before anything is decided; `nil` if the facts are complete.
        var unreadAt: Int64?
    }

    private struct Key: Hashable {
        var partition: PartitionID
        var name: String
        /// The hash of the name, stored because hashing a long name takes long.
        var hash: StoryIndex.Key

        init(_ name: String, of partition: PartitionID) {
            self.partition = partition
            self.name = name
            hash = StoryIndex.Key(name)
        }

        init(_ story: Story) {
            partition = story.partition
            name = story.name
            hash = story.key
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    /// The maximum memory of cached facts, in bytes.
    let byteLimit: Int
    /// Whether facts are kept in a ledger. If so, facts that were never written need not be kept in memory.
    let keepsLedger: Bool
    /// The stories that are open.
    private var names: [Key: Story] = [:]
    private var indexes = PerPartition<StoryIndex?>(nil)

    init(byteLimit: Int, keepsLedger: Bool) {
        self.byteLimit = byteLimit
        self.keepsLedger = keepsLedger
    }

    /// The partitions with an index.
    var partitions: [PartitionID] { indexes.ids.filter { indexes[$0] != nil } }

    /// An estimate of the indexes' memory, in bytes.
    var byteCount: Int { indexes.values.reduce(0) { $0 + ($1?.byteCount ?? 0) } }

    /// The number of known stories of our partitions.
    var count: Int { indexes.values.reduce(0) { $0 + ($1?.count ?? 0) } }

    /// The number of known stories of a partition.
    func count(of partition: PartitionID) -> Int { indexes[partition]?.count ?? 0 }

    func story(_ name: String, of partition: PartitionID) -> Story? { names[Key(name, of: partition)] }

    /// Opens a story, which stays in memory until ``releaseIfIdle(_:)``.
    ///
    /// - Parameters:
    ///   - name: The story.
    ///   - partition: A restored partition.
    ///   - unseen: The facts of an unknown story.
    /// - Returns: The story, and whether its facts must be read from the ledger.
    mutating func open(_ name: String, of partition: PartitionID, orElse unseen: @autoclosure () -> StoryFacts)
        -> Opened
    {
        let key = Key(name, of: partition)
        if let story = names[key] { return Opened(story: story) }
        switch indexes[partition].lookup(name, key.hash) {
        case .unknown:
            return Opened(story: insert(key, unseen(), ledgerOffset: -1))
        case .known(let facts, let offset):
            return Opened(story: insert(key, facts, ledgerOffset: offset))
        case .evicted(let offset):
            return Opened(story: insert(key, unseen(), ledgerOffset: offset), unreadAt: offset)
        }
    }

    /// Opens a story whose record was read. If it is in memory, it is not changed.
    mutating func open(_ name: String, of partition: PartitionID, as facts: StoryFacts, ledgerOffset: Int64) -> Story {
        let key = Key(name, of: partition)
        return names[key] ?? insert(key, facts, ledgerOffset: ledgerOffset)
    }

    /// Gives the facts of a story back to the index if nothing of it is in progress.
    ///
    /// - Returns: Whether it was closed.
    @discardableResult
    mutating func releaseIfIdle(_ story: Story) -> Bool {
        guard story.isIdle, story.isOpen else { return false }
        let offset = story.ledgerOffset
        if story.facts.isKnown, offset >= 0 || !keepsLedger {
            indexes[story.partition].store(story.facts, of: story.name, story.key, ledgerOffset: offset)
        }
        remove(story)
        return true
    }

    /// Adopts the stories of a partition's ledger.
    mutating func restore(_ index: StoryIndex, of partition: PartitionID) {
        indexes[partition] = index
        shareMemory()
    }

    /// Returns up to `count` stories of a partition that have not changed since an instant.
    mutating func nextExpired(
        of partition: PartitionID,
        before instant: Timestamp,
        atMost count: Int
    ) -> [(key: StoryIndex.Key, ledgerOffset: Int64)] {
        indexes[partition]?.nextExpired(before: instant, atMost: count) ?? []
    }

    /// Whether the latest record of a story is still the one at an offset of the ledger.
    func isLatest(_ ledgerOffset: Int64, of key: StoryIndex.Key, in partition: PartitionID) -> Bool {
        indexes[partition]?.isLatest(ledgerOffset, of: key) ?? false
    }

    mutating func forget(_ name: String, of partition: PartitionID) {
        indexes[partition]?.remove(StoryIndex.Key(name))
    }

    /// Forgets a partition that was given up, because another worker changes its stories from now on.
    mutating func forget(_ partition: PartitionID) {
        indexes[partition] = nil
        shareMemory()
        for story in names.values where story.partition == partition { remove(story) }
    }

    /// Gives each partition the same part of the memory.
    private mutating func shareMemory() {
        let share = byteLimit / max(1, indexes.values.count { $0 != nil })
        for partition in indexes.ids { indexes[partition]?.byteLimit = share }
    }

    private mutating func insert(_ key: Key, _ facts: consuming StoryFacts, ledgerOffset: Int64) -> Story {
        let story = Story(key.name, key.hash, of: key.partition, facts: facts, ledgerOffset: ledgerOffset)
        names[key] = story
        return story
    }

    private mutating func remove(_ story: Story) {
        story.isOpen = false
        names[Key(story)] = nil
    }
}

extension StoryIndex? {
    // With `?.` at the callers, a lookup would copy the index, and a store would allocate a frame for an accessor: an
    // allocation and 1,000 instructions of `core.stub`.

    fileprivate func lookup(_ name: String, _ key: StoryIndex.Key) -> StoryIndex.Lookup {
        switch self {
        case .some(let index): index.lookup(name, key)
        case .none: .unknown
        }
    }

    fileprivate mutating func store(
        _ facts: consuming StoryFacts,
        of name: String,
        _ key: StoryIndex.Key,
        ledgerOffset: Int64
    ) {
        self?.store(facts, of: name, key, ledgerOffset: ledgerOffset)
    }
}
