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

    /// Returns the inputs of decisions since the last call.
    package mutating func takeSamples() -> [DecisionSample] {
        guard let taken = samples, !taken.isEmpty else { return [] }
        samples = []
        return taken
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
