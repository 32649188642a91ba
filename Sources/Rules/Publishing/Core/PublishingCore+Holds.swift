import NewsEvents

extension PublishingCore {
    /// Takes an order to hold or to release a source, or all of them.
    ///
    /// - Parameters:
    ///   - order: As a person, another worker or an earlier life gave it; one that is older than what is in force is passed
    ///     over.
    ///   - now: The present.
    package mutating func controlled(_ order: ControlRecord, now: Moment) {
        control(order, now: now)
    }

    /// The orders that hold something, oldest first.
    package var holdsInForce: [ControlRecord] { holds.inForce }

    mutating func control(_ order: ControlRecord, now: Moment) {
        guard holds.take(order) else { return }
        actions.append(.report(.controlled(order)))
        switch order.act {
        case .hold:
            // What is in a lane is looked at when its turn comes; what waits for the clock or a reader, now.
            for event in events.all(where: { !$0.isInFlight && $0.isAlive && $0.isPlanned && isOnHold($0) }) {
                restOnHold(event, now: now)
            }
        case .release:
            for event in events.all(where: { isReleased($0, by: order) }) {
                takeTurn(event, now: now)
            }
        }
    }

    /// Whether an event waits for a person, and this is the word.
    private func isReleased(_ event: Event, by order: ControlRecord) -> Bool {
        switch event.phase {
        case .waiting(.release), .waiting(.brake): order.scope.source.map { $0 == event.news.source } ?? true
        case .waiting, .queued, .sending, .ended, .writing: false
        }
    }

    /// Whether nothing of an event may be sent at present.
    func isOnHold(_ event: Event) -> Bool { holds.areAny && holds.hold(on: event.news) != nil }

    /// Lets an event wait until its source is released; what was sent of it stays sent.
    mutating func restOnHold(_ event: Event, now: Moment) {
        guard !event.isInFlight, let order = holds.hold(on: event.news) else { return }
        event.targets = []
        keepWaiting(event, wait(for: order, event), now: now)
    }

    /// What an event waits for that an order holds.
    func wait(for order: ControlRecord, _ event: Event) -> EventWait {
        let end = lifeEnd(of: event)
        return order.author == .brake ? .brake(until: end) : .release(until: end)
    }
}
