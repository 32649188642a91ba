import NewsflashBasics
package import NewsflashTimestamps

/// All stories of one partition's ledger: the offset of each record, and the facts of the most recently used stories.
///
/// The entry of a story is never evicted, so that a story is never mistaken for a new one. Facts beyond the limit are evicted
/// and read from the ledger when an event of the story comes.
package struct StoryIndex: Sendable {
    /// The result of a lookup.
    package enum Lookup: Sendable, Equatable {
        /// The ledger has no record of the story.
        case unknown
        /// The facts, and the offset of the story's record in the ledger.
        case known(StoryFacts, ledgerOffset: Int64)
        /// The record at this offset of the ledger must be read.
        case evicted(ledgerOffset: Int64)
    }

    /// Represents a story's name by a hash that is seeded for each process.
    ///
    /// Two names have the same hash with the probability of a 64-bit collision. The record that is then read has another
    /// story's name.
    package struct Key: Hashable, Sendable {
        let hash: Int

        package init(_ name: String) {
            var name = name
            hash = name.withUTF8 { unsafe Self.hash(of: Span(_unsafeElements: $0)) }
        }

        package init(_ name: Span<UInt8>) {
            hash = Self.hash(of: name)
        }

        private static func hash(of bytes: Span<UInt8>) -> Int {
            var hasher = Hasher()
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
    }

    /// Sixteen bytes, because a ledger may have millions of stories.
    fileprivate struct Entry: Sendable {
        /// The offset of its record in 48 bits, and the index of its owner's term in ``StoryIndex/terms`` in the rest.
        private var place: Int64
        /// When the story changed, in seconds since 1970; `never` while an event of it waits.
        var seconds: UInt32
        /// The lowest 31 bits of the highest processed offset, and whether the story was withdrawn.
        var progress: UInt32

        static let never = UInt32.max

        init(ledgerOffset: Int64, term: UInt16, seconds: UInt32, progress: UInt32) {
            place = ledgerOffset << 16 | Int64(term)
            self.seconds = seconds
            self.progress = progress
        }

        var ledgerOffset: Int64 { place >> 16 }
        var term: Int { Int(place & 0xFFFF) }
    }

    /// The entries, in parts that grow one after the other. A growing table is copied: a single table with a million stories
    /// would stop the publishing thread for that time, and need half as much memory again.
    private struct Entries: Sendable {
        private static let partCount = 16

        private var parts: [[Key: Entry]] = Array(repeating: [:], count: partCount)
        private var capacity = 0
        private(set) var count = 0

        /// An estimate of the memory of the entries, in bytes.
        var byteCount: Int { capacity * (MemoryLayout<Key>.stride + MemoryLayout<Entry>.stride) * 4 / 3 }

        subscript(key: Key) -> Entry? {
            get { parts[Self.part(of: key)][key] }
            set {
                let part = Self.part(of: key)
                let (oldCapacity, oldCount) = (parts[part].capacity, parts[part].count)
                parts[part][key] = newValue
                capacity += parts[part].capacity - oldCapacity
                count += parts[part].count - oldCount
            }
        }

        func keys(where isWanted: (Entry) -> Bool) -> [Key] {
            parts.flatMap { part in part.compactMap { isWanted($0.value) ? $0.key : nil } }
        }

        private static func part(of key: Key) -> Int { key.hash & (partCount - 1) }
    }

    /// The maximum memory of the index and the cached facts together, in bytes. A fourth is for facts, however many stories
    /// there are.
    package var byteLimit: Int { didSet { cache.shrink(to: cacheLimit) } }
    /// The highest processed source offset of any story; -1 if absent.
    package private(set) var highestProcessed: Int64 = -1
    /// The latest notifications of the restored stories.
    private var pushes: [Key: [StoryFacts.Push]] = [:]
    private var entries = Entries()
    /// The terms of the owners that wrote the records, in the order of first use: one for each takeover.
    private var terms: [Int64] = []
    private var cache = FactsCache()
    /// The expired stories found by the latest search that were not returned yet.
    private var expired: [Key] = []

    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The number of known stories.
    package var count: Int { entries.count }

    /// An estimate of its memory, in bytes.
    package var byteCount: Int { entries.byteCount + cache.byteCount }

    private var cacheLimit: Int { max(byteLimit / 4, byteLimit - entries.byteCount) }

    /// Returns the facts of a story, or the offset of its record. `key` is the key of the name, if the caller has it.
    package func lookup(_ name: String, _ key: Key? = nil) -> Lookup {
        let key = key ?? Key(name)
        if let facts = cache.facts(of: key, name) {
            return .known(facts, ledgerOffset: entries[key]?.ledgerOffset ?? -1)
        }
        guard let entry = entries[key], entry.ledgerOffset >= 0 else { return .unknown }
        return .evicted(ledgerOffset: entry.ledgerOffset)
    }

    /// Stores the facts of a story as the ledger has them. They are cached unless an event waits, because its bytes would take
    /// memory. The offset of the record is below zero without a ledger.
    package mutating func store(
        _ facts: consuming StoryFacts,
        of name: String,
        _ key: Key? = nil,
        ledgerOffset: Int64
    ) {
        let key = key ?? Key(name)
        enter(key, facts, hasWaiting: !facts.waiting.isEmpty, ledgerOffset)
        if facts.waiting.isEmpty {
            cache.store(facts, of: key, name)
            cache.shrink(to: cacheLimit)
        } else {
            cache.remove(key)
        }
    }

    /// Removes a story whose record was removed from the ledger.
    package mutating func remove(_ key: Key) {
        entries[key] = nil
        pushes[key] = nil
        cache.remove(key)
    }

    /// Returns stories that have not changed since an instant and have no waiting event.
    ///
    /// Searches all entries once the stories found before are used up.
    ///
    /// - Parameters:
    ///   - instant: The instant, compared in seconds.
    ///   - limit: The maximum number of stories.
    /// - Returns: The offsets of their records in the ledger, with their keys.
    package mutating func nextExpired(before instant: Timestamp, atMost limit: Int) -> [(key: Key, ledgerOffset: Int64)]
    {
        let end = Self.seconds(of: instant)
        func isExpired(_ entry: Entry?) -> Bool { entry.map { $0.seconds < end && $0.ledgerOffset >= 0 } ?? false }
        if expired.isEmpty { expired = entries.keys { isExpired($0) } }
        let taken = expired.suffix(limit)
        expired.removeLast(taken.count)
        return taken.compactMap { key in
            guard let entry = entries[key], isExpired(entry) else { return nil }
            return (key, entry.ledgerOffset)
        }
    }

    /// Whether the latest record of a story is still the one at an offset.
    package func isLatest(_ ledgerOffset: Int64, of key: Key) -> Bool { entries[key]?.ledgerOffset == ledgerOffset }

    /// The offset of the latest record of a story, and the term of its writer; `nil` if the story is unknown.
    func latestRecord(of key: Key) -> (ledgerOffset: Int64, term: Int64)? {
        entries[key].map { ($0.ledgerOffset, terms[$0.term]) }
    }

    /// Removes and returns the latest notifications of all restored stories.
    mutating func removePushes() -> [StoryFacts.Push] {
        defer { pushes = [:] }
        return pushes.values.flatMap(\.self)
    }

    private mutating func enter(_ key: Key, _ facts: borrowing StoryFacts, hasWaiting: Bool, _ ledgerOffset: Int64) {
        highestProcessed = max(highestProcessed, facts.processed.highest)
        entries[key] = Entry(
            ledgerOffset: ledgerOffset,
            term: place(of: facts.term),
            seconds: hasWaiting ? Entry.never : Self.seconds(of: facts.changedAt),
            progress: Self.progress(facts.processed.through, facts.phase)
        )
    }

    /// The index of a term in ``terms``. After 65,535 takeovers, the latest ones share the last index.
    private mutating func place(of term: Int64) -> UInt16 {
        if let index = terms.lastIndex(of: term) { return UInt16(clamping: index) }
        if terms.count <= Int(UInt16.max) { terms.append(term) } else { terms[terms.count - 1] = term }
        return UInt16(clamping: terms.count - 1)
    }

    private static func seconds(of instant: Timestamp) -> UInt32 {
        UInt32(clamping: min(instant.seconds, Int64(Entry.never) - 1))
    }

    private static func progress(_ through: Int64, _ phase: StoryFacts.Phase) -> UInt32 {
        UInt32(truncatingIfNeeded: through) << 1 | (phase == .killed ? 1 : 0)
    }
}

// MARK: - Restoring

extension StoryIndex {
    /// The effect of a ledger record on the index.
    package enum Restored: Sendable, Equatable {
        case known
        /// Events of the story wait, or have waited and ended (`isAnyOver`) without a confirmed outcome and dead letter.
        case waiting([StoryFacts.Waiting], isAnyOver: Bool)
        /// A late writer wrote it after a newer record of the story. The index was not changed; the facts must be merged.
        case late(StoryFacts)
    }

    /// Adds a record without decoding all of it, to read a whole ledger.
    ///
    /// Checks all of the record's grammar and its sum, but most lists are only checked by ``LedgerRecordCodec/decode(_:)``.
    ///
    /// - Parameters:
    ///   - value: The whole value. For a tombstone, use ``remove(_:)``.
    ///   - name: The record's key.
    ///   - ledgerOffset: The record's offset in the ledger.
    /// - Returns: The effect on the index.
    /// - Throws: The first fault with its path; the index is unchanged.
    package mutating func restore(
        _ value: Span<UInt8>,
        of name: Span<UInt8>,
        ledgerOffset: Int64
    ) throws(LedgerRecordError) -> Restored {
        let reader = try LedgerRecordReader(value)
        try reader.check(isOf: name)
        let facts = reader.facts
        let key = Key(name)
        let progress = Self.progress(facts.processed.through, facts.phase)
        if let entry = entries[key], entry.isAhead(of: progress, term: facts.term, from: terms[entry.term]) {
            return .late(try reader.wholeFacts())
        }
        let waiting = try reader.waiting()
        let latest = try reader.pushes()
        // Read before anything changes, because a fault must not change the index.
        let ended = try waiting.isEmpty ? [] : reader.closing().map(\.offset)
        pushes[key] = latest.isEmpty ? nil : latest
        enter(key, facts, hasWaiting: !waiting.isEmpty, ledgerOffset)
        guard !waiting.isEmpty else { return .known }
        return .waiting(waiting, isAnyOver: waiting.contains { ended.contains($0.offset) })
    }
}

extension StoryIndex.Entry {
    /// Whether a later record got less far: it is from an earlier owner, has lower processed offsets, or lacks a withdrawal.
    ///
    /// Compares the lowest 31 bits of offsets, which is enough if the record is less than 1,000 million offsets behind.
    fileprivate func isAhead(of other: UInt32, term otherTerm: Int64, from term: Int64) -> Bool {
        if term != otherTerm { return term > otherTerm }
        return (other >> 1 &- progress >> 1) & 0x4000_0000 != 0 || progress & 1 > other & 1
    }
}
