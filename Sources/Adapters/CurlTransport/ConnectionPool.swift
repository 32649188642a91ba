import Timestamps

/// Decides which connection a request goes on; opens and closes nothing itself.
///
/// Requests wait by origin, first in, first out. Each takes the idle connection that was used last; where there is none, one
/// is opened for each that waits, as far as the limits allow. Whichever connection is ready first serves whoever has
/// waited longest.
///
/// No connection is used for ever: names come to mean other addresses, and a connection to the old one may work long after
/// that. One that is older than its age, or from before a renewal, carries no further request.
struct ConnectionPool<Waiting> {
    /// What to do next.
    enum Action {
        /// Send this request on this connection, which was idle.
        case use(slot: Int, Waiting)
        /// Open a connection to this origin under this slot.
        case open(slot: Int, origin: Int)
        /// Close this connection, which was idle.
        case close(slot: Int)
    }

    /// How long connections may be used.
    struct Limits {
        var perOrigin: Int
        var all: Int
        /// Without an answer.
        var idleTime: Duration
        /// Since it was opened; each connection has up to a fifth more or less, so that not all end together.
        var age: Duration
        /// How long connections to an origin may be under way before one more is tried beside them: a packet may be lost, or
        /// the address may be one that nobody answers at any more.
        var secondTry = Duration.seconds(1)
    }

    private struct Open {
        let origin: Int
        /// When opening began: its address is from then.
        let since: Instant
        let oldAt: Instant
        /// When it was opened, or brought its last answer.
        var usedAt: Instant
        var idleTime: Duration
    }

    private enum Slot {
        case free
        /// With the number of the request that came last before.
        case opening(origin: Int, since: Instant, after: UInt64)
        case idle(Open)
        case busy(Open)
    }

    private struct Place {
        /// With the number of each: the lower came first.
        var waiting = Queue<(number: UInt64, element: Waiting)>()
        var opening = 0
        /// Connections in all.
        var connections = 0
        /// The idle ones; the last is the one used last.
        var idle: [Int] = []
        /// When the latest connection began to be opened.
        var openedAt: Instant?
        /// Connections that began to be opened before carry no further request.
        var renewedAt: Instant?

        var isUnused: Bool { connections == 0 && waiting.isEmpty }
    }

    private var limits: Limits
    /// From -1 to 1, for the ages of connections.
    private let chance: () -> Double
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var places: [Place] = []
    private var freeOrigins: [Int] = []
    private var connections = 0

    /// How many requests have come.
    private var requests: UInt64 = 0

    /// How many requests wait for a connection.
    private(set) var waitingCount = 0

    /// Makes an empty pool; numbers of connections below one count as one.
    init(_ limits: Limits, chance: @escaping () -> Double = { .random(in: -1...1) }) {
        self.limits = limits
        self.limits.perOrigin = max(1, limits.perOrigin)
        self.limits.all = max(1, limits.all)
        self.chance = chance
    }

    // MARK: Origins

    /// Takes an origin in.
    ///
    /// - Returns: Its number.
    mutating func addOrigin() -> Int {
        if let free = freeOrigins.popLast() {
            places[free] = Place()
            return free
        }
        places.append(Place())
        return places.count - 1
    }

    /// Forgets origins without connections and requests; their numbers are given out again.
    ///
    /// - Returns: The numbers that mean nothing any more.
    mutating func forgetUnusedOrigins() -> Set<Int> {
        let unused = Set(places.indices.filter { places[$0].isUnused })
        freeOrigins = Array(unused)
        return unused
    }

    // MARK: Requests

    /// Lets a request wait behind the others of its origin.
    mutating func append(_ waiting: Waiting, origin: Int) {
        requests += 1
        places[origin].waiting.append((requests, waiting))
        waitingCount += 1
    }

    /// Lets a request wait before the others of its origin.
    mutating func prepend(_ waiting: Waiting, origin: Int) {
        places[origin].waiting.prepend((0, waiting))
        waitingCount += 1
    }

    /// Takes out the request of an origin that has waited longest.
    mutating func popFirst(origin: Int) -> Waiting? {
        guard let first = places[origin].waiting.popFirst() else { return nil }
        waitingCount -= 1
        return first.element
    }

    /// Takes out all requests that a closure names.
    mutating func removeWaiting(where isUnwanted: (Waiting) -> Bool) -> [Waiting] {
        guard waitingCount > 0 else { return [] }
        var removed: [Waiting] = []
        for origin in places.indices {
            removed += places[origin].waiting.removeAll { isUnwanted($0.element) }.map(\.element)
        }
        waitingCount -= removed.count
        return removed
    }

    /// Shows all requests that wait.
    func forEachWaiting(_ body: (Waiting) -> Void) {
        for place in places { place.waiting.forEach { body($0.element) } }
    }

    // MARK: Decisions

    /// What to do next; ask until there is nothing.
    ///
    /// - Parameter now: For the age of idle connections.
    /// - Returns: One action, which counts as done, or `nil`.
    mutating func next(now: Instant) -> Action? {
        guard waitingCount > 0 else { return nil }
        let isFull = connections >= limits.all
        // An origin without any connection must not starve behind one that always has something to send.
        let starving = isFull && places.count > 1 ? firstOfStarving() : nil
        for origin in places.indices {
            guard let first = places[origin].waiting.first, let slot = places[origin].idle.last else { continue }
            if let starving, starving < first.number { return close(slot) }
            return use(slot, origin, now)
        }
        guard let origin = originToOpen(now) else { return nil }
        // Whoever has an idle connection here has nothing to send.
        if isFull { return longestIdle().map { close($0) } }
        return open(origin, now)
    }

    /// When a connection may be tried beside those that are being opened.
    var nextTry: Instant? {
        guard waitingCount > 0, connections < limits.all else { return nil }
        return places.lazy
            .filter { !$0.waiting.isEmpty && $0.opening >= $0.waiting.count && $0.connections < limits.perOrigin }
            .compactMap { $0.openedAt.map { $0 + limits.secondTry } }
            .min()
    }

    /// The lowest number of a request whose origin has no connection.
    private func firstOfStarving() -> UInt64? {
        places.lazy.filter { $0.connections == 0 }.compactMap(\.waiting.first?.number).min()
    }

    private mutating func use(_ slot: Int, _ origin: Int, _ now: Instant) -> Action? {
        guard case .idle(let open) = slots[slot] else { return nil }
        guard isGood(open, now) else { return close(slot) }
        guard let waiting = popFirst(origin: origin) else { return nil }
        places[origin].idle.removeLast()
        slots[slot] = .busy(open)
        return .use(slot: slot, waiting)
    }

    /// Whether a connection may carry another request.
    private func isGood(_ open: Open, _ now: Instant) -> Bool {
        let isFromBefore = places[open.origin].renewedAt.map { open.since < $0 } ?? false
        return now - open.usedAt <= open.idleTime && now <= open.oldAt && !isFromBefore
    }

    /// Where a request has waited longest, of those that may have one more connection.
    private func originToOpen(_ now: Instant) -> Int? {
        var oldest: (origin: Int, number: UInt64)?
        for (origin, place) in places.enumerated() {
            guard let number = place.waiting.first?.number, number <= oldest?.number ?? number,
                place.connections < limits.perOrigin
            else { continue }
            if place.opening >= place.waiting.count {
                // No other connection is closed for a second try.
                guard let openedAt = place.openedAt, now - openedAt >= limits.secondTry, connections < limits.all
                else { continue }
            }
            oldest = (origin, number)
        }
        return oldest?.origin
    }

    private mutating func open(_ origin: Int, _ now: Instant) -> Action {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        slots[slot] = .opening(origin: origin, since: now, after: requests)
        places[origin].openedAt = now
        places[origin].opening += 1
        places[origin].connections += 1
        connections += 1
        return .open(slot: slot, origin: origin)
    }

    private mutating func close(_ slot: Int) -> Action {
        remove(slot: slot)
        return .close(slot: slot)
    }

    private func longestIdle() -> Int? {
        var longest: (slot: Int, since: Instant)?
        for (slot, state) in slots.enumerated() {
            guard case .idle(let open) = state else { continue }
            if longest.map({ open.usedAt < $0.since }) ?? true { longest = (slot, open.usedAt) }
        }
        return longest?.slot
    }

    // MARK: Connections

    /// A connection is open, or its request has been answered: it is idle.
    ///
    /// - Parameters:
    ///   - slot: Of the connection.
    ///   - idleTime: How long the server keeps it; `nil` if that has not changed.
    ///   - now: When that was.
    /// - Returns: Whether it is kept; otherwise the pool has forgotten it, and the caller closes it.
    mutating func settle(slot: Int, idleTime: Duration? = nil, now: Instant) -> Bool {
        var open: Open
        switch slots[slot] {
        case .opening(let origin, let since, _):
            let age = limits.age * (1 + chance() / 5)
            open = Open(origin: origin, since: since, oldAt: now + age, usedAt: now, idleTime: limits.idleTime)
        case .busy(let busy): open = busy
        case .free, .idle: return true
        }
        open.usedAt = now
        if let idleTime { open.idleTime = min(limits.idleTime, idleTime) }
        return keep(open, slot, now)
    }

    /// A connection was not used after all: its time without an answer goes on.
    ///
    /// - Returns: As ``settle(slot:idleTime:now:)``.
    mutating func giveBack(slot: Int, now: Instant) -> Bool {
        guard case .busy(let open) = slots[slot] else { return true }
        return keep(open, slot, now)
    }

    private mutating func keep(_ open: Open, _ slot: Int, _ now: Instant) -> Bool {
        guard isGood(open, now) else {
            remove(slot: slot)
            return false
        }
        if case .opening = slots[slot] { places[open.origin].opening -= 1 }
        places[open.origin].idle.append(slot)
        slots[slot] = .idle(open)
        return true
    }

    /// A connection could not be opened.
    ///
    /// - Returns: The request that fails with it: the one that has waited longest, if it was there when opening began.
    mutating func openingFailed(slot: Int) -> Waiting? {
        guard case .opening(let origin, _, let last) = slots[slot] else { return nil }
        remove(slot: slot)
        guard let first = places[origin].waiting.first, first.number <= last else { return nil }
        return popFirst(origin: origin)
    }

    /// A connection is no more.
    mutating func remove(slot: Int) {
        let origin: Int
        switch slots[slot] {
        case .free: return
        case .opening(let its, _, _):
            origin = its
            places[origin].opening -= 1
        case .idle(let open):
            origin = open.origin
            places[origin].idle.removeAll { $0 == slot }
        case .busy(let open): origin = open.origin
        }
        slots[slot] = .free
        freeSlots.append(slot)
        places[origin].connections -= 1
        connections -= 1
    }

    /// Lets connections of an origin that began to be opened before carry no further request: its circuit has opened.
    ///
    /// - Returns: The idle ones, which the caller closes.
    mutating func renew(origin: Int, now: Instant) -> [Int] {
        places[origin].renewedAt = now
        return idleSlots(origin: origin, openedBefore: now)
    }

    /// The idle connections of an origin that began to be opened before an instant.
    func idleSlots(origin: Int, openedBefore end: Instant) -> [Int] {
        places[origin].idle.filter { slot in
            if case .idle(let open) = slots[slot] { open.since < end } else { false }
        }
    }
}
