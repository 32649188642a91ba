package import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs

/// The label of a hub, and the events that it accepts.
package struct HubRole: Sendable, Equatable {
    /// The hub's label in the configuration and in planned requests.
    package var name: String
    /// ``EventMode/live`` for subscribers' devices; ``EventMode/test`` for a hub that receives only test events.
    package var mode: EventMode

    package init(_ name: String, mode: EventMode = .live) {
        self.name = name
        self.mode = mode
    }
}

/// The state of one hub: its governor, the events that wait for it, and the requests in flight to it.
///
/// Its lanes contain events, not requests: the next request of an event is chosen when its turn comes.
struct HubScheduler: Sendable {
    /// An event in a lane.
    struct Entry: Sendable {
        var event: EventID
        /// The offset of its record, which orders events by age.
        var age: Int64
    }

    /// The subject of an answer.
    enum Flight: Sendable {
        case request(FlightRequest)
        /// A probe, and when it began.
        case probe(began: Instant)
        /// A request whose answer is not awaited any more.
        case cancelled
    }

    /// A request in flight, by its event and its index there.
    struct FlightRequest: Sendable {
        var event: EventID
        var index: Int
        var facts: SendLimiter.Request
    }

    /// An event that waits in the ledger for this hub, or is about to: in memory, or as an entry of ``WaitingStories``.
    struct WaitingEvent: Sendable {
        /// The event in memory; `nil` if the entry was restored.
        var event: EventID?
        var story: WaitingStories.Key
    }

    /// How long the other lanes wait, after an outage, for express events that are being read from the ledger.
    static let longestExpressOnly = Duration.seconds(1)

    let role: HubRole
    var governor: SendLimiter
    var lanes = LaneQueue<Entry>()
    /// The events beyond the lanes, oldest first. An event that does not wait any more is skipped when its turn comes.
    var backlog = RingQueue<WaitingEvent>()
    /// The latest instant until which, after an outage, only express events may begin.
    var expressOnlyUntil: Instant?
    private var flights: [UInt64: Flight] = [:]
    /// The number of turns of the normal lane since the last turn of the retry lane.
    private var normalTurns = 0
    /// The lane that gave the latest probe its message.
    private var probedLane = Lane.retry

    init(_ role: HubRole, governor: SendLimiter) {
        self.role = role
        self.governor = governor
    }

    /// Whether sending is suspended after failures.
    var isOpenCircuit: Bool { governor.circuit != nil }

    /// Adds a story to the backlog, with its event if that is still in memory.
    mutating func addToBacklog(_ story: WaitingStories.Key, _ event: EventID? = nil) {
        backlog.append(WaitingEvent(event: event, story: story))
    }

    /// Whether requests may be sent to it now.
    var acceptsRequests: Bool { !isOpenCircuit && governor.pausedUntil == nil }

    /// The number of events in its lanes, apart from express.
    var queuedCount: Int { lanes[.normal].count + lanes[.retry].count }

    /// The lane that has the next turn, among those from which a request may begin now.
    ///
    /// Express first; of the others, the retry lane gets one turn in four, so that a steady stream of news cannot delay retries
    /// until they expire.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - isOpen: Whether a lane may send, apart from the state of the hub.
    /// - Returns: `nil` if nothing may be sent.
    mutating func nextLane(now: Instant, where isOpen: (Lane) -> Bool) -> Lane? {
        func mayGo(_ lane: Lane) -> Bool {
            !lanes[lane].isEmpty && isOpen(lane) && governor.opening(for: lane, now: now) == .now
        }
        if mayGo(.express) { return .express }
        let (first, second): (Lane, Lane) = normalTurns < 3 ? (.normal, .retry) : (.retry, .normal)
        if mayGo(first) { return first }
        return mayGo(second) ? second : nil
    }

    /// When something must be sent even if nothing else happens; `nil` if nothing has to be sent.
    mutating func nextDue(now: Instant, where isOpen: (Lane) -> Bool) -> Instant? {
        if governor.needsProbe { return now }
        // A probe for refusals needs the message of a waiting event.
        if governor.circuit?.reason == .refusals, lanes.isEmpty { return nil }
        if let probe = governor.probeDue { return probe }
        var due: Instant?
        for lane in Lane.allCases where !lanes[lane].isEmpty && isOpen(lane) {
            switch governor.opening(for: lane, now: now) {
            case .now: return now
            case .at(let instant): due = min(due ?? instant, instant)
            case .afterAnswer: continue
            }
        }
        return due
    }

    /// Dequeues an event whose message is used for a probe: each time from another lane if possible, and each time another
    /// event of the lane.
    mutating func nextProbeEntry() -> (entry: Entry, lane: Lane)? {
        let all = Lane.allCases
        for step in 1...all.count {
            let lane = all[(probedLane.rawValue + step) % all.count]
            guard let entry = lanes[lane].popFirst() else { continue }
            probedLane = lane
            return (entry, lane)
        }
        return nil
    }

    mutating func began(_ id: SendID, _ request: FlightRequest) {
        let lane = request.facts.lane
        normalTurns = lane == .normal ? normalTurns + 1 : lane == .retry ? 0 : normalTurns
        governor.began(in: lane, now: request.facts.began)
        flights[id.number] = .request(request)
    }

    mutating func probeBegan(_ id: SendID, now: Instant) {
        governor.probeBegan()
        flights[id.number] = .probe(began: now)
    }

    /// The number of requests in flight of a lane.
    func inFlight(in lane: Lane) -> Int {
        requests.count { $0.facts.lane == lane }
    }

    /// The requests in flight.
    var requests: [FlightRequest] {
        flights.values.compactMap { flight in
            if case .request(let request) = flight { request } else { nil }
        }
    }

    /// The state of the hub, for health and metrics.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - isOpen: Whether a lane may send, apart from the state of the hub.
    /// - Returns: A snapshot.
    func status(now: Moment, where isOpen: (Lane) -> Bool) -> PublishingStatus.Hub {
        PublishingStatus.Hub(
            name: role.name,
            circuit: governor.circuit,
            concurrencyLimit: governor.concurrencyLimit,
            rateLimit: governor.rateLimit(at: now.instant),
            inFlight: governor.inFlight,
            pausedUntil: governor.pausedUntil.flatMap { $0 > now.instant ? now.wall(of: $0) : nil },
            limit: limit(now: now.instant, where: isOpen)
        )
    }

    /// The subject of an answer with that identifier.
    func awaits(_ id: SendID) -> Flight? { flights[id.number] }

    mutating func landed(_ id: SendID) -> Flight? { flights.removeValue(forKey: id.number) }

    /// Cancels the requests of events that meet a condition.
    ///
    /// - Returns: The cancelled requests.
    mutating func cancel(where isMet: (EventID) -> Bool) -> [SendID] {
        let cancelled = flights.compactMap { number, flight -> SendID? in
            guard case .request(let request) = flight, isMet(request.event) else { return nil }
            return SendID(number)
        }.sorted { $0.number < $1.number }
        for id in cancelled { flights[id.number] = .cancelled }
        return cancelled
    }
}
