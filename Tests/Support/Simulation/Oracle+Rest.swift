import NewsflashTimestamps

extension Oracle {
    /// Whether every record has a final outcome and nothing is in flight.
    var isAllFinal: Bool {
        finals.count >= records.count && !requests.contains { $0.isInFlight }
            && fleet.broker.source.indices.allSatisfy { partition in
                (fleet.broker.committed[partition] ?? 0) == fleet.broker.source[partition].count
            }
    }

    /// Checks the promises that apply when the fleet is at rest.
    func rest() {
        var causes: [Place: String] = [:]
        for partition in fleet.broker.source.indices {
            for (offset, cause) in waitingOffsets(of: partition) {
                causes[Place(partition: partition, offset: offset)] = cause
            }
        }
        for record in records {
            let place = Place(partition: record.partition, offset: record.offset)
            guard finals[place] == nil else { continue }
            switch causes[place] {
            case nil:
                let isCommitted = record.offset < fleet.broker.committed[record.partition] ?? 0
                violate(
                    isCommitted ? .nothingLost : .nothingStuck,
                    "\(record.event.kind.rawValue) \(record.event.id) has no outcome and waits for nothing"
                )
            case "retry", "hub":
                violate(.nothingStuck, "\(record.event.id) waits for a hub though all hubs are well")
            case _?: break
            }
        }
        for (partition, log) in fleet.broker.source.enumerated()
        where fleet.broker.committed[partition] ?? 0 < log.count {
            violate(
                .nothingStuck,
                "partition \(partition) is committed to \(fleet.broker.committed[partition] ?? 0) of \(log.count)"
            )
        }
        if let state = requests.last(where: { $0.isInFlight }) {
            violate(.nothingStuck, "a request of \(state.process.name) to \(state.request.hub) has no answer")
        }
        for denial in deniedKills.values { violate(.truthfulUnsent, denial) }
        for (place, outcome) in finals where ["invalid", "failed"].contains(outcome.verdict) {
            // A kill that went on replaces what was not confirmed of its first end.
            guard continuations[place]?.isSent != true,
                !fleet.broker.deadLetters.contains(where: {
                    $0.partition == place.partition && $0.offset == place.offset
                })
            else { continue }
            violate(.deadLetter, "\(outcome.event) ends as \(outcome.name) without a dead letter")
        }
        for (story, list) in stories.sorted(by: { $0.key < $1.key }) {
            checkWithdrawal(of: story, list)
            checkInheritance(of: story, list)
        }
    }

    private func outcome(of record: SimSourceRecord) -> SimOutcome? {
        finals[Place(partition: record.partition, offset: record.offset)]
    }

    /// Checks that each audience that was notified before the last kill has a kill after it.
    private func checkWithdrawal(of story: String, _ list: [SimSourceRecord]) {
        let kills = list.filter { record in
            guard record.event.kind == .kill, let outcome = outcome(of: record) else { return false }
            return !["expired", "invalid", "shadow", "duplicate"].contains(outcome.verdict)
                || outcome.reason == "invalid.no_text"
        }
        guard let last = kills.last else { return }
        // The kill of another source that replaced it may wait for a person.
        let isWaiting = list.contains { $0.event.kind == .kill && outcome(of: $0) == nil }
        if isWaiting, outcome(of: last)?.reason == "superseded.killed" { return }
        for (unit, accepted) in (logs[story]?.accepted ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let news = accepted.last(where: { $0.kind != "kill" && $0.offset < last.offset }) else { continue }
            guard fleet.routing.hubs.contains(String(unit.prefix { $0 != "/" })) || story.hasPrefix("test:") else {
                continue
            }
            if accepted.contains(where: { $0.kind == "kill" && $0.time > news.time }) { continue }
            // The ledger never contained it, and the next owner cannot know the mapping with which it was sent.
            if routings.count > 1, !news.state.isRecorded, disturbance(of: news.state) != nil { continue }
            if hasGivenUp(unit, kills) { continue }
            let outcome = outcome(of: last)
            violate(
                .withdrawal,
                "\(unit) got \(news.act) and no withdrawal; kill \(last.event.id) ended as \(outcome?.name ?? "nothing")"
            )
        }
    }

    /// Whether the outcome of a kill names a failed audience, after attempts there or because its hub was not
    /// configured.
    private func hasGivenUp(_ unit: String, _ kills: [SimSourceRecord]) -> Bool {
        kills.contains { kill in
            let isRefused = requests.contains {
                $0.reply == .refused && $0.request.content?.act == kill.event.act && $0.request.units.contains(unit)
            }
            if isRefused { return true }
            guard let outcome = outcome(of: kill), outcome.verdict != "sent" else { return false }
            if outcome.reason?.hasSuffix(".hub_removed") == true { return true }
            let said = outcome.requests.filter { !$0.isAccepted && $0.units.contains(unit) }
            if said.contains(where: \.lacksHub) { return true }
            // An outcome that is repeated from the ledger names only the accepted requests.
            let isRepeatedFailure = outcome.isRepeated && ["failed", "partial"].contains(outcome.verdict)
            return (!said.isEmpty || isRepeatedFailure)
                && requests.contains { $0.request.content?.act == kill.event.act && $0.request.units.contains(unit) }
        }
    }

    /// Checks that a correction reaches the audiences that the superseded event had not reached yet.
    private func checkInheritance(of story: String, _ list: [SimSourceRecord]) {
        guard routings.count == 1, !list.contains(where: { [.kill, .hold].contains($0.event.kind) }) else { return }
        for record in list where record.event.kind == .correction && outcome(of: record)?.verdict == "sent" {
            guard
                let before = list.last(where: { earlier in
                    guard let outcome = outcome(of: earlier) else { return false }
                    return earlier.offset < record.offset && outcome.verdict == "partial"
                        && outcome.reason == "superseded.revision"
                }), before.event.revision < record.event.revision, before.event.kind != .correction
            else { continue }
            for unit in fleet.routing.units(of: before.event, testHub: SimulatedPlanner.testHub) {
                let isNotified = (logs[story]?.accepted[unit] ?? []).contains {
                    $0.act == before.event.act || $0.revision >= record.event.revision
                }
                let isRefused = requests.contains {
                    $0.reply == .refused && $0.request.content?.act == before.event.act
                        && $0.request.units.contains(unit)
                }
                if !isNotified, !isRefused {
                    violate(
                        .inheritedAudience,
                        "\(unit) got neither \(before.event.id) nor the correction \(record.event.id)"
                    )
                }
            }
        }
    }
}

/// A view of a finished run, for a scenario's own expectations.
package struct RunReport {
    private let oracle: Oracle

    init(_ oracle: Oracle) { self.oracle = oracle }

    /// The final outcome of an event, such as `sent` or `superseded.killed`; `nil` if it has no outcome.
    package func outcome(of id: String, _ kind: SimEvent.Kind) -> String? {
        oracle.records.first { $0.event.id == id && $0.event.kind == kind }.flatMap {
            oracle.finals[Oracle.Place(partition: $0.partition, offset: $0.offset)]?.name
        }
    }

    /// The audiences for which a hub accepted an event, once for each acceptance.
    package func accepted(_ id: String, _ kind: SimEvent.Kind) -> [String] {
        oracle.logs.values.flatMap { $0.accepted(of: "\(id)#\(kind.rawValue)") }.map(\.unit).sorted()
    }
}
