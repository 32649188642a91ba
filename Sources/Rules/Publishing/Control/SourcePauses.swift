package import NewsflashEvents
import NewsflashTimestamps
package import NewsflashTopicPartitions

/// The orders in force: for each scope the one with the highest offset in the control topic.
///
/// The topic has one partition and is compacted by ``ControlRecord/key``, so its order is the order of the acts. The clocks of
/// the authors do not matter. A worker that has read every record and one that started after compaction have the same orders in
/// force.
///
/// A volume limit's pause does not replace a person's, which pauses more (see ``pause(on:in:at:)``). A person's resume ends both.
///
/// A resume of one event ends every pause with a lower offset for this event. A later one pauses it again.
///
/// An order of this worker's own volume limit is in force before it has an offset. It stays in force until its offset is known;
/// from then on its offset counts:
///
/// ```
/// topic: resume (6)  pause by this worker (7)   ->  paused, also while only the resume was read
/// topic: pause by this worker (7)  resume (8)   ->  resumed
/// ```
package struct SourcePauses: Sendable, Equatable {
    private struct Placed: Sendable, Equatable {
        var order: ControlRecord
        var offset: Int64
    }

    private struct Own: Sendable, Equatable {
        var order: ControlRecord
        /// Whether it was not written, so that it may never get an offset.
        var isUnwritten = false
    }

    /// The latest orders on one scope.
    private struct Latest: Sendable, Equatable {
        var ofPerson: Placed?
        var ofLimit: Placed?
        /// The order of this worker's volume limit whose offset is not known yet.
        var own: Own?

        /// The orders that pause the scope.
        ///
        /// - Parameter offset: The offset of the resume of one event. Only later orders pause this event.
        /// - Returns: A person's order, then a volume limit's without a later resume.
        func pausing(after offset: Int64? = nil) -> [ControlRecord] {
            let isResumed = ofPerson?.order.act == .resume && last == ofPerson
            let limit = placedOwn ?? (isResumed ? nil : ofLimit)
            return [ofPerson, limit].compactMap(\.self)
                .filter { placed in placed.order.act == .pause && offset.map { placed.offset > $0 } ?? true }
                .map(\.order)
        }

        /// This worker's own order. Its offset is above all known ones until it is known.
        private var placedOwn: Placed? {
            own.map { Placed(order: $0.order, offset: $0.isUnwritten ? -1 : .max) }
        }

        /// The order with the highest offset.
        var last: Placed? { [ofPerson, ofLimit].compactMap(\.self).max { $0.offset < $1.offset } }

        /// The order in force, which may be a resume. The offset of this worker's own order is above all known ones.
        var inForce: Placed? {
            if let ofPerson, ofPerson.order.act == .pause { return ofPerson }
            return own.map { Placed(order: $0.order, offset: .max) } ?? last
        }

        /// Stores an order at its offset, unless a later one of the same kind of author is stored.
        ///
        /// - Returns: Whether the order was stored.
        mutating func apply(_ order: ControlRecord, at offset: Int64) -> Bool {
            let place = order.author == .volumeLimit ? \Latest.ofLimit : \Latest.ofPerson
            guard self[keyPath: place].map({ $0.offset < offset }) ?? true else { return false }
            self[keyPath: place] = Placed(order: order, offset: offset)
            return true
        }
    }

    private var latest: [PauseScope: Latest] = [:]
    /// The offsets of the resumes of single events, by the positions of these events.
    private var resumedEvents: [TopicPartition: [Int64: Int64]] = [:]

    package init() {}

    /// The order in force of each scope, in the order of the topic.
    package var orders: [ControlRecord] {
        latest.values.compactMap(\.inForce)
            .sorted { ($0.offset, $0.order.key) < ($1.offset, $1.order.key) }
            .map(\.order)
    }

    /// The orders that pause something, in the order of the topic.
    package var inForce: [ControlRecord] { orders.filter { $0.act == .pause } }

    /// Whether any order was ever given.
    var areAny: Bool { !latest.isEmpty }

    /// The order in force on a scope, which may be a resume; `nil` if none was ever given.
    func order(on scope: PauseScope) -> ControlRecord? { latest[scope]?.inForce?.order }

    /// Whether a person has resumed the event of a record, by its partition and offset.
    package func isResumed(_ partition: TopicPartition, _ offset: Int64) -> Bool {
        resumedEvents[partition]?[offset] != nil
    }

    /// Records an order at its offset in the control topic.
    ///
    /// - Returns: Whether another order is in force on its scope now.
    @discardableResult
    package mutating func apply(_ order: ControlRecord, at offset: Int64) -> Bool {
        let before = self.order(on: order.scope)
        var orders = latest[order.scope] ?? Latest()
        let isLatest = orders.apply(order, at: offset)
        if let event = order.scope.event, isLatest {
            resumedEvents[event.partition, default: [:]][event.offset] = offset
        }
        if let mine = orders.own, mine.order == order || mine.isUnwritten && isLatest { orders.own = nil }
        latest[order.scope] = orders
        return self.order(on: order.scope) != before
    }

    /// Puts an order of this worker into force before it is in the control topic.
    ///
    /// - Returns: Whether another order is in force on its scope now; false if a person pauses it.
    mutating func applyOwn(_ order: ControlRecord) -> Bool {
        let before = self.order(on: order.scope)
        latest[order.scope, default: Latest()].own = Own(order: order)
        return self.order(on: order.scope) != before
    }

    /// Records the result of writing an order of this worker.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - offset: Its offset in the topic; `nil` if it was not written. Then it is in force at this worker until another order
    ///     on its scope is read.
    /// - Returns: Whether another order is in force on its scope now.
    mutating func ownWasWritten(_ order: ControlRecord, at offset: Int64?) -> Bool {
        let scope = order.scope
        guard latest[scope]?.own?.order == order else { return false }
        guard let offset else {
            latest[scope]?.own?.isUnwritten = true
            return false
        }
        let before = self.order(on: scope)
        latest[scope]?.own = nil
        _ = latest[scope]?.apply(order, at: offset)
        return self.order(on: scope) != before
    }

    /// Adopts the orders of a reading of the whole topic.
    ///
    /// A topic that was deleted and created again has lost its orders, but nobody resumed anything by that. A pause whose scope
    /// has no order of the same kind of author in the topic stays in force, and every later order replaces it.
    ///
    /// - Parameter read: The orders of the whole topic.
    /// - Returns: The scopes on which another order is in force now, in the order of the topic.
    mutating func replace(with read: SourcePauses) -> [PauseScope] {
        let before = self
        latest = read.latest
        resumedEvents = read.resumedEvents
        for (scope, old) in before.latest {
            var orders = latest[scope] ?? Latest()
            orders.own = old.own
            if let mine = old.own, orders.ofLimit?.order == mine.order || mine.isUnwritten && orders.last != old.last {
                orders.own = nil
            }
            for lost in old.pausing() where lost != old.own?.order { _ = orders.apply(lost, at: -1) }
            latest[scope] = orders
        }
        return self.orders.map(\.scope).filter { order(on: $0) != before.order(on: $0) }
    }

    /// The order that pauses an event.
    ///
    /// An editor's hold notifies nobody and is never paused. A kill is paused by a person's order, like everything of a source
    /// that cannot be trusted, but not by a volume limit. Tests and replays to one tag reach no subscriber and are never
    /// paused.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - partition: The partition that contains it.
    ///   - offset: The offset of its record.
    /// - Returns: `nil` if the event may go.
    package func pause(on event: NewsEvent, in partition: TopicPartition, at offset: Int64) -> ControlRecord? {
        guard event.kind != .hold, event.isForReaders else { return nil }
        let resumed = resumedEvents[partition]?[offset]
        for scope in [PauseScope.all, .topic(partition.topic), .source(event.source)] {
            guard let order = latest[scope]?.pausing(after: resumed).first else { continue }
            if order.author == .volumeLimit, event.kind == .kill { continue }
            return order
        }
        return nil
    }

    /// The scopes that a person has resumed after a time, by the clock of that person.
    func resumed(since time: Timestamp) -> [PauseScope] {
        latest.compactMap { scope, orders in
            orders.ofPerson.map { $0.order.act == .resume && $0.order.at > time } ?? false ? scope : nil
        }
    }

    /// Whether events of a source were ever paused, as far as the control topic shows.
    func wasEverPaused(_ source: String, in partition: TopicPartition) -> Bool {
        [PauseScope.all, .topic(partition.topic), .source(source)].contains { latest[$0] != nil }
    }

    /// Whether an event of a source is paused; with a time, whether by an order of that time. A resume may have come between
    /// that order and the one in force.
    func isPaused(
        _ source: String,
        in partition: TopicPartition,
        at offset: Int64,
        since time: Timestamp? = nil
    ) -> Bool {
        let resumed = resumedEvents[partition]?[offset]
        return [PauseScope.all, .topic(partition.topic), .source(source)].contains { scope in
            latest[scope]?.pausing(after: resumed).contains { time == nil || $0.at == time } ?? false
        }
    }
}
