import NewsEvents
import Timestamps

/// Which sources are on hold: the latest order for each scope.
struct SourceHolds: Sendable {
    private var latest: [HoldScope: ControlRecord] = [:]

    /// Whether any order was ever given.
    var areAny: Bool { !latest.isEmpty }

    /// The orders that hold something, oldest first.
    var inForce: [ControlRecord] { latest.values.filter { $0.act == .hold }.sorted { $0.at < $1.at } }

    /// Takes an order.
    ///
    /// - Returns: Whether anything changed; an older order than the one in force changes nothing.
    mutating func take(_ order: ControlRecord) -> Bool {
        if let known = latest[order.scope], known.at > order.at || known == order { return false }
        latest[order.scope] = order
        return true
    }

    /// What holds an event.
    ///
    /// An editor's hold tells nobody and is never held. A kill is held by a person's order, as all else of a source that
    /// cannot be trusted, but not by a brake. Tests reach no reader, and orders for one tag do neither.
    ///
    /// - Returns: `nil` where it may go.
    func hold(on event: NewsEvent) -> ControlRecord? {
        guard event.kind != .hold, event.isForReaders else { return nil }
        for scope in [HoldScope.all, .source(event.source)] {
            guard let order = latest[scope], order.act == .hold else { continue }
            if order.author == .brake, event.kind == .kill { continue }
            return order
        }
        return nil
    }

    /// Whether a source, or all of them, is on hold.
    func isHeld(_ source: String) -> Bool {
        [HoldScope.all, .source(source)].contains { latest[$0]?.act == .hold }
    }

    /// When a source, or all of them, was released last.
    func release(of source: String) -> Timestamp? {
        [HoldScope.all, .source(source)].compactMap { latest[$0] }.filter { $0.act == .release }.map(\.at).max()
    }
}
