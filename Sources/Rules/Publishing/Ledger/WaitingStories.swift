import NewsflashEvents
import NewsflashTimestamps

/// The stories whose events wait in the ledger and not in memory: the offset of each record, and what may end its wait.
///
/// A paused source may have a hundred thousand waiting events; each takes only an entry here.
struct WaitingStories {
    struct Key: Hashable {
        var partition: PartitionID
        var story: StoryIndex.Key
    }

    struct Entry {
        var ledgerOffset: Int64
        /// When one of its events must be in memory, because of its time.
        var until: Timestamp?
        /// Whether an event waits for a resume.
        var isPaused: Bool
        /// The hubs for which its events wait, one bit each.
        var hubs: UInt64
        /// Whether an earlier owner may have sent one of its events before it crashed.
        var mayHaveBeenSent: Bool
        /// The scopes that a person has resumed since its events began to wait.
        var resumed: [PauseScope] = []
        /// Whether one of its events goes in the express lane.
        var isExpress: Bool

        func waits(for hub: Int) -> Bool { hubs & 1 << UInt64(hub) != 0 }
    }

    /// The number of hubs for which stories can wait.
    static let mostHubs = 64
    /// How long before its time an event is read from the ledger.
    static let lead = Duration.seconds(2)
    /// The maximum number of stories that are read at once.
    static let mostAtOnce = 64

    private var entries: [Key: Entry] = [:]
    private var due = TimerQueue<Timestamp, Key>()
    /// The stories that must be read, in order.
    private var queue = RingQueue<Key>()
    /// Those of them that have an express event, or whose time has come: they are read first.
    private var express = RingQueue<Key>()
    private var queued: Set<Key> = []
    /// The stories that are being read.
    private(set) var reading: Set<Key> = []
    /// The stories with an express event that waited for a hub, from its recovery until they have been read.
    private var recovering: [Int: Set<Key>] = [:]
    /// The stories that are queued or being read to fill up the lanes of a hub.
    private var refilling: [Int: Set<Key>] = [:]

    var count: Int { entries.count }

    /// When the next story must be read; `nil` if none has a time.
    var nextDue: Timestamp? { due.nextDue }

    /// The number of timers, also of stories that were read before their time.
    var timerCount: Int { due.count }

    func entry(of key: Key) -> Entry? { entries[key] }

    mutating func insert(_ key: Key, _ entry: Entry) {
        entries[key] = entry
        if let until = entry.until { due.set(key, at: until - Self.lead) }
    }

    mutating func remove(_ key: Key) {
        entries[key] = nil
        wasRead(key)
        queued.remove(key)
    }

    /// Replaces the timers by those of the stories here, if many are of stories that have been read before their time.
    mutating func forgetTimers() {
        guard due.count > 2 * entries.count + 1000 else { return }
        due = TimerQueue()
        for (key, entry) in entries { if let until = entry.until { due.set(key, at: until - Self.lead) } }
    }

    /// Queues stories whose time has come.
    mutating func fallDue(at now: Timestamp) {
        while let key = due.popDue(at: now) {
            guard let until = entries[key]?.until, until - Self.lead <= now else { continue }
            enqueue(key, first: true)
        }
    }

    /// Queues stories that wait for a resume.
    mutating func resume(_ scope: PauseScope) {
        let paused = entries.filter { $0.value.isPaused }
        for (key, entry) in paused where !entry.resumed.contains(scope) { entries[key]?.resumed.append(scope) }
        enqueue(paused)
    }

    /// Queues a story of which one event was resumed.
    mutating func resume(_ key: Key, _ event: PauseScope) {
        guard entries[key] != nil else { return }
        entries[key]?.resumed.append(event)
        enqueue(key, first: true)
    }

    /// Queues stories that wait for a hub.
    mutating func resume(hub: Int) {
        let found = entries.filter { $0.value.waits(for: hub) }
        let express = found.filter(\.value.isExpress)
        recovering[hub] = express.isEmpty ? nil : Set(express.keys)
        enqueue(found)
    }

    /// Queues a story for a hub, if it still waits for it.
    mutating func refill(_ key: Key, for hub: Int) {
        guard entries[key]?.waits(for: hub) == true else { return }
        refilling[hub, default: []].insert(key)
        enqueue(key)
    }

    /// The number of stories that are queued or being read for a hub.
    func refillCount(of hub: Int) -> Int { refilling[hub]?.count ?? 0 }

    /// Whether a story with an express event, which waited for the hub before it recovered, must still be read.
    func isReadingExpress(of hub: Int) -> Bool { recovering[hub] != nil }

    private mutating func enqueue(_ found: [Key: Entry]) {
        func order(_ key: Key, _ entry: Entry) -> (Int64, Int32) { (entry.ledgerOffset, key.partition.index) }
        for (key, _) in found.sorted(by: { order($0.key, $0.value) < order($1.key, $1.value) }) { enqueue(key) }
    }

    /// Queues a story whose wait is over.
    mutating func enqueue(_ key: Key, first isFirst: Bool = false) {
        guard !reading.contains(key), isFirst || !queued.contains(key) else { return }
        queued.insert(key)
        if isFirst {
            express.prepend(key)
        } else if entries[key]?.isExpress == true {
            express.append(key)
        } else {
            queue.append(key)
        }
    }

    /// Dequeues the next story to read.
    ///
    /// - Parameters:
    ///   - away: The hubs with open circuits, one bit each. A story that waits for no other hub is queued again when one of
    ///     them has recovered.
    ///   - now: The current time.
    /// - Returns: `nil` if none is queued, or enough are being read.
    mutating func dequeue(exceptFor away: UInt64, now: Moment) -> (key: Key, entry: Entry)? {
        while reading.count < Self.mostAtOnce, let key = express.popFirst() ?? queue.popFirst() {
            guard queued.remove(key) != nil, let entry = entries[key] else { continue }
            let isDue = entry.until.map { $0 - Self.lead <= now.wall } ?? false
            guard entry.hubs == 0 || entry.hubs & ~away != 0 || entry.isPaused || isDue else {
                wasRead(key)
                continue
            }
            reading.insert(key)
            return (key, entry)
        }
        return nil
    }

    /// Whether a story with an express event, or one whose time has come, is queued.
    var isAnyUrgent: Bool { !express.isEmpty }

    var isAnyQueued: Bool { !queued.isEmpty && reading.count < Self.mostAtOnce }

    /// Schedules another reading of a story.
    mutating func retry(_ key: Key, at instant: Timestamp) {
        entries[key]?.until = instant + Self.lead
        due.set(key, at: instant)
    }

    /// Ends the reading of a story that stays here.
    mutating func wasRead(_ key: Key) {
        reading.remove(key)
        for hub in recovering.keys {
            recovering[hub]?.remove(key)
            if recovering[hub]?.isEmpty == true { recovering[hub] = nil }
        }
        for hub in refilling.keys { refilling[hub]?.remove(key) }
    }

    mutating func forget(_ partition: PartitionID) {
        entries = entries.filter { $0.key.partition != partition }
        queued = queued.filter { $0.partition != partition }
        reading = reading.filter { $0.partition != partition }
        recovering = recovering.mapValues { $0.filter { $0.partition != partition } }.filter { !$0.value.isEmpty }
        refilling = refilling.mapValues { $0.filter { $0.partition != partition } }
    }
}
