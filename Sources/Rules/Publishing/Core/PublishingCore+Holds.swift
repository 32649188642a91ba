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
            // What is in a lane is looked at when its turn comes; what waits for the clock or an answer, now.
            for event in sortedEvents(where: { $0.state == .sending && !$0.isInFlight && isOnHold($0) }) {
                restOnHold(event, now: now)
            }
        case .release:
            for event in sortedEvents(where: { isReleased($0, by: order) }) {
                if event.story.current == event.id { takeTurn(event, now: now) } else { event.move(.wait(.turn)) }
            }
            // What was in flight when its source was paused has requests that no lane has any more.
            for event in sortedEvents(where: { $0.state == .sending }) { enqueueReady(event) }
            waiting.release()
        }
    }

    /// Whether an event waits for a person, and this is the order.
    private func isReleased(_ event: Event, by order: ControlRecord) -> Bool {
        event.waitsForPerson && order.scope.source.map { $0 == event.news.source } ?? true
    }

    /// Whether nothing of an event may be sent at present.
    func isOnHold(_ event: Event) -> Bool { holds.areAny && holds.hold(on: event.news) != nil }

    /// Lets an event wait until its source is released, unless a request of it is in flight.
    mutating func restOnHold(_ event: Event, now: Moment) {
        guard !event.isInFlight, let order = holds.hold(on: event.news) else { return }
        keepWaiting(event, wait(for: order, event), now: now)
    }

    /// What an event waits for that an order holds.
    func wait(for order: ControlRecord, _ event: Event) -> Wait {
        let end = lifeEnd(of: event)
        return order.author == .brake ? .brake(until: end) : .release(until: end)
    }
}
