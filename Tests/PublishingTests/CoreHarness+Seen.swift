import NewsflashPublishing
import NotificationHubs
import Testing

/// The reports and the requests of the core.
extension CoreHarness {
    /// Whether the partitions have no requests in flight and no unconfirmed records.
    func isDrained(_ partitions: [PartitionID]) -> Bool { core.isDrained(partitions) }

    /// Provisional outcomes, oldest first.
    var announced: [OutcomeRecord] {
        reports.compactMap { report in
            guard case .deferred(let outcome) = report else { return nil }
            return outcome
        }
    }

    /// Outcomes of the events that have ended, oldest first.
    var ended: [OutcomeRecord] {
        reports.compactMap { report in
            guard case .ended(let outcome) = report else { return nil }
            return outcome
        }
    }

    /// `event: outcome` or `event: reason`, for short expectations.
    var verdicts: [String] { ended.map { "\($0.event): \($0.verdict.reason ?? $0.verdict.outcome.rawValue)" } }

    /// The owner of the partition in the ledger.
    var owner: LedgerOwner? {
        get { owners.latest() }
        set {
            owners = LedgerOwners()
            if let newValue { owners.add(newValue, at: nextLedgerOffset) }
        }
    }

    var committed: Int64? { commits.last?[Self.partition] }

    /// Events whose requests are in flight, oldest first.
    var sending: [String] { sends.map { String(decoding: $0.message.body, as: UTF8.self) } }
}

extension CoreHarness {
    /// An orderly stop: another owner takes over the partition.
    mutating func handOver() {
        core.beginDraining([id], waitingUntil: now.instant, now: now)
        perform()
        confirmAll()
        _ = core.leave([id], now: now)
        own()
    }

    /// A crash of an owner that may have sent the written events without recording anything. Another owner takes over
    /// the partition.
    mutating func crashUnrecorded() {
        _ = core.leave([id], now: now)
        perform()
        rememberAll()
        owner?.hasLeft = false
        own()
    }

    /// A late record of an earlier owner, which notified subscribers of another act.
    mutating func lateRecord(_ facts: StoryFacts?, of story: String, _ act: AudienceFact.Act) {
        guard var facts else {
            Issue.record("the ledger has no facts of the story")
            return
        }
        facts.term = -1
        for index in facts.audiences.indices { facts.audiences[index].act = act }
        core.overwritten(by: LateRecord(story: story, facts), in: id, now: now)
        perform()
    }
}
