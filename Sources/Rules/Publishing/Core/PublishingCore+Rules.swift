extension PublishingCore {
    /// Puts other rules into force for events that are admitted from now on. Events in progress end by the rules that they
    /// began with. Counts of caps and volume limits are kept if the new rules count the same.
    ///
    /// - Parameter rules: The new rules.
    package mutating func adopt(_ rules: RuleSet) {
        tally = tally.following(rules.gate.policy)
        self.rules = rules
    }

    /// Whether the inputs of decisions are kept, so that other rules can be tried on them.
    package var keepsSamples: Bool {
        get { samples != nil }
        set { samples = newValue ? samples ?? [] : nil }
    }

    /// Dequeues the inputs of decisions since the last call.
    package mutating func dequeueSamples() -> [DecisionSample] {
        guard let dequeued = samples, !dequeued.isEmpty else { return [] }
        samples = []
        return dequeued
    }

    /// Keeps the inputs of a decision. Not inlined, because samples are rarely requested.
    @inline(never)
    mutating func sample(_ event: Event, seen: StoryFacts?, now: Moment) {
        guard event.rejected == nil else { return }
        var story = event.story.facts
        if !event.story.text.isEmpty { story.text = event.story.text }
        samples?.append(
            DecisionSample(
                event: event.news,
                digest: event.digest,
                seen: seen,
                story: story,
                consumedAt: event.consumedAt,
                now: now.wall
            )
        )
    }
}
