import NewsflashTimestamps

/// One request and its result.
final class RequestState {
    let number: UInt64
    let request: SimRequest
    let process: SimulatedProcess
    let begunAt: Instant
    let wallAtBegin: Timestamp
    /// The partition of the request's story.
    let partition: Int
    /// Whether the process owned that partition when the request began. It may not know yet that it lost it.
    let beganAsOwner: Bool
    /// The number of earlier requests of the process to this hub for this act and audience.
    let attempt: Int
    var acceptedAt: Instant?
    /// The answer that the worker received; `nil` if it received none.
    var reply: SimReply?
    var answeredAt: Instant?
    var isCancelled = false
    /// The time when a ledger record with its answer was confirmed.
    var recordedAt: Instant?
    var isRecorded: Bool { recordedAt != nil }
    /// Whether the partition was revoked from its worker.
    var hasLeft = false

    init(_ number: UInt64, _ request: SimRequest, of process: SimulatedProcess, _ fleet: FleetSimulation, attempt: Int)
    {
        self.number = number
        self.request = request
        self.process = process
        self.attempt = attempt
        begunAt = fleet.now
        wallAtBegin = fleet.wall
        partition = request.content.map { fleet.broker.partition(of: String($0.story.trimmingTestMark)) } ?? 0
        beganAsOwner = fleet.group.owner(of: partition) === process
    }

    var isInFlight: Bool { reply == nil && !isCancelled && !process.isDead }
}

extension String {
    /// The story without the prefix that the ledger adds to stories of tests.
    var trimmingTestMark: Substring { hasPrefix("test:") ? dropFirst("test:".count) : self[...] }
}

/// One hub, which accepts a request soon after it was sent, or never.
final class SimulatedHub {
    let name: String
    private unowned let fleet: FleetSimulation
    private var weathers: [(weather: HubWeather, end: Instant)] = []

    init(_ name: String, _ fleet: FleetSimulation) {
        self.name = name
        self.fleet = fleet
    }

    func set(_ weather: HubWeather, until end: Instant) { weathers.append((weather, end)) }

    func calm() { weathers = [] }

    var weather: HubWeather { weathers.last { $0.end > fleet.now }?.weather ?? .fair }

    /// Receives a request.
    func receive(_ state: RequestState) {
        let weather = weather
        let salt = self.salt(of: state)
        let answer = pick(weather, salt)
        let latency = fleet.dice.milliseconds(weather.latency, .latency, salt)
        let timeout = fleet.scenario.settings.requestTimeout
        switch answer {
        case .accept:
            accept(state)
            if latency > timeout {
                reply(.unknown, to: state, after: timeout)
            } else {
                reply(.accepted, to: state, after: latency)
            }
        case .throttle: reply(.throttled(after: nil), to: state, after: latency)
        case .throttleWithPause: reply(.throttled(after: .seconds(2)), to: state, after: latency)
        case .serverError: reply(.serverError, to: state, after: latency)
        case .unavailable: reply(.unavailable(after: nil), to: state, after: latency)
        case .unavailableWithPause: reply(.unavailable(after: .seconds(3)), to: state, after: latency)
        case .refuse: reply(.refused, to: state, after: latency)
        case .cutBefore: reply(.unknown, to: state, after: latency)
        case .cutAfter:
            accept(state)
            reply(.unknown, to: state, after: latency)
        case .silenceBefore: reply(.unknown, to: state, after: timeout)
        case .silenceAfter:
            accept(state)
            reply(.unknown, to: state, after: timeout)
        }
    }

    private func salt(of state: RequestState) -> UInt64 {
        let what = state.request.content.map { $0.act.stableHash } ?? fleet.elapsed.wholeNanoseconds.magnitude
        return what ^ state.request.units.joined().stableHash &+ UInt64(state.attempt)
    }

    private func pick(_ weather: HubWeather, _ salt: UInt64) -> HubWeather.Answer {
        let total = weather.answers.reduce(0) { $0 + $1.weight }
        guard weather.answers.count > 1, total > 0 else { return weather.answers.first?.answer ?? .accept }
        var left = fleet.dice.number(0...total - 1, .answer, salt)
        for (answer, weight) in weather.answers {
            if left < weight { return answer }
            left -= weight
        }
        return .accept
    }

    private func accept(_ state: RequestState) {
        state.acceptedAt = fleet.now
        if let content = state.request.content {
            fleet.log("hub \(name) accepts \(content.kind) \(content.event) for \(Trace.list(state.request.tags))")
            fleet.oracle.accepted(state)
        }
    }

    private func reply(_ reply: SimReply, to state: RequestState, after delay: Duration) {
        fleet.schedule(after: delay) { [fleet] in fleet.answer(reply, to: state) }
    }
}
