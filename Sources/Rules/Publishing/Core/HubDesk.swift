import NotificationHubs

/// Everything that concerns one hub: its governor, what waits for it, and what is under way to it.
struct HubDesk: Sendable {
    /// Something that waits in a lane.
    struct Job: Sendable {
        var event: EventID
        /// Which target; `nil` for an event that is not yet planned.
        var target: Int?
    }

    /// Which request of which event an answer belongs to.
    struct Flight: Sendable {
        var event: EventID
        var target: Int
        var permission: Governor.Permission
    }

    /// The name in the configuration.
    let name: String
    var governor: Governor
    var lanes = LaneQueue<Job>()
    private(set) var flights: [SendID: Flight] = [:]
    /// Turns of the normal lane since the retry lane last had one.
    private var normalTurns = 0

    init(name: String, governor: Governor) {
        self.name = name
        self.governor = governor
    }

    /// Express whenever something waits there; of the others the retries get one turn in four, so that a steady stream of
    /// news cannot keep them waiting until they expire.
    var nextLane: Lane? {
        guard let best = lanes.bestLane, best == .normal, lanes.count(in: .retry) > 0 else { return lanes.bestLane }
        return normalTurns < 3 ? .normal : .retry
    }

    mutating func began(_ id: SendID, _ flight: Flight, from lane: Lane) {
        normalTurns = lane == .normal ? normalTurns + 1 : lane == .retry ? 0 : normalTurns
        governor.began(flight.permission)
        flights[id] = flight
    }

    /// What an answer of that name will belong to.
    func awaits(_ id: SendID) -> Flight? { flights[id] }

    mutating func landed(_ id: SendID) -> Flight? {
        flights.removeValue(forKey: id)
    }

    /// The requests of events that meet a condition.
    func flights(where isMet: (EventID) -> Bool) -> [SendID] {
        flights.filter { isMet($0.value.event) }.map(\.key)
    }
}
