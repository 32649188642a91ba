import Timestamps

/// Decides which connection a request goes on; opens and closes nothing itself.
///
/// Requests wait by origin, first in, first out. Each takes the idle connection that was used last; where there is none, one
/// is opened for each that waits, as far as the limits allow. Whichever connection is ready first serves whoever has
/// waited longest.
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

    private enum Slot {
        case free
        case opening(origin: Int)
        case idle(origin: Int, since: Instant)
        case busy(origin: Int)
    }

    private struct Place {
        /// With the number of each: the lower came first.
        var waiting = Queue<(number: UInt64, element: Waiting)>()
        var opening = 0
        /// Connections in all.
        var connections = 0
        /// The idle ones; the last is the one used last.
        var idle: [Int] = []

        var isUnused: Bool { connections == 0 && waiting.isEmpty }
    }

    private let maximumPerOrigin: Int
    private let maximum: Int
    private let maximumIdleTime: Duration
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var places: [Place] = []
    private var freeOrigins: [Int] = []
    private var connections = 0

    /// How many requests have come.
    private var requests: UInt64 = 0

    /// How many requests wait for a connection.
    private(set) var waitingCount = 0

    /// Makes an empty pool; limits below one count as one.
    init(maximumPerOrigin: Int, maximum: Int, maximumIdleTime: Duration) {
        self.maximumPerOrigin = max(1, maximumPerOrigin)
        self.maximum = max(1, maximum)
        self.maximumIdleTime = maximumIdleTime
    }

    // MARK: Origins

    /// Takes an origin in.
    ///
    /// - Returns: Its number.
    mutating func addOrigin() -> Int {
        if let free = freeOrigins.popLast() { return free }
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
        let isFull = connections >= maximum
        // An origin without any connection must not starve behind one that always has something to send.
        let starving = isFull && places.count > 1 ? firstOfStarving() : nil
        for origin in places.indices {
            guard let first = places[origin].waiting.first, let slot = places[origin].idle.last else { continue }
            if let starving, starving < first.number { return close(slot) }
            return use(slot, origin, now)
        }
        guard let origin = originToOpen() else { return nil }
        // Whoever has an idle connection here has nothing to send.
        if isFull { return longestIdle().map { close($0) } }
        return open(origin)
    }

    /// The lowest number of a request whose origin has no connection.
    private func firstOfStarving() -> UInt64? {
        places.lazy.filter { $0.connections == 0 }.compactMap(\.waiting.first?.number).min()
    }

    private mutating func use(_ slot: Int, _ origin: Int, _ now: Instant) -> Action? {
        guard case .idle(_, let since) = slots[slot] else { return nil }
        guard now - since <= maximumIdleTime else { return close(slot) }
        guard let waiting = popFirst(origin: origin) else { return nil }
        places[origin].idle.removeLast()
        slots[slot] = .busy(origin: origin)
        return .use(slot: slot, waiting)
    }

    /// Where a request has waited longest, of those that may have one more connection.
    private func originToOpen() -> Int? {
        var oldest: (origin: Int, number: UInt64)?
        for (origin, place) in places.enumerated() {
            guard place.opening < place.waiting.count, place.connections < maximumPerOrigin,
                let number = place.waiting.first?.number, number <= oldest?.number ?? number
            else { continue }
            oldest = (origin, number)
        }
        return oldest?.origin
    }

    private mutating func open(_ origin: Int) -> Action {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        slots[slot] = .opening(origin: origin)
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
            guard case .idle(_, let since) = state else { continue }
            if longest.map({ since < $0.since }) ?? true { longest = (slot, since) }
        }
        return longest?.slot
    }

    // MARK: Connections

    /// A connection is open, or its request has ended: it is idle.
    mutating func settle(slot: Int, now: Instant) {
        switch slots[slot] {
        case .opening(let origin):
            places[origin].opening -= 1
            places[origin].idle.append(slot)
            slots[slot] = .idle(origin: origin, since: now)
        case .busy(let origin):
            places[origin].idle.append(slot)
            slots[slot] = .idle(origin: origin, since: now)
        case .free, .idle:
            break
        }
    }

    /// A connection is no more.
    mutating func remove(slot: Int) {
        let origin: Int
        switch slots[slot] {
        case .free: return
        case .opening(let its):
            origin = its
            places[origin].opening -= 1
        case .idle(let its, _):
            origin = its
            places[origin].idle.removeAll { $0 == slot }
        case .busy(let its): origin = its
        }
        slots[slot] = .free
        freeSlots.append(slot)
        places[origin].connections -= 1
        connections -= 1
    }

    /// The idle connections of an origin.
    func idleSlots(origin: Int) -> [Int] {
        places[origin].idle
    }
}
