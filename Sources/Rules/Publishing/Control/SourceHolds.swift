import NewsEvents
import Timestamps

/// The orders in force: for each scope the one with the highest offset in the control topic.
///
/// The topic has one partition and is compacted by the scope's key, so its order is the order of the acts. The clocks
/// of those who gave the orders do not matter. A worker that has read every record and one that
/// started after compaction have the same orders in force.
///
/// An order of this worker's own volume limit is in force before it has an offset. It stays in force until its offset is
/// known, and has its place in the topic's order from then on:
///
/// ```
/// topic: release (6)  hold of this worker (7)   ->  on hold, also while only the release was read
/// topic: hold of this worker (7)  release (8)   ->  released
/// ```
package struct SourceHolds: Sendable, Equatable {
    private struct Placed: Sendable, Equatable {
        var order: ControlRecord
        var offset: Int64
    }

    private struct Own: Sendable, Equatable {
        var order: ControlRecord
        /// Whether the brokers did not take it, so that it may never get an offset.
        var isUnwritten = false
    }

    private var latest: [HoldScope: Placed] = [:]
    /// Orders of this worker whose offsets are not known yet.
    private var own: [HoldScope: Own] = [:]

    package init() {}

    /// The latest order of each scope, in the order of the topic.
    package var orders: [ControlRecord] {
        let placed = latest.values.filter { own[$0.order.scope] == nil }.sorted { $0.offset < $1.offset }
        return placed.map(\.order) + own.values.map(\.order).sorted { $0.scope.key < $1.scope.key }
    }

    /// The orders that hold something, in the order of the topic.
    package var inForce: [ControlRecord] { orders.filter { $0.act == .hold } }

    /// Whether any order was ever given.
    var areAny: Bool { !latest.isEmpty || !own.isEmpty }

    /// The order in force on a scope, a release included; `nil` if none was ever given.
    func order(on scope: HoldScope) -> ControlRecord? { own[scope]?.order ?? latest[scope]?.order }

    /// Records an order at its offset in the control topic.
    ///
    /// - Returns: Whether another order is in force on its scope now.
    @discardableResult
    package mutating func apply(_ order: ControlRecord, at offset: Int64) -> Bool {
        let scope = order.scope
        let before = self.order(on: scope)
        let isLatest = latest[scope].map { $0.offset < offset } ?? true
        if isLatest { latest[scope] = Placed(order: order, offset: offset) }
        if let mine = own[scope], mine.order == order || mine.isUnwritten && isLatest { own[scope] = nil }
        return self.order(on: scope) != before
    }

    /// Puts an order of this worker into force that is on its way to the control topic.
    mutating func applyOwn(_ order: ControlRecord) {
        own[order.scope] = Own(order: order)
    }

    /// Records what the brokers did with an order of this worker.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - offset: Its offset in the topic; `nil` if it was not written. It is in force at this worker until another order on
    ///     its scope is read.
    /// - Returns: Whether another order is in force on its scope now.
    mutating func ownWasWritten(_ order: ControlRecord, at offset: Int64?) -> Bool {
        let scope = order.scope
        guard own[scope]?.order == order else { return false }
        guard let offset else {
            own[scope]?.isUnwritten = true
            return false
        }
        own[scope] = nil
        if latest[scope].map({ $0.offset < offset }) ?? true { latest[scope] = Placed(order: order, offset: offset) }
        return self.order(on: scope) != order
    }

    /// Takes over what a reading of the whole topic found.
    ///
    /// A topic that was deleted and created again has lost its orders. Nobody released anything by that: a hold on a scope of
    /// which the topic has no order stays in force, and every later order replaces it.
    ///
    /// - Parameter read: The orders of the whole topic.
    /// - Returns: The scopes on which another order is in force now, in the order of the topic.
    mutating func replace(with read: SourceHolds) -> [HoldScope] {
        let before = self
        latest = read.latest
        for (scope, placed) in before.latest where latest[scope] == nil && placed.order.act == .hold {
            latest[scope] = Placed(order: placed.order, offset: -1)
        }
        for (scope, mine) in own {
            guard let found = latest[scope]?.order else { continue }
            let isNew = found != before.latest[scope]?.order
            if found == mine.order || (mine.isUnwritten && isNew) { own[scope] = nil }
        }
        return orders.map(\.scope).filter { order(on: $0) != before.order(on: $0) }
    }

    /// The order that holds an event.
    ///
    /// An editor's hold notifies nobody and is never held. A kill is held by a person's order, like everything of a source
    /// that cannot be trusted, but not by a volume limit. Tests reach no subscriber, and neither do orders for one tag.
    ///
    /// - Returns: `nil` if the event may go.
    func hold(on event: NewsEvent) -> ControlRecord? {
        guard event.kind != .hold, event.isForReaders else { return nil }
        for scope in [HoldScope.all, .source(event.source)] {
            guard let order = order(on: scope), order.act == .hold else { continue }
            if order.author == .brake, event.kind == .kill { continue }
            return order
        }
        return nil
    }

    /// Whether a source, or all of them, is on hold; with a time, whether by the order of that time. A release may have come
    /// between it and the one in force.
    func isHeld(_ source: String, since time: Timestamp? = nil) -> Bool {
        [HoldScope.all, .source(source)].contains { scope in
            guard let order = order(on: scope), order.act == .hold else { return false }
            return time == nil || order.at == time
        }
    }
}
