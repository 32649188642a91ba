import NewsflashPublishing
import NewsflashTimestamps

/// Checks the promises of `design.md`, section 1. Its input is records, topics and accepted requests; it uses nothing
/// of the core.
package final class Oracle {
    unowned let fleet: FleetSimulation
    private(set) var violations: [Violation] = []
    private var seen: Set<String> = []
    var routings: [SimRouting]

    // The desk's records.
    private(set) var records: [SimSourceRecord] = []
    /// The first record of each act.
    private(set) var acts: [String: SimSourceRecord] = [:]
    /// The first record of each revision of each act: an event may come again under its own id.
    private var revisions: [String: SimSourceRecord] = [:]
    private(set) var stories: [String: [SimSourceRecord]] = [:]
    /// The number of records of each story, including faulty ones.
    private var recordCounts: [String: Int] = [:]
    /// The latest end of an embargo in the records of each story, including faulty ones.
    private var latestEmbargoes: [String: Timestamp] = [:]

    // Requests and acceptances.
    private(set) var requests: [RequestState] = []
    /// The source offsets of the acts with requests.
    private(set) var offsetsOfActs: [UInt64: Int64] = [:]
    private(set) var logs: [String: StoryLog] = [:]
    /// The audiences that an event itself names, by act, under all mappings so far.
    private var namedUnits: [String: (mappings: Int, units: Set<String>)] = [:]
    private var begunActs: Set<String> = []
    /// Requests of each process that are at risk.
    private(set) var open: [Int: [RequestState]] = [:]

    // Outcomes.
    private(set) var finals: [Place: SimOutcome] = [:]
    /// Accepted kills whose outcomes deny it, because the outcome was being written when the kill continued.
    private(set) var deniedKills: [Place: String] = [:]
    /// The outcomes of kills that went on after their end. The first outcome may be written once more by a process that was
    /// killed.
    private(set) var continuations: [Place: SimOutcome] = [:]
    private var finalCounts: [Place: [String: Int]] = [:]

    // Disturbances.
    private(set) var crashes: [Int: Instant] = [:]
    private(set) var losses: [Int: [Int: [Instant]]] = [:]
    private(set) var departures: [Int: [Int: [(time: Instant, isDrained: Bool)]]] = [:]
    /// The processes with more requests at risk than usual, because a ledger confirmed nothing.
    private(set) var slowLedgers: Set<Int> = []
    private(set) var leavingPartitions: [Int: Set<Int>] = [:]
    var secondsOfDisturbance: [String: Set<UInt64>] = [:]
    /// The pauses by process and scope.
    private var pauses: [Int: [String?: Pauses]] = [:]
    /// The offset of the latest release of a single event, by process and event.
    private var releases: [Int: [String: Int64]] = [:]
    /// Records with outcomes of two workers that both considered themselves the owner.
    private var disputed: Set<Place> = []
    private var committedOffsets: [Int: Int64] = [:]
    /// The waiting events in the latest record of each story.
    private var waitingEvents: [String: (offset: Int64, events: [Int64: String])] = [:]

    init(_ fleet: FleetSimulation) {
        self.fleet = fleet
        routings = [fleet.routing]
    }

    func violate(_ invariant: Invariant, _ detail: String) {
        guard violations.count < 200, seen.insert("\(invariant) \(detail)").inserted else { return }
        fleet.log("BROKEN \(invariant.rawValue): \(detail)")
        violations.append(Violation(invariant: invariant, detail: "\(Trace.clock(fleet.wall)) \(detail)"))
    }

    var acceptedCount: Int { logs.values.reduce(0) { $0 + $1.acceptedCount } }

    // MARK: - Records

    func published(_ record: SimSourceRecord) {
        records.append(record)
        let key = Self.key(of: record.event)
        recordCounts[key, default: 0] += 1
        if let embargo = record.event.embargo {
            let end = record.writtenAt + embargo
            latestEmbargoes[key] = max(latestEmbargoes[key] ?? end, end)
        }
        if record.event.fault == nil {
            if acts[record.event.act] == nil { acts[record.event.act] = record }
            let revision = "\(record.event.act) \(record.event.revision)"
            if revisions[revision] == nil { revisions[revision] = record }
            stories[key, default: []].append(record)
        }
        expectExpress(record)
    }

    /// The key of an event's story; stories of tests have their own keys.
    static func key(of event: SimEvent) -> String { (event.mode == .test ? "test:" : "") + event.story }

    /// Expects that the requests of a flash begin soon in a healthy fleet. A faulty record of its story may hold it.
    private func expectExpress(_ record: SimSourceRecord) {
        let event = record.event
        let settings = fleet.scenario.settings
        let bound = Duration.seconds(2)
        guard event.kind == .flash, event.mode == .live, event.fault == nil, event.embargo == nil,
            event.expires.map({ $0 > bound }) ?? true, !settings.hasApprovals, !settings.hasVolumeLimit, settings.scans,
            recordCounts[event.story] == 1,
            !fleet.routing.units(of: event, testHub: SimulatedPlanner.testHub).isEmpty,
            fleet.disturbedUntil + .seconds(15) < fleet.now,
            !isAnyPaused,
            !fleet.isHealing
        else { return }
        guard let owner = fleet.group.owner(of: record.partition), owner.isWorking(on: record.partition) else { return }
        let disturbedUntil = fleet.disturbedUntil
        fleet.schedule(after: bound) { [unowned self] in
            guard fleet.disturbedUntil == disturbedUntil, owner.isWorking(on: record.partition),
                !begunActs.contains(event.act),
                !isAnyPaused, recordCounts[event.story] == 1
            else { return }
            violate(.express, "flash \(event.id) is not begun after \(bound)")
        }
    }

    // MARK: - Requests

    func begun(_ state: RequestState) {
        requests.append(state)
        guard let content = state.request.content else { return }
        offsetsOfActs[content.actNumber] = acts[content.act]?.offset
        let isFirst = begunActs.insert(content.act).inserted
        open[state.process.id, default: []].append(state)
        checkRisk(of: state.process)
        checkAddress(of: state, content)
        expectRecord(of: state, content)
        for unit in state.request.units where logs[content.story]?.attempts[unit]?.contains(content.act) != true {
            logs[content.story, default: StoryLog()].attempts[unit, default: []].append(content.act)
        }
        if leavingPartitions[state.process.id]?.contains(state.partition) == true {
            violate(
                .noRequestWhileLeaving,
                "\(state.process.name) begins \(content.kind) \(content.event) though partition \(state.partition) leaves"
            )
        }
        guard let record = revisions["\(content.act) \(content.revision)"] else { return }
        let event = record.event
        checkClock(event, record, state, isFirst: isFirst)
        if event.mode == .live, isPaused(event, in: state.process) {
            violate(
                .pause,
                "\(state.process.name) begins \(event.kind.rawValue) \(event.id) of paused source \(event.source)"
            )
        }
        let isForTests = state.request.hub == SimulatedPlanner.testHub
        if event.mode == .backfill || (event.mode == .test) != isForTests {
            violate(.mode, "\(event.id) of mode \(event.mode.rawValue) goes to hub \(state.request.hub)")
        }
    }

    private func checkClock(_ event: SimEvent, _ record: SimSourceRecord, _ state: RequestState, isFirst: Bool) {
        // An event with requests continues even if the clock is set back.
        if isFirst, let embargo = event.embargo, event.kind != .kill,
            state.wallAtBegin < record.writtenAt + embargo
        {
            violate(.embargo, "\(event.id) is sent before its embargo")
        }
        if state.wallAtBegin > end(of: event, record) { violate(.expiry, "\(event.id) is sent after its end") }
    }

    /// The life of news begins with its embargo, or with a later one of its story.
    private func end(of event: SimEvent, _ record: SimSourceRecord) -> Timestamp {
        if let expires = event.expires { return record.writtenAt + expires }
        let start = record.writtenAt + (event.embargo ?? .zero)
        return max(start, latestEmbargoes[Self.key(of: event)] ?? start) + Self.life(of: event.kind)
    }

    /// The lives of the default policy.
    private static func life(of kind: SimEvent.Kind) -> Duration {
        switch kind {
        case .flash: .seconds(3600)
        case .alert, .update: .seconds(7200)
        case .correction: .seconds(86_400)
        case .hold, .kill: .seconds(172_800)
        }
    }

    private func isPaused(_ event: SimEvent, in process: SimulatedProcess) -> Bool {
        let released = releases[process.id]?[event.id] ?? -1
        return [nil, event.source].contains { scope in
            guard let pauses = pauses[process.id]?[scope] else { return false }
            return pauses.isByPerson(after: released) || pauses.isByLimit(after: released) && event.kind != .kill
        }
    }

    private var isAnyPaused: Bool {
        pauses.values.contains { $0.values.contains { $0.isByPerson() || $0.isByLimit() } }
    }

    /// Checks the number of requests at risk: in flight, or accepted, and not in a confirmed record of the ledger.
    private func checkRisk(of process: SimulatedProcess) {
        var list = open[process.id] ?? []
        list.removeAll { state in
            if state.isRecorded || state.hasLeft || state.isCancelled { return true }
            // If another worker owns the partition now, the request cannot be recorded any more.
            if losses[process.id]?[state.partition]?.contains(where: { $0 >= state.begunAt }) == true { return true }
            guard let reply = state.reply else { return false }
            return reply != .accepted
        }
        open[process.id] = list
        let limit = fleet.scenario.settings.exposureTotal
        guard list.count > limit else { return }
        // If the ledger of a partition confirms nothing for half a second, its unconfirmed requests count separately,
        // up to the same bound.
        let isLedgerSlow =
            fleet.broker.weather(of: .ledger) != .fair || fleet.broker.hasMisreported(.ledger)
            || list.contains { state in
                (state.acceptedAt ?? state.answeredAt).map { fleet.now - $0 >= .milliseconds(500) } ?? false
            }
        if isLedgerSlow { slowLedgers.insert(process.id) }
        guard !isLedgerSlow || list.count > 2 * limit else { return }
        let names = list.map { "\($0.request.content?.event ?? "probe") at \($0.request.hub)" }
        violate(
            .atRiskBound,
            "\(list.count) requests of \(process.name) are at risk, \(limit) may be: \(names.joined(separator: ", "))"
        )
    }

    func accepted(_ state: RequestState) {
        guard let content = state.request.content, let record = acts[content.act] else { return }
        for unit in state.request.units { accepted(unit, content, record, state) }
    }

    private func accepted(
        _ unit: String,
        _ content: SimRequest.Content,
        _ record: SimSourceRecord,
        _ state: RequestState
    ) {
        let earlier = logs[content.story]?.accepted[unit] ?? []
        let isKill = content.kind == "kill"
        let repeated = earlier.filter { $0.act == content.act }
        for other in repeated { checkDuplicate(state, of: other, counts: other.state === repeated.last?.state) }
        checkUnanswered(state, after: repeated)
        if !isKill {
            var kill = earlier.first { $0.kind == "kill" }
            if kill == nil, let first = logs[content.story]?.firstKill, first.time < state.begunAt { kill = first }
            if let kill, isKnown(kill.state) {
                violate(
                    .nothingAfterWithdrawal,
                    "\(unit) gets \(content.kind) \(content.event) of story \(content.story) after kill \(kill.act)"
                )
            }
            // No later owner can know a request that is not in the ledger because of a crash.
            if let newer = earlier.first(where: {
                $0.kind != "kill" && $0.act != content.act && $0.revision > content.revision
                    && isKnown($0.state)
            }) {
                violate(
                    .order,
                    "\(unit) gets \(content.event) rev \(content.revision) after \(newer.act) rev \(newer.revision)"
                )
            }
        }
        if isKill || content.kind == "correction" { checkAddressee(unit, content, record) }
        let acceptance = Acceptance(
            unit: unit,
            act: content.act,
            kind: content.kind,
            revision: content.revision,
            offset: record.offset,
            state: state,
            time: fleet.now
        )
        logs[content.story, default: StoryLog()].accepted[unit, default: []].append(acceptance)
        logs[content.story]?.acceptedCount += 1
        if isKill, logs[content.story]?.firstKill == nil { logs[content.story]?.firstKill = acceptance }
    }

    private func checkAddressee(_ unit: String, _ content: SimRequest.Content, _ record: SimSourceRecord) {
        guard !named(by: record.event).contains(unit) else { return }
        if logs[content.story]?.attempts[unit]?.contains(where: { $0 != content.act }) == true { return }
        // An event that superseded unfinished events is sent to their remaining audiences as well.
        let isOwed = (stories[content.story] ?? []).contains { other in
            named(by: other.event).contains(unit)
        }
        if !isOwed { violate(.addressees, "\(unit) gets \(content.kind) \(content.event), and is not concerned") }
    }

    /// The audiences that an event itself names, under any mapping so far at any hub so far. Workers adopt a mapping at
    /// once, and other hubs with their next start.
    private func named(by event: SimEvent) -> Set<String> {
        // An event may come again under its own id with other categories.
        let key = "\(event.act) \(event.revision) \(event.categories)"
        if let known = namedUnits[key], known.mappings == routings.count { return known.units }
        let hubs = Set(routings.flatMap(\.hubs)).sorted()
        let units = Set(
            routings.flatMap { routing in
                var routing = routing
                routing.hubs = hubs
                return routing.units(of: event, testHub: SimulatedPlanner.testHub)
            }
        )
        namedUnits[key] = (routings.count, units)
        return units
    }

    // MARK: - Topics

    func ended(_ outcome: SimOutcome, by process: SimulatedProcess) {
        guard outcome.isFinal else { return }
        fleet.log(
            "outcome of \(outcome.kind) \(outcome.event) (\(outcome.partition)/\(outcome.offset)): \(outcome.name)"
        )
        let place = Place(partition: outcome.partition, offset: outcome.offset)
        if finals[place] == nil { finals[place] = outcome }
        if outcome.goesOn {
            deniedKills[place] = nil
            continuations[place] = outcome
            return checkTruth(of: outcome, place)
        }
        finalCounts[place, default: [:]][outcome.name, default: 0] += 1
        let names = finalCounts[place] ?? [:]
        // A worker that has lost a partition may not know it yet.
        if fleet.group.owner(of: outcome.partition) !== process, losses[process.id]?[outcome.partition] != nil {
            disputed.insert(place)
        }
        if names.count > 1, !disputed.contains(place) {
            violate(
                .oneEnd,
                "\(outcome.event) at \(place.partition)/\(place.offset) ends as \(names.keys.sorted().joined(separator: " and "))"
            )
        } else if names[outcome.name] ?? 0 > 1, !mayRepeat(outcome), !disputed.contains(place) {
            violate(.noRepeatedEnd, "\(outcome.event) ends as \(outcome.name) again")
        }
        checkTruth(of: outcome, place)
    }

    private func mayRepeat(_ outcome: SimOutcome) -> Bool {
        !crashes.isEmpty || !losses.isEmpty || fleet.broker.hasMisreported(.outcomes)
            || departures.values.contains { $0.values.contains { $0.contains { !$0.isDrained } } }
    }

    private func checkTruth(of outcome: SimOutcome, _ place: Place) {
        let record = records.first { $0.partition == outcome.partition && $0.offset == outcome.offset }
        guard let event = record?.event, event.fault == nil else { return }
        let key = Self.key(of: event)
        let own = logs[key]?.accepted(of: event.act) ?? []
        guard outcome.isSent else {
            // A later repeat may have been sent.
            let repeated = records.first { $0.event.act == event.act && $0.offset > outcome.offset }?.appendedAt
            let certain = own.contains { acceptance in
                let state = acceptance.state
                return state.reply == .accepted && disturbance(of: state) == nil && !leftUnfinished(state)
                    && repeated.map { state.begunAt < $0 } ?? true
            }
            // The priority scan may find the second record of an act first.
            let isRepeat =
                acts[event.act]?.offset != outcome.offset
                || outcome.verdict == "duplicate" && finals.values.contains { $0.isSent && $0.event == outcome.event }
            if certain, !isRepeat, !disputed.contains(place), continuations[place] == nil {
                let denial = "\(outcome.kind) \(outcome.event) ends as \(outcome.name), and was accepted"
                if event.kind == .kill { deniedKills[place] = denial } else { violate(.truthfulUnsent, denial) }
            }
            return
        }
        guard !own.isEmpty else {
            return violate(
                .truthfulSent,
                "\(outcome.kind) \(outcome.event) ends as \(outcome.verdict), and no hub accepted it"
            )
        }
        guard !outcome.isRepeated else { return }
        let units = Set(own.map(\.unit))
        let claimed = outcome.requests.filter(\.isAccepted).flatMap(\.units)
        if let missing = claimed.first(where: { !units.contains($0) }) {
            violate(.truthfulSent, "\(outcome.kind) \(outcome.event) says that \(missing) accepted it, which is not so")
        }
        guard outcome.verdict == "sent", routings.count == 1, [.flash, .alert, .update].contains(event.kind) else {
            return
        }
        let planned = fleet.routing.units(of: event, testHub: SimulatedPlanner.testHub)
        if let missing = planned.first(where: { !units.contains($0) }) {
            violate(.truthfulSent, "\(outcome.kind) \(outcome.event) ends as sent, and \(missing) did not get it")
        }
    }

    func committed(_ offset: Int64, of partition: Int) {
        let start = committedOffsets[partition] ?? 0
        guard offset > start else { return }
        committedOffsets[partition] = offset
        let waiting = waitingOffsets(of: partition, start..<offset)
        for place in start..<offset
        where finals[Place(partition: partition, offset: place)] == nil && waiting[place] == nil {
            let record = fleet.broker.source[partition][Int(place)]
            if isOverwritten(record) { continue }
            violate(.commitAfterEnd, "\(record.event.id) has neither outcome nor ledger entry and is committed")
        }
    }

    /// Whether the latest record of the latest owner contains a waiting event, and a late writer's record follows it.
    /// The owner merges both.
    private func isOverwritten(_ record: SimSourceRecord) -> Bool {
        var latest = SimLedgerFacts(term: .min)
        for line in fleet.broker.ledger[record.partition] where line.key == Self.key(of: record.event) {
            let facts = line.facts()
            if facts.term >= latest.term { latest = facts }
        }
        return latest.waiting[record.offset] != nil
    }

    /// The waiting events in the latest ledger records, by offset, with their causes.
    func waitingOffsets(of partition: Int, _ range: Range<Int64>? = nil) -> [Int64: String] {
        if let range, range.allSatisfy({ finals[Place(partition: partition, offset: $0)] != nil }) { return [:] }
        var waiting: [Int64: String] = [:]
        for (key, offset) in fleet.broker.latestLines[partition] {
            if waitingEvents[key]?.offset != offset {
                waitingEvents[key] = (offset, fleet.broker.ledger[partition][Int(offset)].facts().waiting)
            }
            waiting.merge(waitingEvents[key]?.events ?? [:]) { first, _ in first }
        }
        return waiting
    }

    // MARK: - Disturbances

    func crashed(_ process: SimulatedProcess) { crashes[process.id] = fleet.now }

    func lost(_ partitions: [Int], by process: SimulatedProcess) {
        for partition in partitions { losses[process.id, default: [:]][partition, default: []].append(fleet.now) }
    }

    func leaving(_ partitions: [Int], of process: SimulatedProcess) {
        leavingPartitions[process.id, default: []].formUnion(partitions)
    }

    func left(_ partitions: [Int], of process: SimulatedProcess, isDrained: Bool) {
        for partition in partitions {
            leavingPartitions[process.id]?.remove(partition)
            departures[process.id, default: [:]][partition, default: []].append((fleet.now, isDrained))
        }
        for state in open[process.id] ?? [] where partitions.contains(state.partition) { state.hasLeft = true }
    }

    /// Records that a partition was assigned.
    func assigned(_ partition: Int, to process: SimulatedProcess) {
        leavingPartitions[process.id]?.remove(partition)
        for state in open[process.id] ?? [] where state.partition == partition { state.hasLeft = true }
    }

    func ordered(_ order: SimOrder, at offset: Int64, to process: SimulatedProcess) {
        guard let event = order.event else {
            pauses[process.id, default: [:]][order.source, default: Pauses()].apply(order, at: offset)
            return
        }
        releases[process.id, default: [:]][event.id] = max(offset, releases[process.id]?[event.id] ?? -1)
    }
}

/// The last commands on one scope that a worker has read. Their order in the topic counts, not that of arrival.
private struct Pauses {
    private var lastOfPersons: (offset: Int64, isPause: Bool) = (-1, false)
    private var lastOfLimits: (offset: Int64, isPause: Bool) = (-1, false)

    /// Whether a person pauses an event that was released by itself at an offset.
    func isByPerson(after offset: Int64 = -1) -> Bool { lastOfPersons.isPause && lastOfPersons.offset > offset }
    /// Whether a volume limit does. A person's resume command ends its pause.
    func isByLimit(after offset: Int64 = -1) -> Bool {
        lastOfLimits.isPause && lastOfLimits.offset > max(lastOfPersons.offset, offset)
    }

    mutating func apply(_ order: SimOrder, at offset: Int64) {
        let place = order.isAutomatic ? \Pauses.lastOfLimits : \Pauses.lastOfPersons
        if offset > self[keyPath: place].offset { self[keyPath: place] = (offset, order.isPause) }
    }
}
