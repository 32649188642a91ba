import NotificationHubs
import Timestamps

/// Everything that concerns one hub: its governor, what waits for it, and what is under way to it.
struct HubDesk: Sendable {
    /// Something that waits in a lane.
    struct Job: Sendable {
        var event: EventID
        /// Which target; `nil` for all of this hub, of an event that may not be planned yet.
        var target: Int?
        /// The offset of its record: what is lower came earlier.
        var age: Int64
    }

    /// What an answer belongs to.
    enum Flight: Sendable {
        case request(Request)
        /// A probe, and when it went.
        case probe(began: Instant)
        /// A request that nobody waits for any more.
        case cancelled

        /// Which request of which event.
        struct Request: Sendable {
            var event: EventID
            var target: Int
            var facts: Governor.Request
        }
    }

    let role: HubRole
    var governor: Governor
    var lanes = LaneQueue<Job>()
    private var flights = NumberTable<Flight>()
    /// Turns of the normal lane since the retry lane last had one.
    private var normalTurns = 0
    /// The lane that had the latest probe's message.
    private var probedLane = Lane.retry

    init(_ role: HubRole, governor: Governor) {
        self.role = role
        self.governor = governor
    }

    /// The lane whose turn it is among those from which something may go now.
    ///
    /// Express whenever something waits there; of the others the retries get one turn in four, so that a steady stream of
    /// news cannot keep them waiting until they expire.
    mutating func nextLane(now: Instant) -> Lane? {
        let order: [Lane] = normalTurns < 3 ? [.express, .normal, .retry] : [.express, .retry, .normal]
        return order.first { lanes.count(in: $0) > 0 && governor.opening(for: $0, now: now) == .now }
    }

    /// When something is to go though nothing else happens.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - isOpen: Whether nothing but the hub keeps a lane waiting.
    /// - Returns: `nil` where nothing is.
    mutating func nextDue(now: Instant, where isOpen: (Lane) -> Bool) -> Instant? {
        if governor.wantsEvidence { return now }
        // Without anything that waits there is nothing that could be asked about.
        if governor.hold?.reason == .refusals, lanes.isEmpty { return nil }
        if let probe = governor.probeDue { return probe }
        var due: Instant?
        for lane in Lane.allCases where lanes.count(in: lane) > 0 && isOpen(lane) {
            switch governor.opening(for: lane, now: now) {
            case .now: return now
            case .at(let instant): due = min(due ?? instant, instant)
            case .afterAnswer: continue
            }
        }
        return due
    }

    /// Takes something that waits, to ask the hub whether it would take it: each time of another lane where there is one,
    /// and each time another of the lane.
    mutating func nextProbeJob() -> (job: Job, lane: Lane)? {
        let lanes = Lane.allCases
        for step in 1...lanes.count {
            let lane = lanes[(probedLane.rawValue + step) % lanes.count]
            guard let job = self.lanes.popFirst(in: lane) else { continue }
            probedLane = lane
            return (job, lane)
        }
        return nil
    }

    mutating func began(_ id: SendID, _ request: Flight.Request) {
        let lane = request.facts.lane
        normalTurns = lane == .normal ? normalTurns + 1 : lane == .retry ? 0 : normalTurns
        governor.began(in: lane, now: request.facts.began)
        flights.insert(.request(request), at: id.number)
    }

    mutating func probeBegan(_ id: SendID, now: Instant) {
        governor.probeBegan()
        flights.insert(.probe(began: now), at: id.number)
    }

    /// How many requests of a lane are under way.
    func inFlight(in lane: Lane) -> Int {
        flights.elements.reduce(0) { count, element in
            guard case .request(let request) = element.value, request.facts.lane == lane else { return count }
            return count + 1
        }
    }

    /// What the hub's desk is doing, for health and metrics.
    func status(now: Moment) -> PublishingStatus.Hub {
        PublishingStatus.Hub(
            name: role.name,
            hold: governor.hold,
            concurrencyLimit: governor.concurrencyLimit,
            rateLimit: governor.rateLimit(at: now.instant),
            inFlight: governor.inFlight,
            pausedUntil: governor.pausedUntil.flatMap { $0 > now.instant ? now.wall(of: $0) : nil }
        )
    }

    /// What an answer of that name will belong to.
    func awaits(_ id: SendID) -> Flight? { flights[id.number] }

    mutating func landed(_ id: SendID) -> Flight? {
        flights.removeValue(at: id.number)
    }

    /// Gives up the requests of events that meet a condition.
    ///
    /// - Returns: Which they were.
    mutating func cancel(where isMet: (EventID) -> Bool) -> [SendID] {
        let cancelled = flights.elements.compactMap { number, flight -> SendID? in
            guard case .request(let request) = flight, isMet(request.event) else { return nil }
            return SendID(number)
        }
        for id in cancelled { flights.insert(.cancelled, at: id.number) }
        return cancelled
    }
}
