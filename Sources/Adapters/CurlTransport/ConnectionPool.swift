import NewsflashTimestamps

/// Decides on which connection a request is sent; does not open or close any itself.
///
/// Requests wait per origin, first in, first out. Each uses the most recently used idle connection; without one, a connection
/// is opened for each waiting request, within the limits. The first connection that becomes ready serves the request that has
/// waited longest.
///
/// No connection is used forever, because names get other addresses, and a connection to the old one may keep working. A
/// connection that has reached its age, or is from before a renewal, gets no further request.
struct ConnectionPool<Waiting> {
    /// The next action.
    enum Action {
        /// Send this request on this connection, which was idle.
        case use(slot: Int, Waiting)
        /// Open a connection to this origin in this slot.
        case open(slot: Int, origin: Int)
        /// Close this connection, which was idle.
        case close(slot: Int)
    }

    /// The limits for connections.
    struct Limits {
        var perOrigin: Int
        var all: Int
        /// The maximum time without a response.
        var idleTime: Duration
        /// The maximum age since opening; each connection varies by up to a fifth, so that not all end together.
        var age: Duration
        /// How long an origin's connections may take to open before another one is tried in parallel: a packet may be lost, or
        /// the address may no longer be in use.
        var secondTry = Duration.seconds(1)
    }

    private struct Open {
        let origin: Int
        /// When opening began; the address was resolved then.
        let since: Instant
        let oldAt: Instant
        /// When it was opened, or had its last response.
        var usedAt: Instant
        var idleTime: Duration
    }

    private enum Slot {
        case free
        /// With the number of the latest earlier request.
        case opening(origin: Int, since: Instant, after: UInt64)
        case idle(Open)
        case busy(Open)
    }

    private struct Place {
        /// With the number of each: lower ones came first.
        var waiting = Queue<(number: UInt64, element: Waiting)>()
        var opening = 0
        /// The number of connections.
        var connections = 0
        /// The idle connections; the last one is the most recently used.
        var idle: [Int] = []
        /// When opening of the latest connection began.
        var openedAt: Instant?
        /// Connections whose opening began earlier get no further request.
        var renewedAt: Instant?

        var isUnused: Bool { connections == 0 && waiting.isEmpty }
    }

    private var limits: Limits
    /// A random number from -1 to 1, for the ages of connections.
    private let chance: () -> Double
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var places: [Place] = []
    private var freeOrigins: [Int] = []
    private var connections = 0

    /// The number of requests so far.
    private var requests: UInt64 = 0

    /// The number of requests that wait for a connection.
    private(set) var waitingCount = 0

    /// Creates an empty pool; limits below one connection count as one.
    init(_ limits: Limits, chance: @escaping () -> Double = { .random(in: -1...1) }) {
        self.limits = limits
        self.limits.perOrigin = max(1, limits.perOrigin)
        self.limits.all = max(1, limits.all)
        self.chance = chance
    }

    // MARK: Origins

    /// Adds an origin.
    ///
    /// - Returns: The origin's number.
    mutating func addOrigin() -> Int {
        if let free = freeOrigins.popLast() {
            places[free] = Place()
            return free
        }
        places.append(Place())
        return places.count - 1
    }

    /// Forgets origins without connections and requests; their numbers are used again.
    ///
    /// - Returns: The numbers that are no longer valid.
    mutating func forgetUnusedOrigins() -> Set<Int> {
        let unused = Set(places.indices.filter { places[$0].isUnused })
        freeOrigins = Array(unused)
        return unused
    }

    // MARK: Requests

    /// Adds a request after the others of its origin.
    mutating func append(_ waiting: Waiting, origin: Int) {
        requests += 1
        places[origin].waiting.append((requests, waiting))
        waitingCount += 1
    }

    /// Adds a request before the others of its origin.
    mutating func prepend(_ waiting: Waiting, origin: Int) {
        places[origin].waiting.prepend((0, waiting))
        waitingCount += 1
    }

    /// Removes the request of an origin that has waited longest.
    mutating func popFirst(origin: Int) -> Waiting? {
        guard let first = places[origin].waiting.popFirst() else { return nil }
        waitingCount -= 1
        return first.element
    }

    /// Removes all requests that fulfil a condition.
    mutating func removeWaiting(where isUnwanted: (Waiting) -> Bool) -> [Waiting] {
        guard waitingCount > 0 else { return [] }
        var removed: [Waiting] = []
        for origin in places.indices {
            removed += places[origin].waiting.removeAll { isUnwanted($0.element) }.map(\.element)
        }
        waitingCount -= removed.count
        return removed
    }

    /// Calls a closure with all waiting requests.
    func forEachWaiting(_ body: (Waiting) -> Void) {
        for place in places { place.waiting.forEach { body($0.element) } }
    }

    // MARK: Decisions

    /// Returns the next action; call it until it returns `nil`.
    ///
    /// - Parameter now: The current time, for the age of idle connections.
    /// - Returns: One action, which counts as done, or `nil`.
    mutating func next(now: Instant) -> Action? {
        guard waitingCount > 0 else { return nil }
        let isFull = connections >= limits.all
        // An origin without a connection must not starve because of one that always has requests.
        let starving = isFull && places.count > 1 ? firstOfStarving() : nil
        for origin in places.indices {
            guard let first = places[origin].waiting.first, let slot = places[origin].idle.last else { continue }
            if let starving, starving < first.number { return close(slot) }
            return use(slot, origin, now)
        }
        guard let origin = originToOpen(now) else { return nil }
        // An origin with idle connections has no waiting request.
        if isFull { return longestIdle().map { close($0) } }
        return open(origin, now)
    }

    /// When another connection may be tried in parallel to those that are being opened.
    var nextTry: Instant? {
        guard waitingCount > 0, connections < limits.all else { return nil }
        return places.lazy
            .filter { !$0.waiting.isEmpty && $0.opening >= $0.waiting.count && $0.connections < limits.perOrigin }
            .compactMap { $0.openedAt.map { $0 + limits.secondTry } }
            .min()
    }

    /// Returns the lowest number of a request whose origin has no connection.
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

    /// Returns the origin with the longest waiting request, among those that may have another connection.
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

    /// Marks a connection as idle, because it is open or its request has been answered.
    ///
    /// - Parameters:
    ///   - slot: The connection's slot.
    ///   - idleTime: How long the server keeps it; `nil` if that has not changed.
    ///   - now: The current time.
    /// - Returns: Whether it is kept; otherwise the pool has forgotten it, and the caller must close it.
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

    /// Marks a connection as idle that was not used after all; its time without a response continues.
    ///
    /// - Returns: The same as ``settle(slot:idleTime:now:)``.
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

    /// Records that a connection could not be opened.
    ///
    /// - Returns: The request that fails with it: the one that has waited longest, if it existed when opening began.
    mutating func openingFailed(slot: Int) -> Waiting? {
        guard case .opening(let origin, _, let last) = slots[slot] else { return nil }
        remove(slot: slot)
        guard let first = places[origin].waiting.first, first.number <= last else { return nil }
        return popFirst(origin: origin)
    }

    /// Removes a connection that has ended.
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

    /// Excludes connections of an origin that were opened earlier from further requests, because its circuit has opened.
    ///
    /// - Returns: The idle ones, which the caller must close.
    mutating func renew(origin: Int, now: Instant) -> [Int] {
        places[origin].renewedAt = now
        return idleSlots(origin: origin, openedBefore: now)
    }

    /// Returns the idle connections of an origin whose opening began before a time.
    func idleSlots(origin: Int, openedBefore end: Instant) -> [Int] {
        places[origin].idle.filter { slot in
            if case .idle(let open) = slots[slot] { open.since < end } else { false }
        }
    }
}

/// A queue, first in, first out, to which elements can also be added at the front; moves each element once.
struct Queue<Element> {
    private var incoming: [Element] = []
    /// The front of the queue, in reverse.
    private var outgoing: [Element] = []

    var count: Int { incoming.count + outgoing.count }
    var first: Element? { outgoing.last ?? incoming.first }
    var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

    mutating func append(_ element: Element) {
        incoming.append(element)
    }

    mutating func prepend(_ element: Element) {
        outgoing.append(element)
    }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            swap(&incoming, &outgoing)
            outgoing.reverse()
        }
        return outgoing.popLast()
    }

    /// Removes and returns all elements that fulfil a condition, in order.
    mutating func removeAll(where isUnwanted: (Element) -> Bool) -> [Element] {
        guard outgoing.contains(where: isUnwanted) || incoming.contains(where: isUnwanted) else { return [] }
        let removed = outgoing.reversed().filter(isUnwanted) + incoming.filter(isUnwanted)
        outgoing.removeAll(where: isUnwanted)
        incoming.removeAll(where: isUnwanted)
        return removed
    }

    /// Calls a closure with all elements, in no particular order.
    func forEach(_ body: (Element) -> Void) {
        outgoing.forEach(body)
        incoming.forEach(body)
    }
}
