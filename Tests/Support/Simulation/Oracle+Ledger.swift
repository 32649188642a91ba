import NewsflashTimestamps

/// Checks which requests the ledger contains.
extension Oracle {
    /// Records that writes of a process were confirmed.
    func confirmed(_ writes: [SimWrite], of process: SimulatedProcess) {
        for write in writes {
            guard case .ledger(let line) = write.content, line.value != nil else { continue }
            // A request in flight is recorded as accepted only after its answer.
            let unrecorded = (open[process.id] ?? []).filter {
                !$0.isRecorded && $0.reply == .accepted && $0.request.content?.story == line.key
            }
            guard !unrecorded.isEmpty else { continue }
            let audiences = line.facts().audiences.filter(\.isCertain)
            var recorded: [UInt64: Set<String>] = [:]
            for state in unrecorded {
                guard let content = state.request.content else { continue }
                if recorded[content.actNumber] == nil {
                    // A request that a later act of the story has replaced is recorded with that act.
                    recorded[content.actNumber] = units(in: audiences, after: content)
                }
                let isRecorded = recorded[content.actNumber]?.isSuperset(of: state.request.units) ?? false
                if isRecorded { state.recordedAt = fleet.now }
            }
        }
    }

    /// Whether a fact of the same story belongs to later news. A correction may have the revision of the corrected
    /// event.
    private func isFollowed(_ content: SimRequest.Content, by fact: SimLedgerFacts.Audience) -> Bool {
        guard fact.revision == content.revision else { return fact.revision > content.revision }
        let places = (offsetsOfActs[content.actNumber], offsetsOfActs[fact.actNumber])
        guard case (let offset?, let next?) = places else { return false }
        return next > offset
    }

    /// The time for which a request may be in flight before the ledger contains it.
    private static let unrecordedBound = Duration.seconds(2)

    /// Expects that the ledger soon contains a request in flight as possibly accepted. Otherwise it is unknown after a
    /// crash.
    func expectRecord(of state: RequestState, _ content: SimRequest.Content) {
        let process = state.process
        guard state.beganAsOwner else { return }
        fleet.schedule(after: Self.unrecordedBound) { [unowned self] in
            guard state.isInFlight, !state.hasLeft, process.isWorking(on: state.partition),
                process.heldAt.map({ $0 < state.begunAt }) ?? true, fleet.group.owner(of: state.partition) === process,
                leavingPartitions[process.id]?.contains(state.partition) != true,
                fleet.broker.wasFair(.ledger, since: state.begunAt)
            else { return }
            let offset = fleet.broker.latestLines[state.partition][content.story]
            let line = offset.map { fleet.broker.ledger[state.partition][Int($0)] }
            // A late writer's record is read and merged soon.
            if let line, line.writer != process.id { return }
            let recorded = units(in: line?.facts().audiences ?? [], after: content)
            guard let missing = state.request.units.first(where: { !recorded.contains($0) }) else { return }
            violate(.recordInFlight, "\(content.event) is in flight to \(missing), and not in the ledger")
        }
    }

    /// The audiences of facts about an act, or about later news or a withdrawal of the same story.
    private func units(in facts: [SimLedgerFacts.Audience], after content: SimRequest.Content) -> Set<String> {
        let matching = facts.filter { fact in
            fact.isWithdrawal || fact.actNumber == content.actNumber
                || content.kind != "kill" && isFollowed(content, by: fact)
        }
        return Set(matching.map(\.unit))
    }
}
