import Timestamps

/// Names an event while the machine holds it.
struct EventID: Hashable, Sendable {
    var slot: Int32
    /// Tells one user of the slot from the next.
    var generation: UInt32
}

/// The events that are worked on, in slots that are used again.
struct EventSlab {
    private var slots: [(generation: UInt32, event: Event?)] = []
    private var free: [Int32] = []

    var count: Int { slots.count - free.count }

    /// The name of the event that comes next.
    var nextID: EventID {
        guard let slot = free.last else { return EventID(slot: Int32(slots.count), generation: 0) }
        return EventID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Takes an event up that was made with ``nextID``.
    mutating func insert(_ event: Event) {
        if free.popLast() == nil {
            slots.append((event.id.generation, event))
        } else {
            slots[Int(event.id.slot)].event = event
        }
    }

    func contains(_ id: EventID) -> Bool {
        slots[Int(id.slot)].generation == id.generation && slots[Int(id.slot)].event != nil
    }

    /// The event of that name; `nil` once it is gone.
    subscript(id: EventID) -> Event? {
        slots[Int(id.slot)].generation == id.generation ? slots[Int(id.slot)].event : nil
    }

    mutating func remove(_ event: Event) {
        guard contains(event.id) else { return }
        slots[Int(event.id.slot)].event = nil
        slots[Int(event.id.slot)].generation &+= 1
        free.append(event.id.slot)
    }

    /// The events that meet a condition.
    func all(where isMet: (Event) -> Bool) -> [Event] {
        slots.lazy.compactMap(\.event).filter(isMet)
    }

    func contains(where isMet: (Event) -> Bool) -> Bool {
        slots.contains { $0.event.map(isMet) ?? false }
    }

    /// How many events are in each phase, and when the oldest was consumed that does not wait by wish.
    var census: (countsByPhase: [String: Int], waitingForOthers: Int, oldestConsumedAt: Timestamp?) {
        var others = 0
        var counts = EventPhase.names.map { _ in 0 }
        var oldest: Timestamp?
        for case let event? in slots.lazy.map(\.event) {
            counts[event.phase.index] += 1
            if event.phase.isWaitingForOthers { others += 1 }
            if !event.isParked { oldest = min(oldest ?? event.consumedAt, event.consumedAt) }
        }
        return (Dictionary(uniqueKeysWithValues: zip(EventPhase.names, counts)), others, oldest)
    }
}
