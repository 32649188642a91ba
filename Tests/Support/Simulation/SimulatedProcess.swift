import NewsflashTimestamps

/// One worker process in its container. It can be suspended, lose its group, stop and die.
final class SimulatedProcess {
    let id: Int
    /// Its slot in the fleet; a restarted worker has the same slot.
    let slot: Int
    private unowned let fleet: FleetSimulation
    /// The configuration that it was started with.
    let routing: SimRouting
    private lazy var worker = SimulatedWorker(
        fleet.scenario.settings,
        routing: routing,
        seed: fleet.scenario.seed &+ UInt64(id),
        process: id,
        in: self
    )

    private(set) var isCrashed = false
    private(set) var hasStopped = false
    private(set) var isStopping = false
    /// The end of its suspension; `nil` if it is not suspended.
    private(set) var frozenUntil: Instant? { didSet { heldAt = fleet.now } }
    private var frozenSince: Instant?
    private(set) var isolatedUntil: Instant?
    /// Whether it waits until the group confirms its membership.
    private var isUnsure = false { didSet { heldAt = fleet.now } }
    /// The time when it last began or ended a suspension, or a wait for the group.
    private(set) var heldAt: Instant?
    private var lostWhileHeld: Set<Int> = []
    private var inbox: [(SimulatedWorker) -> Void] = []
    private var drains: [Drain] = []
    private var partings: [Drain] = []
    private var nextWake: Instant?
    /// The number of assignments and revocations of each partition.
    private var epochs: [Int: Int] = [:]
    /// The next offset of each partition that is read.
    private var cursors: [Int: Int64] = [:]
    private var isFetching = false
    private var isScanning = false
    /// The end of the ledger when it was restored.
    private(set) var restoredEnds: [Int: Int64] = [:]
    /// The partitions that the worker considers its own.
    private(set) var owned: Set<Int> = []

    private var lastDrain = 0

    private struct Drain {
        let number: Int
        var partitions: [Int]
        var deadline: Instant
        var done: ([Int: Int64]) -> Void
    }

    init(_ id: Int, slot: Int, routing: SimRouting, _ fleet: FleetSimulation) {
        self.id = id
        self.slot = slot
        self.routing = routing
        self.fleet = fleet
        for (offset, order) in fleet.broker.orders.enumerated() { receive(order, at: Int64(offset)) }
    }

    /// Whether it has restored a partition and is alive.
    func isWorking(on partition: Int) -> Bool { !isDead && !isHeld && cursors[partition] != nil }

    var isDead: Bool { isCrashed || hasStopped }
    var name: String { "worker \(slot)" }
    private var isHeld: Bool { frozenUntil != nil || isUnsure }

    /// Delivers something to the worker, now or when it continues.
    func receive(_ act: @escaping (SimulatedWorker) -> Void) {
        guard !isDead else { return }
        guard !isHeld else { return inbox.append(act) }
        act(worker)
        turn()
    }

    private func turn() {
        worker.turn()
        settleDrains()
        guard !isDead else { return }
        planWake()
        fetch()
    }

    private func planWake() {
        var due = fleet.sabotage == .spin ? fleet.now : worker.nextTimer
        for drain in drains + partings { due = min(due ?? drain.deadline, drain.deadline) }
        guard let due else { return }
        let time = max(due, fleet.now + .microseconds(100))
        if let nextWake, nextWake <= time { return }
        nextWake = time
        fleet.schedule(at: time) { [weak self] in
            guard let self, nextWake == time else { return }
            nextWake = nil
            if !isHeld, !isDead { turn() }
        }
    }

    // MARK: - Reading

    func wakeForRecords() { if !isHeld, !isDead { fetch() } }

    private func fetch() {
        guard !isFetching, !cursors.isEmpty, hasBacklog else { return }
        scan()
        guard worker.wantsRecords else { return }
        isFetching = true
        let latency = fleet.sabotage == .readLate ? 3000...4000 : 2...8
        let delay = fleet.dice.milliseconds(
            latency,
            .read,
            UInt64(id),
            UInt64(fleet.elapsed.wholeNanoseconds.magnitude)
        )
        fleet.schedule(after: delay) { [weak self] in
            guard let self else { return }
            isFetching = false
            receive { [weak self] worker in
                guard let self else { return }
                for partition in cursors.keys.sorted() { worker.receive(readRecords(of: partition)) }
            }
        }
    }

    private var hasBacklog: Bool {
        cursors.contains { partition, offset in offset < fleet.broker.source[partition].count }
    }

    private func readRecords(of partition: Int) -> [SimSourceRecord] {
        guard let start = cursors[partition] else { return [] }
        let log = fleet.broker.source[partition]
        let end = min(log.count, Int(start) + SimSettings.fetchedRecords)
        guard Int(start) < end else { return [] }
        cursors[partition] = Int64(end)
        return Array(log[Int(start)..<end])
    }

    /// Looks for express events ahead of the consumer.
    private func scan() {
        guard fleet.scenario.settings.scans, fleet.sabotage != .readLate, !isScanning else { return }
        isScanning = true
        fleet.schedule(after: .milliseconds(300)) { [weak self] in
            guard let self else { return }
            isScanning = false
            guard !isDead, hasBacklog else { return }
            receive { [weak self] worker in
                guard let self else { return }
                for (partition, start) in cursors.sorted(by: { $0.key < $1.key }) {
                    let log = fleet.broker.source[partition]
                    worker.receiveAhead(log[min(Int(start), log.count)...].filter(\.event.isExpress))
                }
            }
        }
    }

    /// Hands over a record that the priority scan found.
    func receiveAhead(_ record: SimSourceRecord) {
        guard fleet.sabotage != .readLate, let cursor = cursors[record.partition], cursor <= record.offset else {
            return
        }
        receive { [weak self] worker in
            guard self?.cursors[record.partition] != nil else { return }
            worker.receiveAhead([record])
        }
    }

    // MARK: - Partitions

    /// Adopts a partition.
    ///
    /// - Parameters:
    ///   - partition: Its number.
    ///   - isValid: Whether the assignment still applies when the process receives it.
    func assign(_ partition: Int, ifStill isValid: @escaping () -> Bool) {
        receive { [weak self] worker in
            guard let self, isValid(), !isStopping else { return }
            // If its earlier revocation is still in progress, it is adopted after that.
            if let place = partings.firstIndex(where: { $0.partitions.contains(partition) }) {
                let done = partings[place].done
                partings[place].done = { [weak self] offsets in
                    done(offsets)
                    self?.assign(partition, ifStill: isValid)
                }
                return
            }
            epochs[partition, default: 0] += 1
            owned.insert(partition)
            fleet.oracle.assigned(partition, to: self)
            readLedger(of: partition, assignment: worker.assign(partition))
        }
    }

    func readLedger(of partition: Int, assignment: UInt32) {
        let epoch = epochs[partition]
        let delay = fleet.dice.milliseconds(20...300, .restore, UInt64(id), UInt64(epoch ?? 0))
        fleet.schedule(after: delay) { [weak self] in
            guard let self, epochs[partition] == epoch else { return }
            let lines = fleet.broker.ledgerLines(of: partition, isCompacted: fleet.scenario.settings.isCompacted)
            let ledgerEnd = Int64(fleet.broker.ledger[partition].count)
            restoredEnds[partition] = ledgerEnd
            let end = Int64(fleet.broker.source[partition].count)
            receive {
                $0.restored(partition, assignment: assignment, lines, sourceEnd: end, ledgerEnd: ledgerEnd)
            }
        }
    }

    /// Hands over a ledger record that another process wrote, in the next round of the ledger's reader.
    func follow(_ line: SimLedgerLine, at offset: Int64, of partition: Int) {
        guard let end = restoredEnds[partition], offset >= end, line.writer != id else { return }
        let epoch = epochs[partition]
        let delay = fleet.dice.milliseconds(10...5000, .follow, UInt64(id), UInt64(offset))
        fleet.schedule(after: delay) { [weak self] in
            self?.receive { [weak self] worker in
                guard self?.epochs[partition] == epoch else { return }
                worker.overwritten(partition, line)
            }
        }
    }

    /// Finishes the requests in flight of partitions, and gives them up.
    func drain(_ partitions: [Int], _ done: @escaping ([Int: Int64]) -> Void) {
        receive { [weak self] worker in
            guard let self else { return }
            let partitions = partitions.filter { owned.contains($0) }
            guard !partitions.isEmpty else { return done([:]) }
            let deadline = fleet.now + fleet.scenario.settings.drain
            if fleet.sabotage != .ignoreLeaving { worker.beginDraining(partitions, until: deadline, isLost: false) }
            fleet.oracle.leaving(partitions, of: self)
            lastDrain += 1
            drains.append(Drain(number: lastDrain, partitions: partitions, deadline: deadline, done: done))
        }
    }

    private func settleDrains() {
        for drain in drains + partings where isOver(drain) {
            guard
                drains.contains(where: { $0.number == drain.number })
                    || partings.contains(where: { $0.number == drain.number })
            else { continue }
            settle(drain)
        }
    }

    private func isOver(_ drain: Drain) -> Bool {
        drain.deadline <= fleet.now || worker.isDrained(drain.partitions)
    }

    private func settle(_ drain: Drain) {
        let isRevocation = drains.contains { $0.number == drain.number }
        // More work may have been added to its completion meanwhile.
        let done = partings.first { $0.number == drain.number }?.done ?? drain.done
        drains.removeAll { $0.number == drain.number }
        partings.removeAll { $0.number == drain.number }
        let isDrained = worker.isDrained(drain.partitions)
        if !isDrained { fleet.log("\(name) gives \(drain.partitions) up before all is finished") }
        let offsets = worker.leave(drain.partitions, isWritten: true)
        forget(drain.partitions)
        if isRevocation { fleet.oracle.left(drain.partitions, of: self, isDrained: isDrained) }
        done(offsets)
        endIfDone()
    }

    private func forget(_ partitions: [Int]) {
        for partition in partitions {
            epochs[partition, default: 0] += 1
            cursors[partition] = nil
            restoredEnds[partition] = nil
            owned.remove(partition)
        }
    }

    /// Receives that partitions were lost. Others may own them already.
    func lose(_ partitions: [Int]) {
        // The loss is handled before everything else when the process continues.
        guard !isHeld else { return lostWhileHeld.formUnion(partitions) }
        receive { [weak self] worker in
            guard let self else { return }
            let lost = partitions.filter { owned.contains($0) }
            drains.removeAll { $0.partitions.contains { lost.contains($0) } }
            guard !lost.isEmpty else { return }
            fleet.oracle.leaving(lost, of: self)
            let deadline = fleet.now + .seconds(2)
            worker.beginDraining(lost, until: deadline, isLost: true)
            lastDrain += 1
            partings.append(Drain(number: lastDrain, partitions: lost, deadline: deadline, done: { _ in }))
        }
    }

    // MARK: - Faults

    func crash() {
        fleet.log("\(name) is killed")
        isCrashed = true
        inbox = []
    }

    func freeze(for duration: Duration) {
        guard !isHeld, !isDead else { return }
        fleet.log("\(name) stands still for \(duration)")
        frozenSince = fleet.now
        let end = fleet.now + duration
        frozenUntil = end
        fleet.schedule(at: end) { [weak self] in self?.thaw() }
    }

    private func thaw() {
        guard !isDead, let since = frozenSince else { return }
        fleet.log("\(name) goes on")
        frozenUntil = nil
        frozenSince = nil
        let longestPause = max(.seconds(2), fleet.scenario.settings.sessionTimeout / 2)
        guard fleet.now - since > longestPause || isUnsure && isolatedUntil == nil else {
            if !isUnsure { goOn() }
            return
        }
        doubt()
    }

    func isolate(for duration: Duration) {
        guard !isDead else { return }
        fleet.log("\(name) cannot reach its group for \(duration)")
        let end = fleet.now + duration
        isolatedUntil = end
        let silence = fleet.scenario.settings.sessionTimeout * 9 / 10
        fleet.schedule(after: silence) { [weak self] in
            guard let self, let until = isolatedUntil, until > fleet.now, !isDead else { return }
            isUnsure = true
        }
        fleet.schedule(at: end) { [weak self] in
            guard let self, isolatedUntil == end else { return }
            isolatedUntil = nil
            if isUnsure { doubt() }
        }
    }

    /// Does nothing until the group has confirmed the membership.
    private func doubt() {
        isUnsure = true
        let delay = fleet.dice.milliseconds(
            50...1500,
            .confirmMembership,
            UInt64(id),
            fleet.elapsed.wholeNanoseconds.magnitude
        )
        fleet.schedule(after: delay) { [weak self] in
            // Without a connection to the group it stays unsure, and asks when it is connected again.
            guard let self, isUnsure, !isDead, frozenUntil == nil, isolatedUntil == nil else { return }
            isUnsure = false
            let isMember = fleet.group.isMember(self)
            let lost = owned.filter { !isMember || lostWhileHeld.contains($0) }.sorted()
            lostWhileHeld = []
            if !lost.isEmpty {
                drains = []
                _ = worker.leave(lost, isWritten: false)
                forget(lost)
            }
            if isStopping, !lost.isEmpty || !isMember { return end() }
            if !isMember { fleet.group.join(self) }
            goOn()
        }
    }

    private func goOn() {
        let lost = lostWhileHeld.sorted()
        lostWhileHeld = []
        if !lost.isEmpty { lose(lost) }
        let acts = inbox
        inbox = []
        for act in acts { receive(act) }
        if !isHeld, !isDead { turn() }
    }

    /// Stops cleanly: drains, leaves the group, ends.
    func stop() {
        guard !isDead, !isStopping else { return }
        fleet.log("\(name) stops")
        isStopping = true
        receive { [weak self] _ in
            guard let self else { return }
            // Partitions that were lost are being given up already.
            let held = owned.subtracting(partings.flatMap(\.partitions)).sorted()
            guard !held.isEmpty else { return endIfDone() }
            drain(held) { [weak self] offsets in
                guard let self else { return }
                fleet.group.commit(offsets, of: self)
            }
        }
    }

    /// Ends a process that stops when it has given up all partitions.
    private func endIfDone() {
        if isStopping, owned.isEmpty, drains.isEmpty, partings.isEmpty { end() }
    }

    private func end() {
        guard !isDead else { return }
        hasStopped = true
        fleet.log("\(name) has stopped")
        fleet.group.leave(self)
        fleet.processEnded(self)
    }

    func receive(_ order: SimOrder, at offset: Int64) {
        receive { [weak self] worker in
            if self?.fleet.sabotage != .ignorePauses { worker.ordered(order, at: offset) }
            if let self { fleet.oracle.ordered(order, at: offset, to: self) }
        }
    }

    /// Adopts another mapping. Other hubs need a restart.
    func adopt(_ routing: SimRouting) {
        var changed = self.routing
        changed.mapping = routing.mapping
        receive { [changed] in $0.adopt(changed) }
    }

    var summary: String { worker.summary }
}

extension SimulatedProcess: WorkerSurroundings {
    var now: Instant { fleet.now }
    var wall: Timestamp {
        switch fleet.sabotage {
        case .fastClock: fleet.wall + .seconds(3600)
        case .slowClock: fleet.wall - .seconds(280)
        default: fleet.wall
        }
    }

    func send(_ request: SimRequest) { fleet.send(request, of: self) }

    func cancel(_ requests: [UInt64]) { fleet.cancel(requests, of: self) }

    func write(_ writes: [SimWrite]) { fleet.broker.write(writes, of: self) }

    func commit(_ offsets: [Int: Int64]) {
        fleet.schedule(after: .milliseconds(4)) { [weak self] in
            guard let self, !isCrashed else { return }
            let isTaken = isolatedUntil == nil && fleet.group.commit(offsets, of: self)
            receive { $0.commitEnded(offsets.keys.sorted(), succeeded: isTaken) }
        }
    }

    func recall(_ recall: SimRecall) { fleet.recall(recall, of: self) }

    func log(_ text: @autoclosure () -> String) { fleet.log("\(name) \(text())") }

    func give(_ order: SimOrder) { fleet.give(order) }

    func stopSoon() { fleet.schedule(after: .milliseconds(1)) { [weak self] in self?.stop() } }

    func read(_ partition: Int) {
        guard cursors[partition] == nil else { return }
        cursors[partition] = fleet.broker.committed[partition] ?? 0
    }
}

extension SimEvent {
    /// Whether it belongs to the express lane.
    var isExpress: Bool { fault == nil && (kind == .flash || kind == .kill || kind == .hold || urgency == 1) }
}
