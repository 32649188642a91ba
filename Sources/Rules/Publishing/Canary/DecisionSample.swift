package import NewsflashEvents
package import NewsflashTimestamps

/// The inputs of a decision on an event, to find out how other rules would decide.
package struct DecisionSample: Sendable {
    package let event: NewsEvent
    package let digest: ContentDigest
    /// The facts of its story for the admission rules, including events in progress; `nil` for an unknown story.
    package let seen: StoryFacts?
    /// The facts of its story, with the text that subscribers received if it was in memory.
    package let story: StoryFacts
    package let consumedAt: Timestamp
    package let now: Timestamp
}

extension RuleSet {
    /// The requests that these rules would plan for the event of a sample. Caps and volume limits are ignored, because they
    /// depend on the worker's own counts. An event that would wait for approvals or quiet hours counts as not sent; one that
    /// waits for its embargo counts as sent at its end.
    package func requests(for sample: DecisionSample) -> [OutcomeRecord.Request] {
        let event = sample.event
        guard case .admit = gate.decide(event, story: sample.seen, digest: sample.digest, now: sample.now) else {
            return []
        }
        if case .approval = gate.wait(on: event, since: sample.consumedAt, now: sample.now) { return [] }
        let turn = Swift.max(sample.now, event.embargo ?? sample.now)
        let usual = plan(sample, .usual, at: turn)
        guard event.mode == .live, gate.policy.quiet != nil else { return usual.map(OutcomeRecord.Request.init) }
        let rests = gate.rests(of: usual, for: event, deadline: gate.deadline(of: event), now: turn)
        let silent = rests.contains(.silent) ? plan(sample, .silent, at: turn) : []
        return usual.indices.compactMap { index in
            switch rests[index] {
            case .awake: OutcomeRecord.Request(usual[index])
            case .silent: OutcomeRecord.Request(silent.count == usual.count ? silent[index] : usual[index])
            case .until: nil
            }
        }
    }

    private func plan(_ sample: DecisionSample, _ loudness: Audibility, at now: Timestamp) -> [PlannedSend] {
        let facts = sample.story.isKnown ? sample.story : nil
        let addressees = Addressees(of: sample.event, facts: facts)
        if case .nobody = addressees { return [] }
        let plan = planner.plan(
            sample.event,
            for: addressees,
            story: facts,
            deadline: gate.deadlineOfDelivery(of: sample.event, now: now),
            loudness: loudness,
            now: now
        )
        guard case .send(let sends, _) = plan else { return [] }
        return sends
    }
}
