import NewsEvents
import NotificationHubs
package import Timestamps

/// Where an event is on its way from its record to its confirmed outcome.
///
/// The article "Life of an event" has the table of these states; a test holds it to this enum.
package enum EventPhase: Sendable, Equatable {
    /// Nothing is to be done before something else happens.
    case waiting(EventWait)
    /// In a lane, and nothing of it has been sent.
    case queued
    /// Planned: each of its requests is in a lane, under way, waits for another attempt, or is settled.
    case sending
    /// Its verdict is known, and requests under way are waited for.
    case ended(EventVerdict)
    /// Its records are on their way to the broker.
    case writing(EventVerdict)

    /// The name in the article's table, in health and in metrics.
    package var name: String { Self.names[index] }

    /// The place in ``names``.
    var index: Int {
        switch self {
        case .waiting: 0
        case .queued: 1
        case .sending: 2
        case .ended: 3
        case .writing: 4
        }
    }

    /// Whether something else has to happen in this worker before the event goes on, which never takes long.
    var isWaitingForOthers: Bool { self == .waiting(.story) || self == .waiting(.turn) }

    /// All names, in the order of an event's life.
    package static let names = ["waiting", "queued", "sending", "ended", "writing"]
}

/// What a waiting event waits for.
package enum EventWait: Sendable, Equatable {
    /// What is known of its story is being read from the ledger.
    case story
    /// Another event of its story is under way.
    case turn
    /// Not to be sent before.
    case embargo(Timestamp)
}

/// One event while it is worked on.
struct Event: Sendable {
    private let facts: Facts
    let place: RecordPlace
    let story: StoryID
    var warnings: [String]
    let consumedAt: Timestamp
    /// The record's bytes, for a dead letter and for the ledger.
    var original: any OriginalRecord
    var lane: Lane
    var phase: EventPhase
    /// Whether the ledger keeps its bytes, so that its offset is done though it has not ended.
    var isParked = false
    /// Whether it was found ahead of the reader, which has not come to its record yet.
    var isAhead = false
    /// Empty until the event is planned.
    var targets: [Target] = []
    var planWarnings: [String] = []
    var firstSendAt: Timestamp?
    var firstAcceptAt: Timestamp?
    var lastAcceptAt: Timestamp?

    init(
        _ news: NewsEvent,
        digest: ContentDigest,
        warnings: [EventWarning],
        place: RecordPlace,
        story: StoryID,
        rules: RuleSet,
        consumedAt: Timestamp,
        original: any OriginalRecord
    ) {
        self.facts = Facts(news: news, digest: digest, rules: rules)
        self.place = place
        self.story = story
        self.warnings = warnings.map(\.rawValue)
        self.consumedAt = consumedAt
        self.original = original
        self.lane = news.lane
        self.phase = .waiting(.story)
    }

    var news: NewsEvent { facts.news }
    var digest: ContentDigest { facts.digest }
    /// The rules it was admitted under.
    var rules: RuleSet { facts.rules }

    /// The lane of an attempt that follows a failed one.
    var retryLane: Lane { lane == .express ? .express : .retry }

    var isInFlight: Bool { targets.contains { $0.phase == .inFlight } }
    var isPlanned: Bool { !targets.isEmpty }

    /// Whether requests may still go out for it.
    var isAlive: Bool {
        switch phase {
        case .waiting, .queued, .sending: true
        case .ended, .writing: false
        }
    }

    /// Whether the hub took a request of it, or may have.
    var mayHaveBeenSent: Bool { targets.contains { $0.report.status == .accepted || $0.report.status == .unknown } }

    /// Whether every request has its end.
    var isSettled: Bool { isPlanned && targets.allSatisfy(\.isSettled) }

    mutating func changed<Result>(_ change: (inout Event) -> Result) -> Result { change(&self) }

    /// What never changes of it: an object, so that an event is copied at little cost.
    private final class Facts: Sendable {
        let news: NewsEvent
        let digest: ContentDigest
        let rules: RuleSet

        init(news: NewsEvent, digest: ContentDigest, rules: RuleSet) {
            self.news = news
            self.digest = digest
            self.rules = rules
        }
    }
}

/// Where a record stands: its partition and offset, and in which reading of the partition it was read.
struct RecordPlace: Sendable, Hashable {
    var partition: PartitionID
    var offset: Int64
    /// Grows when the partition is assigned anew or its offsets go back; an older one says nothing of present offsets.
    var reading: UInt32
    /// The record's time by the broker or the producer.
    var timestamp: Timestamp?
}

/// Names an event while the machine holds it.
struct EventID: Hashable, Sendable {
    var slot: Int32
    /// Tells one user of the slot from the next.
    var generation: UInt32
}

/// The events that are worked on, in slots that are used again.
struct EventSlab: Sendable {
    private var slots: [(generation: UInt32, event: Event?)] = []
    private var free: [Int32] = []

    var count: Int { slots.count - free.count }

    mutating func insert(_ event: Event) -> EventID {
        if let slot = free.popLast() {
            slots[Int(slot)].event = event
            return EventID(slot: slot, generation: slots[Int(slot)].generation)
        }
        slots.append((0, event))
        return EventID(slot: Int32(slots.count - 1), generation: 0)
    }

    func contains(_ id: EventID) -> Bool {
        slots[Int(id.slot)].generation == id.generation && slots[Int(id.slot)].event != nil
    }

    subscript(id: EventID) -> Event? {
        let slot = slots[Int(id.slot)]
        return slot.generation == id.generation ? slot.event : nil
    }

    /// Changes an event where it lies.
    ///
    /// - Returns: What the closure returned; `nil` where the event is gone.
    @discardableResult
    mutating func update<Result>(_ id: EventID, _ change: (inout Event) -> Result) -> Result? {
        guard slots[Int(id.slot)].generation == id.generation else { return nil }
        return slots[Int(id.slot)].event?.changed(change)
    }

    mutating func remove(_ id: EventID) {
        guard contains(id) else { return }
        slots[Int(id.slot)].event = nil
        slots[Int(id.slot)].generation &+= 1
        free.append(id.slot)
    }

    /// The offset of an event's record, where that is not done and not about to be.
    func openOffset(of id: EventID) -> Int64? {
        guard slots[Int(id.slot)].generation == id.generation, let phase = slots[Int(id.slot)].event?.phase,
            slots[Int(id.slot)].event?.isParked == false
        else { return nil }
        if case .writing = phase { return nil }
        return slots[Int(id.slot)].event?.place.offset
    }

    /// The events that meet a condition.
    func ids(where isMet: (Event) -> Bool) -> [EventID] {
        slots.indices.compactMap { index in
            guard let event = slots[index].event, isMet(event) else { return nil }
            return EventID(slot: Int32(index), generation: slots[index].generation)
        }
    }

    func contains(where isMet: (Event) -> Bool) -> Bool {
        slots.contains { $0.event.map(isMet) ?? false }
    }

    /// How many events are in each phase, and when the oldest was consumed that does not wait by wish. Looks at the events
    /// where they lie: there may be many, and this is asked often.
    var census: (countsByPhase: [String: Int], waitingForOthers: Int, oldestConsumedAt: Timestamp?) {
        var others = 0
        var counts = EventPhase.names.map { _ in 0 }
        var oldest: Timestamp?
        for index in slots.indices {
            guard let phase = slots[index].event?.phase.index, let isParked = slots[index].event?.isParked else {
                continue
            }
            counts[phase] += 1
            if slots[index].event?.phase.isWaitingForOthers == true { others += 1 }
            guard !isParked, let consumedAt = slots[index].event?.consumedAt else { continue }
            oldest = min(oldest ?? consumedAt, consumedAt)
        }
        return (Dictionary(uniqueKeysWithValues: zip(EventPhase.names, counts)), others, oldest)
    }
}
