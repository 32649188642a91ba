import NewsEvents
import NotificationHubs
import Timestamps

extension PublishingCore {
    /// Lets requests go, best lane first, as long as the governor allows.
    mutating func pump(_ now: Timestamp) {
        while let lane = nextLane() {
            let permission = governor.permission(for: lane, now: now)
            guard permission != .wait else { return }
            guard let job = queue.popFirst(in: lane), works[job.record]?.cancelled == nil,
                var work = takeForChange(job.record)
            else { continue }
            if let verdict = gate.expiry(work.event, now: now) {
                work.cancelled = verdict
                works[work.record] = work
                if !work.hasRequestInFlight { conclude(work, now: now) }
                continue
            }
            if !work.isPlanned {
                guard plan(&work, now: now) else { continue }
                for target in work.targets.indices.dropFirst().reversed() {
                    queue.prepend(Job(record: work.record, target: target), to: lane)
                }
            }
            let target = job.target ?? 0
            if work.targets[target].phase == .ready {
                start(&work, target: target, from: lane, permission: permission, now: now)
            }
            works[work.record] = work
        }
    }

    /// Takes a work to change its targets, which are not copied for that; to be put back before anyone else looks.
    mutating func takeForChange(_ record: RecordID) -> Work? {
        guard let index = works.index(forKey: record) else { return nil }
        let work = works.values[index]
        works.values[index].targets = []
        return work
    }

    /// Express whenever something waits there; of the others the retries get one turn in four, so that a steady stream of
    /// news cannot keep them waiting until they expire.
    private func nextLane() -> Lane? {
        guard let best = queue.bestLane, best == .normal, queue.count(in: .retry) > 0 else { return queue.bestLane }
        return normalTurns < 3 ? .normal : .retry
    }

    /// Plans an event whose turn has come.
    ///
    /// - Returns: Whether there is something to send; else the event has ended.
    private mutating func plan(_ work: inout Work, now: Timestamp) -> Bool {
        let story = memory[work.event.story]
        if let verdict = gate.silence(on: work.event, state: story) {
            end(work, verdict, stage: .gate, now: now)
            return false
        }
        switch planner.plan(work.event, story: story) {
        case .end(let verdict, let stage):
            end(work, verdict, stage: stage, now: now)
            return false
        case .send(let sends, let warnings):
            work.targets = sends.map(TargetProgress.init)
            work.planWarnings = warnings
            work.isPlanned = true
            guard !sends.isEmpty else {
                end(work, EventVerdict(.invalid, InvalidReason.unmapped.rawValue), stage: .map, now: now)
                return false
            }
            return true
        }
    }

    private mutating func start(
        _ work: inout Work,
        target: Int,
        from lane: Lane,
        permission: Governor.Permission,
        now: Timestamp
    ) {
        normalTurns = lane == .normal ? normalTurns + 1 : lane == .retry ? 0 : normalTurns
        if permission == .probe { actions.append(.reloadCredentials) }
        let id = SendID(nextNumber())
        governor.began(permission)
        flights[id] = Flight(record: work.record, target: target, permission: permission)
        work.targets[target].phase = .inFlight
        work.targets[target].record.attempts += 1
        if work.firstSendAt == nil { work.firstSendAt = now }
        let send = work.targets[target].send
        actions.append(.send(SendOrder(id: id, message: send.message, expression: send.expression)))
    }

    /// Brings a target that waited back to its lane.
    mutating func requeue(_ record: RecordID, target: Int) {
        guard var work = works[record], work.targets[target].phase == .waiting else { return }
        work.targets[target].phase = .ready
        works[record] = work
        queue.append(Job(record: record, target: target), to: work.lane == .express ? .express : .retry)
    }
}
