import NewsflashPublishing
import NewsflashTimestamps

/// One run of a fleet in virtual time, with everything that happens to it.
package final class FleetSimulation {
    let scenario: Scenario
    let dice: Dice
    private(set) var now = FleetSimulation.start
    private var wallShift = Duration.zero
    /// Whether somebody has set the wall clock.
    private(set) var hasJumped = false
    private let startWall: Timestamp
    private var queue = EventQueue()
    private(set) lazy var broker = SimulatedBroker(self, partitions: scenario.settings.partitions)
    private(set) lazy var group = SimulatedGroup(self, partitions: scenario.settings.partitions)
    private(set) lazy var oracle = Oracle(self)
    private var trace: Trace
    private var hubs: [String: SimulatedHub] = [:]
    private(set) var routing: SimRouting
    /// The latest process of each place.
    private var slots: [Int: SimulatedProcess] = [:]
    private(set) var processes: [SimulatedProcess] = []
    private var lastRequest: UInt64 = 0
    private var flights: [Int: [UInt64: RequestState]] = [:]
    private var attempts: [String: Int] = [:]
    private var recallDelay = Duration.milliseconds(5)
    /// The time of the last disturbance, for promises that apply to a healthy fleet only.
    private(set) var disturbedUntil = FleetSimulation.start
    private(set) var isHealing = false
    private var wasAtRest = false
    private var isOver = false
    private(set) var eventCount = 0
    private var restarting: [Int] = []

    static let start = Instant(nanoseconds: 1_000_000_000_000)
    private static let mostEvents = 200_000

    /// The result of a run.
    package struct Result: Sendable {
        package var violations: [Violation]
        package var trace: [String]
        /// Virtual time.
        package var length: Duration
        /// Steps of the event queue.
        package var eventCount: Int
        package var acceptedCount: Int

        /// The broken promises, in the order in which they were found.
        package var invariants: [Invariant] {
            var seen: [Invariant] = []
            for violation in violations where !seen.contains(violation.invariant) { seen.append(violation.invariant) }
            return seen
        }
    }

    private init(_ scenario: Scenario, isTraced: Bool) {
        self.scenario = scenario
        dice = Dice(seed: scenario.seed)
        trace = Trace(isOn: isTraced)
        routing = SimRouting(hubs: scenario.settings.hubs, locales: scenario.settings.locales)
        startWall = Timestamp(rfc3339: scenario.settings.start) ?? Timestamp(seconds: 0)
    }

    /// Runs a scenario to its end.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - isTraced: Whether each thing that happens is described.
    ///   - check: The scenario's own expectations, checked at the end.
    /// - Returns: The promises that were broken, and the trace.
    package static func run(
        _ scenario: Scenario,
        isTraced: Bool = false,
        expecting check: (RunReport) -> [String] = { _ in [] }
    ) -> Result {
        let fleet = FleetSimulation(scenario, isTraced: isTraced)
        fleet.run()
        for text in check(RunReport(fleet.oracle)) { fleet.oracle.violate(.expectation, text) }
        let result = Result(
            violations: fleet.oracle.violations,
            trace: fleet.trace.lines,
            length: fleet.elapsed,
            eventCount: fleet.eventCount,
            acceptedCount: fleet.oracle.acceptedCount
        )
        fleet.queue.removeAll()
        return result
    }

    var sabotage: Sabotage? { scenario.settings.sabotage }

    // MARK: - Time

    var wall: Timestamp { startWall + (now - Self.start) + wallShift }
    var elapsed: Duration { now - Self.start }

    func schedule(after delay: Duration, _ action: @escaping () -> Void) { queue.add(at: now + delay, action) }

    func schedule(at time: Instant, _ action: @escaping () -> Void) { queue.add(at: max(time, now), action) }

    /// Adds a line to the trace.
    func log(_ text: @autoclosure () -> String) {
        if trace.isOn { trace.add(text(), at: wall) }
    }

    private func run() {
        // The oracle records the initial routing.
        _ = oracle
        for slot in 1...max(1, scenario.settings.workers) { startProcess(in: slot) }
        var last = Duration.zero
        for step in scenario.steps {
            schedule(at: Self.start + step.time) { [unowned self] in perform(step.act) }
            last = max(last, step.time + length(of: step.act))
        }
        schedule(at: Self.start + last + .seconds(1)) { [unowned self] in heal() }
        let horizon = Self.start + last + longestWait + .seconds(1200)
        while !isOver, let time = queue.nextTime, time <= horizon {
            now = max(now, time)
            eventCount += 1
            guard eventCount < Self.mostEvents else {
                oracle.violate(.endsInTime, "\(eventCount) steps in \(elapsed)")
                break
            }
            queue.popFirst()?()
        }
        if trace.isOn {
            for process in processes where !process.isDead { log("at rest, \(process.name) has \(process.summary)") }
        }
        oracle.rest()
    }

    private func length(of act: Scenario.Act) -> Duration {
        switch act {
        case .hub(_, _, let time), .topic(_, _, let time), .recalls(_, let time), .freeze(_, let time),
            .isolate(_, let time), .reuse(_, let time):
            time
        default: .zero
        }
    }

    /// The longest intended wait of an event.
    private var longestWait: Duration {
        var longest = scenario.settings.hasQuietHours ? Duration.seconds(12 * 3600) : .zero
        for step in scenario.steps {
            if case .publish(let event) = step.act, let embargo = event.embargo { longest = max(longest, embargo) }
            if case .jump(let duration) = step.act, duration < .zero { longest += .zero - duration }
        }
        return longest
    }

    // MARK: - Steps

    private func perform(_ act: Scenario.Act) {
        switch act {
        case .publish(let event):
            let record = broker.publish(event)
            log("the desk publishes \(event.summary) (partition \(record.partition), offset \(record.offset))")
            oracle.published(record)
            for process in processes where !process.isDead { process.wakeForRecords() }
            if scenario.settings.scans, event.isExpress, dice.chance(30, .read, record.event.act.stableHash) {
                schedule(after: .milliseconds(1)) { [unowned self] in
                    group.owner(of: record.partition)?.receiveAhead(record)
                }
            }
        case .hub(let name, let weather, let time):
            disturb(for: time + .seconds(60))
            log("hub \(name): \(weather) for \(time)")
            hub(name).set(weather, until: now + time)
        case .topic(let topic, let weather, let time):
            disturb(for: time)
            log("topic \(topic.rawValue): \(weather) for \(time)")
            broker.set(weather, of: topic, until: now + time)
        case .crash(let slot):
            guard let process = live(slot) else { return }
            disturb(for: .zero)
            process.crash()
            oracle.crashed(process)
            let session = scenario.settings.sessionTimeout
            schedule(after: session) { [unowned self] in group.expire(process) }
        case .start(let slot): if live(slot) == nil { startProcess(in: slot) }
        case .stop(let slot):
            disturb(for: .zero)
            live(slot)?.stop()
        case .freeze(let slot, let time):
            guard let process = live(slot), process.frozenUntil == nil else { return }
            disturb(for: time)
            process.freeze(for: time)
            guard let end = process.frozenUntil else { return }
            expire(process, after: scenario.settings.sessionTimeout) { $0.frozenUntil == end }
        case .isolate(let slot, let time):
            guard let process = live(slot), process.isolatedUntil == nil else { return }
            disturb(for: time)
            process.isolate(for: time)
            guard let end = process.isolatedUntil else { return }
            expire(process, after: scenario.settings.sessionTimeout) { $0.isolatedUntil == end }
        case .expel(let slot):
            guard let process = live(slot) else { return }
            disturb(for: .zero)
            group.expel(process)
        case .move(let partition):
            disturb(for: .zero)
            group.move(partition)
        case .pause(let source): order(isPause: true, source)
        case .resume(let source): order(isPause: false, source)
        case .resumeLatest(let source): resumeLatest(of: source)
        case .jump(let duration):
            disturb(for: .zero)
            wallShift += duration
            hasJumped = true
            log("somebody sets the wall clock by \(duration)")
            for process in processes where !process.isDead { process.receive { _ in } }
        case .reload(let mapping):
            routing.mapping = mapping
            log("workers take mapping \(mapping)")
            oracle.routings.append(routing)
            for process in processes where !process.isDead { process.adopt(routing) }
        case .hubs(let names):
            disturb(for: .seconds(60))
            routing.hubs = names
            log("the hubs are \(names.joined(separator: ", ")) now; workers restart one by one")
            oracle.routings.append(routing)
            restartAll()
        case .reuse(let label, let time): reuse(label, for: time)
        case .recalls(let delay, let time):
            disturb(for: time)
            recallDelay = delay
            log("recalls take \(delay) for \(time)")
            schedule(after: time) { [unowned self] in recallDelay = .milliseconds(5) }
        case .remark(let text): log(text)
        }
    }

    private func disturb(for time: Duration) { disturbedUntil = max(disturbedUntil, now + time) }

    private func live(_ slot: Int) -> SimulatedProcess? { slots[slot].flatMap { $0.isDead ? nil : $0 } }

    private func expire(
        _ process: SimulatedProcess,
        after time: Duration,
        _ isSilent: @escaping (SimulatedProcess) -> Bool
    ) {
        schedule(after: time) { [unowned self] in if !process.isDead, isSilent(process) { group.expire(process) } }
    }

    private func startProcess(in slot: Int) {
        let process = SimulatedProcess(processes.count + 1, slot: slot, routing: routing, self)
        processes.append(process)
        slots[slot] = process
        disturb(for: .zero)
        log("\(process.name) starts")
        group.join(process)
    }

    /// Assigns a label to another hub for a time. The ledgers of partitions that used the other hub contain its
    /// address, so the configuration confirms that address afterwards.
    private func reuse(_ label: String, for time: Duration) {
        guard routing.otherAddresses[label] == nil else { return }
        disturb(for: time + .seconds(60))
        let address = "other-\(label).example/news"
        routing.otherAddresses[label] = address
        log("label \(label) means another hub now; workers restart one by one")
        restartAll()
        schedule(after: time) { [unowned self] in
            routing.otherAddresses[label] = nil
            routing.replaced[label] = [address]
            log("label \(label) means the first hub again; workers restart one by one")
            restartAll()
        }
    }

    private func restartAll() {
        restarting = slots.keys.sorted()
        restartNext()
    }

    private func restartNext() {
        guard let slot = restarting.first else { return }
        guard let process = live(slot) else {
            restarting.removeFirst()
            startProcess(in: slot)
            return restartNext()
        }
        process.stop()
    }

    /// A process has stopped cleanly.
    func processEnded(_ process: SimulatedProcess) {
        if isHealing, restarting.first != process.slot, live(process.slot) == nil { startProcess(in: process.slot) }
        guard restarting.first == process.slot else { return }
        restarting.removeFirst()
        schedule(after: .seconds(1)) { [unowned self] in
            if live(process.slot) == nil { startProcess(in: process.slot) }
            restartNext()
        }
    }

    private func order(isPause: Bool, _ source: String?) {
        log("somebody \(isPause ? "pauses" : "resumes") \(source ?? "all sources")")
        give(SimOrder(isPause: isPause, source: source, isAutomatic: false, at: wall))
    }

    private func resumeLatest(of source: String) {
        let records = broker.source.joined().filter { $0.event.source == source }
        guard let latest = records.max(by: { ($0.appendedAt, $0.offset) < ($1.appendedAt, $1.offset) }) else { return }
        log("somebody resumes \(latest.event.id)")
        let event = ResumedEvent(
            id: latest.event.id,
            story: Oracle.key(of: latest.event),
            partition: SimulatedWorker.source(latest.partition),
            offset: latest.offset
        )
        give(SimOrder(isPause: false, source: nil, isAutomatic: false, at: wall, event: event))
    }

    func give(_ order: SimOrder) {
        if order.isAutomatic { log("the volume limit pauses \(order.source ?? "all sources")") }
        broker.append(order)
        let offset = Int64(broker.orders.count - 1)
        for process in processes where !process.isDead {
            schedule(after: dice.milliseconds(5...60, .control, UInt64(process.id), UInt64(broker.orders.count))) {
                process.receive(order, at: offset)
            }
        }
    }

    // MARK: - The end

    /// Ends all faults. From now on every event must end.
    private func heal() {
        isHealing = true
        log("all faults end")
        for hub in hubs.values { hub.calm() }
        broker.calm()
        recallDelay = .milliseconds(5)
        for slot in slots.keys.sorted() where live(slot) == nil { startProcess(in: slot) }
        // A crash may have interrupted the restart of all workers.
        if !routing.replaced.isEmpty { restartAll() }
        if scenario.resumesAtEnd {
            let scopes = Set(broker.orders.filter(\.isPause).map(\.source))
            for source in scopes.sorted(by: { ($0 ?? "") < ($1 ?? "") }) { order(isPause: false, source) }
        }
        lookForRest()
    }

    private func lookForRest() {
        schedule(after: .seconds(10)) { [unowned self] in
            let isAtRest = oracle.isAllFinal
            if isAtRest, wasAtRest { return isOver = true }
            wasAtRest = isAtRest
            lookForRest()
        }
    }

    // MARK: - For processes

    func hub(_ name: String) -> SimulatedHub {
        if let hub = hubs[name] { return hub }
        let hub = SimulatedHub(name, self)
        hubs[name] = hub
        return hub
    }

    func send(_ request: SimRequest, of process: SimulatedProcess) {
        begin(sabotaged(request), of: process)
        guard let content = request.content else { return }
        switch sabotage {
        case .sendTwice: begin(request, of: process)
        case .resendLate where content.kind != "kill":
            schedule(after: .seconds(3)) { [unowned self] in begin(request, of: process) }
        default: break
        }
    }

    private func sabotaged(_ request: SimRequest) -> SimRequest {
        guard let content = request.content else { return request }
        switch sabotage {
        case .mixModes where lastRequest % 20 == 3:
            return SimRequest(id: request.id, hub: SimulatedPlanner.testHub, tags: request.tags, content: content)
        case .strayKills where content.kind == "kill":
            return SimRequest(id: request.id, hub: request.hub, tags: request.tags + ["Stray"], content: content)
        default: return request
        }
    }

    private func begin(_ request: SimRequest, of process: SimulatedProcess) {
        lastRequest += 1
        var attempt = 0
        if let content = request.content {
            let key = "\(content.act) \(request.units.joined())"
            attempt = attempts[key, default: 0]
            attempts[key] = attempt + 1
            log(
                "\(process.name) sends \(content.kind) \(content.event) rev \(content.revision) to \(request.hub) for "
                    + Trace.list(request.tags)
            )
        }
        let state = RequestState(lastRequest, request, of: process, self, attempt: attempt)
        flights[process.id, default: [:]][request.id] = state
        oracle.begun(state)
        let delay = dice.milliseconds(1...40, .travel, state.number)
        schedule(after: delay) { [unowned self] in
            if process.isCrashed, dice.chance(50, .lostRequest, state.number) { return }
            if sabotage == .dropWithdrawals, request.content?.kind == "kill" { return answer(.accepted, to: state) }
            hub(request.hub).receive(state)
        }
    }

    func answer(_ reply: SimReply, to state: RequestState) {
        guard !state.isCancelled, !state.process.isDead else { return }
        if sabotage == .loseAnswers, state.number % 20 == 7 { return }
        let took = now - state.begunAt
        state.process.receive { [unowned self] worker in
            guard !state.isCancelled, state.reply == nil else { return }
            state.reply = reply
            state.answeredAt = now
            flights[state.process.id]?[state.request.id] = nil
            if reply != .accepted, let content = state.request.content {
                log("\(state.request.hub) answers \(state.process.name) on \(content.event): \(reply)")
            }
            worker.answered(state.request.id, reply, after: took)
        }
    }

    /// Cancels requests that nobody waits for. The hub may have accepted them, and the transport reports their end.
    func cancel(_ requests: [UInt64], of process: SimulatedProcess) {
        for id in requests {
            guard let state = flights[process.id]?.removeValue(forKey: id) else { continue }
            state.isCancelled = true
            schedule(after: .milliseconds(1)) { process.receive { $0.answered(id, .unknown, after: .zero) } }
        }
    }

    func recall(_ recall: SimRecall, of process: SimulatedProcess) {
        let delay = recallDelay + dice.milliseconds(1...10, .recall, UInt64(process.id), recall.number)
        schedule(after: delay) { [unowned self] in
            let value: [UInt8]? =
                switch recall.place {
                case .ledger(let offset): line(offset, of: recall.partition)
                case .source(let offset): record(offset, of: recall.partition)
                }
            process.receive { $0.recalled(recall.number, value) }
        }
    }

    private func line(_ offset: Int64, of partition: Int) -> [UInt8]? {
        let log = broker.ledger[partition]
        return log.indices.contains(Int(offset)) ? log[Int(offset)].value : nil
    }

    private func record(_ offset: Int64, of partition: Int) -> [UInt8]? {
        let log = broker.source[partition]
        return log.indices.contains(Int(offset)) ? log[Int(offset)].value : nil
    }

    /// A ledger record has arrived.
    func appended(_ line: SimLedgerLine, at offset: Int64, to partition: Int) {
        for process in processes where !process.isDead { process.follow(line, at: offset, of: partition) }
    }
}
