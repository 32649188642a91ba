package import NewsEvents
package import Timestamps

/// What a decision on an event was made of, so that others can see what other rules would have made of it.
package struct DecisionSample: Sendable {
    package let event: NewsEvent
    package let digest: ContentDigest
    /// What the gate knew of its story, events under way included; `nil` for a story not seen.
    package let seen: StoryFacts?
    /// What the ledger knows of its story, with the words that readers were told where they are at hand.
    package let story: StoryFacts
    package let consumedAt: Timestamp
    package let now: Timestamp
}

extension RuleSet {
    /// Which requests these rules would make of an event, without what only the worker's own counts decide: caps and brakes
    /// are not looked at. What would wait for names or for its readers to wake counts as not sent, what waits for its
    /// embargo as sent at its end.
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

    private func plan(_ sample: DecisionSample, _ loudness: Loudness, at now: Timestamp) -> [PlannedSend] {
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
