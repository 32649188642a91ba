import NewsflashPublishing
import NewsflashTimestamps

/// Second notifications, and the disturbances that explain them.
extension Oracle {
    /// Checks that a request which a hub accepted again has a disturbance that explains it.
    func checkDuplicate(_ state: RequestState, of other: Acceptance, counts: Bool) {
        let first = other.state
        let detail = "\(other.unit) gets \(other.act) again, first accepted at \(Trace.clock(first.wallAtBegin))"
        if first.isRecorded, !isDisputed(first, state) { return violate(.noDuplicate, detail + " and in the ledger") }
        if let reply = first.reply, reply != .accepted { return }
        // Either the first request was given up when its partition was revoked, or a withdrawal without an answer is
        // repeated.
        let isAnswered = first.reply != nil
        if let name = disturbance(of: first) ?? (isAnswered ? disputes(first, state) : nil) {
            guard counts else { return }
            secondsOfDisturbance[name, default: []].insert(first.number)
            let count = secondsOfDisturbance[name]?.count ?? 0
            let limit = fleet.scenario.settings.exposureTotal
            if count > (slowLedgers.contains(first.process.id) ? 2 * limit : limit) {
                violate(.crashBound, "\(name) causes \(count) second notifications")
            }
            return
        }
        if !isAnswered { return }
        violate(.noDuplicate, detail + " and answered")
    }

    /// Checks that a request which hubs accept without an answer, again and again, is given up after some attempts, also if
    /// its event waits in the ledger in between. An event that is published again has attempts of its own. Withdrawals are
    /// repeated more often.
    func checkUnanswered(_ state: RequestState, after repeated: [Acceptance]) {
        guard state.request.content?.kind != "kill", let last = repeated.last else { return }
        let unanswered = repeated.filter { other in
            other.state.request.sourceOffset == state.request.sourceOffset && other.state.reply == .unknown
                && disturbance(of: other.state) == nil
        }
        guard unanswered.count >= AttemptLimits().unknown else { return }
        violate(
            .noDuplicate,
            "\(last.unit) gets \(last.act) again, after \(unanswered.count) attempts without an answer"
        )
    }

    /// Whether two workers considered themselves the owner: one of two requests began, or the first was recorded, after
    /// its worker had lost the partition; or news of the story was in flight after the first withdrawal.
    private func isDisputed(_ first: RequestState, _ second: RequestState) -> Bool { disputes(first, second) != nil }

    private func disputes(_ first: RequestState, _ second: RequestState) -> String? {
        for state in [first, second] where !state.beganAsOwner {
            return "the loss of partitions of \(state.process.name)"
        }
        if wasRecordedLate(first) { return disturbance(of: first) }
        guard let content = first.request.content, content.kind == "kill" else { return nil }
        // A late record has a time from before the clock was set back. The withdrawal is repeated rather than not sent
        // at all.
        if fleet.hasJumped, !losses.isEmpty || !crashes.isEmpty { return "a late record and a clock that was set" }
        let isLate = requests.contains { other in
            other.request.content?.story == content.story && other.request.content?.kind != "kill"
                && other.process !== first.process && other.answeredAt.map { $0 > first.begunAt } ?? true
        }
        return isLate ? "news in flight after withdrawals" : nil
    }

    /// Whether the write was in progress when the worker lost the partition or gave it up. The next owner may have read
    /// the ledger before it.
    private func wasRecordedLate(_ state: RequestState) -> Bool {
        let lost = (losses[state.process.id]?[state.partition] ?? []) + unfinishedDepartures(of: state)
        return state.recordedAt.map { at in lost.contains { $0 <= at && $0 >= state.begunAt } } ?? false
    }

    /// Whether every later owner must know an accepted request.
    func isKnown(_ state: RequestState) -> Bool {
        if state.isRecorded, !wasRecordedLate(state) { return true }
        return disturbance(of: state) == nil
    }

    /// The first crash, loss or unfinished revocation of a request's worker after the request began; `nil` if its
    /// partition was revoked in order before.
    func disturbance(of state: RequestState) -> String? {
        let worker = state.process
        if !state.beganAsOwner { return "the loss of partitions of \(worker.name)" }
        var ends: [(time: Instant, name: String?)] = []
        if let crash = crashes[worker.id] { ends.append((crash, "the crash of \(worker.name) in life \(worker.id)")) }
        for loss in losses[worker.id]?[state.partition] ?? [] {
            ends.append((loss, "the loss of partitions of \(worker.name) at \(loss.nanoseconds)"))
        }
        for departure in departures[worker.id]?[state.partition] ?? [] {
            let name = "the unfinished departure of \(worker.name) at \(departure.time.nanoseconds)"
            ends.append((departure.time, departure.isDrained ? nil : name))
        }
        return ends.filter { $0.time >= state.begunAt }.min { $0.time < $1.time }?.name
    }

    /// The times when its partition was revoked although not all was finished.
    private func unfinishedDepartures(of state: RequestState) -> [Instant] {
        (departures[state.process.id]?[state.partition] ?? []).filter { !$0.isDrained }.map(\.time)
    }

    /// Whether its partition was revoked before a worker could have recorded its answer.
    func leftUnfinished(_ state: RequestState) -> Bool {
        guard let answered = state.answeredAt else { return true }
        return unfinishedDepartures(of: state).contains { $0 >= answered }
    }
}
