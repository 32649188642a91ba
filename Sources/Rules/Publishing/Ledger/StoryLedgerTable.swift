package import Timestamps

/// All stories of one partition's ledger, in a form that a million of them fit into memory.
///
/// A story's record is kept compactly, without its texts and without the bytes of waiting events. Beyond the limit the
/// records that were set longest ago give way, and only their place in the ledger remains (about 45 bytes), so that a story
/// is never taken for one that was not seen. Every step takes constant time, apart from growing.
package struct StoryLedgerTable: Sendable {
    /// What the table knows of a story.
    package enum Entry: Sendable, Equatable {
        /// The ledger has no record of it.
        case unknown
        /// Its record, without texts and waiting events (``StoryRecord/isIncomplete``), and the record's offset in the ledger.
        case known(StoryRecord, place: Int64)
        /// The ledger's record at this offset has to be read.
        ///
        /// A record of another story there means that this one is not known; that is as likely as two equal hashes of
        /// 64 bits.
        case elsewhere(place: Int64)
    }

    /// How many bytes are to be held at most; places alone may go beyond, since they are never given up.
    package var byteLimit: Int { didSet { holdLimit() } }
    /// The highest source offset that any story knows as done; -1 for none.
    package private(set) var highestDone: Int64 = -1
    /// What was pushed of late, by the hash of its story, as it was restored.
    private var pushes: [UInt64: [StoryRecord.Push]] = [:]
    private var entries: [StoryEntry] = []
    private var unused: [UInt32] = []
    /// Index plus one of the entry whose hash led here, or to a slot before; 0 for none.
    private var slots = [UInt32](repeating: 0, count: 16)
    private var queue = ExpiryQueue()
    private var arena: StoryArena
    /// Writes compact records; keeps the strings that they share.
    var compact: CompactStory

    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
        self.arena = StoryArena(segmentLength: byteLimit / 64)
        self.compact = CompactStory(poolByteLimit: max(0, byteLimit / 8))
    }

    /// How many stories have an entry.
    package var count: Int { entries.count - unused.count }

    /// What is allocated.
    package var byteCount: Int {
        entries.capacity * MemoryLayout<StoryEntry>.stride + (unused.capacity + slots.capacity) * 4 + queue.byteCount
            + arena.byteCount + compact.byteCount
    }

    /// What is known of a story.
    package func entry(of story: String) -> Entry { entry(of: story, hash: ByteHash.of(story)) }

    /// What is known of a story whose name was hashed before.
    func entry(of story: String, hash: UInt64) -> Entry {
        var name = story
        let found = name.withUTF8 { unsafe index(of: Span(_unsafeElements: $0), hash: hash) }
        guard let index = found else { return .unknown }
        let entry = entries[index]
        guard entry.place != .none else { return .elsewhere(place: entry.ledgerOffset) }
        let record = arena.withRecord(at: entry.place) { compact.record($0, at: $1) }
        return .known(record, place: entry.ledgerOffset)
    }

    /// Puts a story's record in place.
    ///
    /// - Parameters:
    ///   - record: Whole, or as ``entry(of:)`` gave it and the caller went on from there.
    ///   - story: The story.
    ///   - place: The offset of the record in the ledger.
    package mutating func set(_ record: StoryRecord, of story: String, place: Int64) {
        let hash = ByteHash.of(story)
        note(record.pushes, hash: hash)
        set(record, of: story, hash: hash, place: place)
    }

    /// Takes note of what was pushed of a story, for whoever counts it once the ledger is restored.
    mutating func note(_ pushes: [StoryRecord.Push], hash: UInt64) {
        if !pushes.isEmpty {
            self.pushes[hash] = pushes
        } else if !self.pushes.isEmpty {
            self.pushes[hash] = nil
        }
    }

    /// Takes out what was pushed of late of all stories that were restored.
    mutating func takePushes() -> [StoryRecord.Push] {
        defer { pushes = [:] }
        return pushes.values.flatMap(\.self)
    }

    /// Puts the record of a story in place whose name was hashed before.
    mutating func set(_ record: StoryRecord, of story: String, hash: UInt64, place: Int64) {
        note(done: record.done)
        compact.write(record, of: story)
        var name = story
        let known = name.withUTF8 { unsafe index(of: Span(_unsafeElements: $0), hash: hash) }
        let entry = StoryEntry(
            hash: hash,
            ledgerOffset: place,
            through: record.done.through,
            isKilled: record.phase == .killed,
            changedAt: record.changedAt,
            isUnfinished: !record.waiting.isEmpty || record.waitingIsElsewhere
        )
        store(entry, at: known)
    }

    /// Forgets a story.
    package mutating func remove(_ story: String) {
        remove(key: Array(story.utf8).span)
    }

    /// Forgets a story by its bytes, as the key of a tombstone has them.
    package mutating func remove(key: Span<UInt8>) {
        guard let index = index(of: key, hash: ByteHash.of(key)) else { return }
        remove(at: index)
    }

    /// Forgets stories that did not change for long; their records can be taken out of the ledger.
    ///
    /// A story of which something waits stays.
    ///
    /// - Parameters:
    ///   - instant: Stories that changed before, to the second.
    ///   - limit: How many at most.
    /// - Returns: The oldest first; without a name where only the place of the record was left.
    package mutating func takeExpired(
        changedBefore instant: Timestamp,
        atMost limit: Int
    ) -> [(story: String?, place: Int64)] {
        let end = StoryEntry.seconds(of: instant)
        var expired: [(story: String?, place: Int64)] = []
        while expired.count < limit, let oldest = queue.oldest, entries[oldest].seconds < end {
            let entry = entries[oldest]
            var story: String?
            if entry.place != .none { story = arena.withRecord(at: entry.place) { CompactStory.story($0, at: $1) } }
            expired.append((story, entry.ledgerOffset))
            remove(at: oldest)
        }
        return expired
    }

    /// The index of a story's entry.
    func index(of story: Span<UInt8>, hash: UInt64) -> Int? {
        var evicted: Int?
        var slot = home(of: hash)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if entries[index].hash == hash {
                if entries[index].place == .none {
                    evicted = evicted ?? index
                } else if arena.isRecord(at: entries[index].place, of: story) {
                    return index
                }
            }
            slot = next(slot)
        }
        return evicted
    }

    /// The entry at an index.
    subscript(index: Int) -> StoryEntry { entries[index] }

    /// Stores the record that ``compact`` has written last.
    mutating func store(_ entry: StoryEntry, at known: Int?) {
        let index: Int
        if let known {
            index = known
            let place = entries[index].place
            let rank = entries[index].rank
            entries[index] = entry
            entries[index].rank = rank
            if place != .none { arena.release(place, entries: &entries) }
            queue.update(index, &entries)
        } else {
            index = newIndex(for: entry)
            enter(index)
            queue.insert(index, &entries)
        }
        entries[index].place = arena.append(compact.bytes, owner: index, entries: &entries)
        holdLimit()
    }

    mutating func note(done: DoneOffsets) {
        highestDone = max(highestDone, done.highest)
    }

    private mutating func holdLimit() {
        while byteCount > byteLimit, !arena.isEmpty { arena.dropOldest(entries: &entries) }
    }

    private mutating func newIndex(for entry: StoryEntry) -> Int {
        if let free = unused.popLast() {
            entries[Int(free)] = entry
            return Int(free)
        }
        entries.growGently()
        entries.append(entry)
        return entries.count - 1
    }

    private mutating func remove(at index: Int) {
        let place = entries[index].place
        entries[index].place = .none
        if place != .none { arena.release(place, entries: &entries) }
        queue.remove(index, &entries)
        leave(index)
        unused.growGently()
        unused.append(UInt32(index))
        holdLimit()
    }

    private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    private mutating func enter(_ index: Int) {
        if count * 4 > slots.count * 3 {
            // The new entry counts already, and no other is without a slot.
            let old = slots
            slots = [UInt32](repeating: 0, count: old.count * 2)
            for number in old where number != 0 { fill(number) }
        }
        fill(UInt32(index) + 1)
    }

    private mutating func fill(_ number: UInt32) {
        var slot = home(of: entries[Int(number) - 1].hash)
        while slots[slot] != 0 { slot = next(slot) }
        slots[slot] = number
    }

    /// Empties an entry's slot and moves those behind it up, so that no search ends too early.
    private mutating func leave(_ index: Int) {
        var hole = home(of: entries[index].hash)
        while slots[hole] != UInt32(index) + 1 { hole = next(hole) }
        slots[hole] = 0
        var slot = next(hole)
        while slots[slot] != 0 {
            let distance = (slot - home(of: entries[Int(slots[slot]) - 1].hash)) & (slots.count - 1)
            if distance >= (slot - hole) & (slots.count - 1) {
                slots[hole] = slots[slot]
                slots[slot] = 0
                hole = slot
            }
            slot = next(slot)
        }
    }
}
