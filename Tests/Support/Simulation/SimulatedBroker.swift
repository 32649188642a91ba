import NewsflashTimestamps

/// The topics of the fleet.
final class SimulatedBroker {
    private unowned let fleet: FleetSimulation
    private(set) var source: [[SimSourceRecord]]
    private(set) var ledger: [[SimLedgerLine]]
    /// The offset of the latest record of each key.
    private(set) var latestLines: [[String: Int64]]
    private(set) var outcomes: [SimOutcome] = []
    private(set) var deadLetters: [SimOutcome] = []
    private(set) var orders: [SimOrder] = []
    /// The next offset to read; `nil` if nothing was committed.
    private(set) var committed: [Int64?]
    private var weathers: [SimTopic: [(weather: TopicWeather, end: Instant)]] = [:]
    /// The time when the last write of a process to a partition arrives, because a producer keeps the order.
    private var lastArrivals: [String: Instant] = [:]
    private var publications: [String: Timestamp] = [:]
    private var misreported: Set<SimTopic> = []
    private var writeCounts: [SimTopic: UInt64] = [:]
    private var calmedAt: Instant?

    init(_ fleet: FleetSimulation, partitions: Int) {
        self.fleet = fleet
        source = Array(repeating: [], count: partitions)
        ledger = Array(repeating: [], count: partitions)
        latestLines = Array(repeating: [:], count: partitions)
        committed = Array(repeating: nil, count: partitions)
    }

    func partition(of story: String) -> Int { Int(story.stableHash % UInt64(source.count)) }

    // MARK: - Source and control

    func publish(_ event: SimEvent) -> SimSourceRecord {
        let partition = partition(of: event.story)
        // A repeat has the same bytes.
        let published = publications[event.act] ?? fleet.wall
        publications[event.act] = published
        let record = SimSourceRecord(
            partition: partition,
            offset: Int64(source[partition].count),
            event: event,
            writtenAt: fleet.wall,
            appendedAt: fleet.now,
            value: SimulatedRecords.encode(event, at: published)
        )
        source[partition].append(record)
        return record
    }

    func append(_ order: SimOrder) { orders.append(order) }

    func commit(_ offset: Int64, of partition: Int) { committed[partition] = offset }

    // MARK: - Writes of workers

    func set(_ weather: TopicWeather, of topic: SimTopic, until end: Instant) {
        weathers[topic, default: []].append((weather, end))
    }

    func calm() {
        weathers = [:]
        calmedAt = fleet.now
    }

    /// Whether a topic has accepted and confirmed writes as usual since a minute before an instant. No worker waits
    /// longer than a minute to write again.
    func wasFair(_ topic: SimTopic, since start: Instant) -> Bool {
        let ends = (weathers[topic] ?? []).map(\.end) + [calmedAt].compactMap(\.self)
        return ends.allSatisfy { $0 + .seconds(60) < start }
    }

    /// Whether a write to the topic was ever reported as failed.
    func hasMisreported(_ topic: SimTopic) -> Bool { misreported.contains(topic) }

    func weather(of topic: SimTopic) -> TopicWeather {
        weathers[topic]?.last { $0.end > fleet.now }?.weather ?? .fair
    }

    /// Accepts writes of a process. The reports follow later.
    func write(_ writes: [SimWrite], of process: SimulatedProcess) {
        var batches: [String: [SimWrite]] = [:]
        var names: [String] = []
        for write in writes {
            let isLedger = write.topic == .ledger
            let name = isLedger ? "\(process.id) ledger \(write.partition)" : "\(process.id) \(write.topic.rawValue)"
            if batches[name] == nil { names.append(name) }
            batches[name, default: []].append(write)
        }
        for name in names { if let batch = batches[name] { send(batch, name, of: process) } }
    }

    private func send(_ batch: [SimWrite], _ name: String, of process: SimulatedProcess) {
        guard let topic = batch.first?.topic else { return }
        writeCounts[topic, default: 0] += 1
        let salt = name.stableHash ^ (writeCounts[topic] ?? 0)
        let weather = weather(of: topic)
        let delay = fleet.dice.milliseconds(weather.latency, .confirmation, salt)
        let arrival = max(lastArrivals[name] ?? fleet.now, fleet.now + delay)
        lastArrivals[name] = arrival
        let isLost = fleet.dice.chance(weather.lost, .writeFault, salt)
        let isMisreported = !isLost && fleet.dice.chance(weather.misreported, .writeFault, salt, 1)
        fleet.schedule(at: arrival) { [self] in
            arrive(batch, of: process, isLost: isLost, isMisreported: isMisreported, salt: salt)
        }
    }

    private func arrive(
        _ batch: [SimWrite],
        of process: SimulatedProcess,
        isLost: Bool,
        isMisreported: Bool,
        salt: UInt64,
        isLate: Bool = false
    ) {
        if process.isCrashed, !isLate {
            switch fleet.dice.number(0...2, .lateWriter, salt) {
            case 0: return
            case 1: break
            default:
                let delay = fleet.dice.milliseconds(500...25_000, .lateWriter, salt, 1)
                return fleet.schedule(after: delay) { [self] in
                    arrive(batch, of: process, isLost: false, isMisreported: false, salt: salt, isLate: true)
                }
            }
        }
        // A suspended process sends its queued writes when it continues.
        if let end = process.frozenUntil, !isLate, fleet.dice.chance(50, .lateWriter, salt, 2) {
            return fleet.schedule(at: end + .milliseconds(20)) { [self] in
                arrive(
                    batch,
                    of: process,
                    isLost: isLost,
                    isMisreported: isMisreported,
                    salt: salt,
                    isLate: true
                )
            }
        }
        // Nobody receives the confirmation of a write that arrives after a crash.
        let isMisreported = isMisreported || process.isCrashed
        var deliveries: [SimDelivery] = []
        for write in batch {
            let offset = isLost ? nil : append(write, of: process)
            deliveries.append(SimDelivery(id: write.id, offset: isMisreported ? nil : offset))
        }
        if isLost || isMisreported {
            misreported.insert(batch[0].topic)
            fleet.log("\(batch.count) writes of \(process.name) to \(batch[0].topic.rawValue) fail")
        }
        fleet.schedule(after: .milliseconds(1)) { [fleet] in
            if !isLost, !isMisreported { fleet.oracle.confirmed(batch, of: process) }
            process.receive { $0.delivered(deliveries) }
        }
    }

    private func append(_ write: SimWrite, of process: SimulatedProcess) -> Int64 {
        switch write.content {
        case .ledger(var line):
            line.appendedAt = fleet.now
            let offset = Int64(ledger[write.partition].count)
            ledger[write.partition].append(line)
            latestLines[write.partition][line.key] = offset
            fleet.appended(line, at: offset, to: write.partition)
            return offset
        case .outcome(let outcome):
            for outcome in sabotaged(outcome) {
                outcomes.append(outcome)
                fleet.oracle.ended(outcome, by: process)
            }
            return Int64(outcomes.count - 1)
        case .deadLetter(let letter):
            guard fleet.sabotage != .loseDeadLetters else { return 0 }
            deadLetters.append(letter)
            return Int64(deadLetters.count - 1)
        }
    }

    private func sabotaged(_ outcome: SimOutcome) -> [SimOutcome] {
        var other = outcome
        switch fleet.sabotage {
        case .loseOutcomes where outcome.offset % 5 == 3: return []
        case .endTwice: return [outcome, outcome]
        case .contradictEnd:
            other.verdict = "superseded"
            other.reason = "superseded.revision"
            return outcome.isSent ? [outcome, other] : [outcome]
        case .claimSent where outcome.isFinal:
            other.verdict = "sent"
            other.reason = nil
            return [other]
        case .denySent where outcome.isSent:
            other.verdict = "superseded"
            return [other]
        default: return [outcome]
        }
    }

    /// The ledger of a partition, in the form that a reader receives.
    func ledgerLines(of partition: Int, isCompacted: Bool) -> [(Int64, SimLedgerLine)] {
        let lines = ledger[partition].enumerated().map { (Int64($0.offset), $0.element) }
        guard isCompacted else { return lines }
        // The topic's `min.compaction.lag.ms` is longer than the time for which a late writer tries.
        let limit = fleet.now - .seconds(60)
        return lines.filter { offset, line in
            latestLines[partition][line.key] == offset || line.appendedAt.map { $0 > limit } ?? false
        }
    }
}
