import NewsflashEvents
import NewsflashTimestamps
import NewsflashTopicPartitions

extension PublishingCore {
    /// Applies a change in the control topic: sources, or all of them, are paused or resumed.
    ///
    /// - Parameters:
    ///   - change: Orders are ranked by their offsets in the topic; see ``SourcePauses``.
    ///   - now: The current time.
    package mutating func controlled(_ change: ControlChange, now: Moment) {
        switch change {
        case .read(let read):
            for scope in pauses.replace(with: read) { obey(pauses.order(on: scope), isNews: false, now: now) }
        case .order(let order, let offset):
            guard pauses.apply(order, at: offset) else { return }
            obey(pauses.order(on: order.scope), isNews: true, now: now)
        case .written(let order, let offset):
            guard pauses.ownWasWritten(order, at: offset) else { return }
            obey(pauses.order(on: order.scope), isNews: true, now: now)
        }
    }

    /// The orders that pause something, in the order of the control topic.
    package var pausesInForce: [ControlRecord] { pauses.inForce }

    /// Applies this worker's own order, before it is in the control topic.
    mutating func control(_ order: ControlRecord, now: Moment) {
        let isInForce = pauses.applyOwn(order)
        actions.append(.control(order))
        if isInForce { obey(order, isNews: true, now: now) }
    }

    /// Makes events wait or go on, by an order that has come into force on its scope.
    ///
    /// - Parameters:
    ///   - order: The order in force.
    ///   - isNews: Whether the order is new. From the topic's history only pauses are reported, because they are still in
    ///     force.
    ///   - now: The current time.
    private mutating func obey(_ order: ControlRecord?, isNews: Bool, now: Moment) {
        guard let order else { return }
        if isNews || order.act == .pause { actions.append(.report(.controlled(order))) }
        switch order.act {
        case .pause:
            // Events in a lane are checked when their turn comes; events that wait for a time or an answer are checked now.
            for event in sortedEvents(where: { $0.state == .sending && !$0.isInFlight && isPaused($0) }) {
                waitIfPaused(event, now: now)
                unloadIfWaiting(event, now: now)
            }
        case .resume:
            let resumed = sortedEvents { isResumed($0, by: order) }
            tally.resume(order.scope, at: isNews ? now.instant : order.instant(now: now))
            for event in resumed where event.isKeptByVolumeLimit && !isPaused(event) { tally.exempt(event.place) }
            for event in resumed {
                if event.story.current == event.id {
                    enqueueOrWait(event, now: now)
                } else if event.story.aside.contains(event.id) {
                    goOnWithWithdrawal(event, now: now)
                }
            }
            // An event that was in flight when its source was paused has requests, but is in no lane any more.
            for event in sortedEvents(where: { $0.state == .sending }) { enqueueReady(event) }
            resumeUnread(order.scope)
            if let event = order.scope.event {
                let partition = partitions.id(of: event.partition)
                let key = WaitingStories.Key(partition: partition, story: StoryIndex.Key(event.story))
                waiting.resume(key, order.scope)
            } else {
                waiting.resume(order.scope)
            }
        }
    }

    /// Marks a scope as resumed for waiting events that are being read: those of stories whose facts were requested, and those
    /// of partitions whose ledgers have not confirmed this worker.
    private mutating func resumeUnread(_ scope: PauseScope) {
        for case .facts(let story) in recalls.values { story.resumed.append(scope) }
        for partition in restoredWaits.keys {
            for index in restoredWaits[partition]?.indices ?? 0..<0
            where restoredWaits[partition]?[index].entry.isPaused == true {
                restoredWaits[partition]?[index].entry.resumed.append(scope)
                restoredWaits[partition]?[index].isOver = true
            }
        }
    }

    /// Goes on with a withdrawal that was set aside. It also withdraws the news that another source sent meanwhile.
    private mutating func goOnWithWithdrawal(_ event: Event, now: Moment) {
        guard !isPaused(event) else { return }
        event.story.aside.removeAll { $0 == event.id }
        supersede(event.story, with: event, by: EventVerdict(.superseded, "superseded.killed"), now: now)
        join(event, now: now)
    }

    /// Whether an event waits for a person and this order resumes it.
    private func isResumed(_ event: Event, by order: ControlRecord) -> Bool {
        let waits = event.waitsForPerson || order.scope.event != nil && event.storedReason == .embargoDropped
        return waits && isCovered(event.place, of: event.news.source, by: [order.scope])
    }

    /// Whether an event must not be sent at present, because its source is paused.
    func isPaused(_ event: Event) -> Bool { pause(on: event) != nil }

    /// The order that pauses an event's source; `nil` if it is not paused.
    func pause(on event: Event) -> ControlRecord? {
        guard pauses.areAny else { return nil }
        return pauses.pause(on: event.news, in: source(of: event.place.partition), at: event.place.offset)
    }

    /// Makes an event wait until its source is resumed, unless a request of it is in flight.
    mutating func waitIfPaused(_ event: Event, now: Moment) {
        guard !event.isInFlight, let order = pause(on: event) else { return }
        waitOn(event, wait(for: order, event), now: now)
    }

    /// The wait of an event whose source is paused by an order.
    func wait(for order: ControlRecord, _ event: Event) -> Wait {
        let end = lifeEnd(of: event)
        return order.author == .volumeLimit ? .volumeLimit(until: end) : .pause(until: end)
    }
}

extension ControlRecord {
    /// The best estimate of when an order of the topic's history was given: by the clock of its author, and not later than now.
    fileprivate func instant(now: Moment) -> Instant { now.instant - max(.zero, now.wall - at) }
}

extension Event {
    /// Whether a volume limit made it wait for a person.
    fileprivate var isKeptByVolumeLimit: Bool {
        if case .waiting(.volumeLimit) = state { true } else { false }
    }
}
