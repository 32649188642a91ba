extension PublishingCore {
    /// Puts other rules into force, for events that are admitted from now on: those under way end by the rules that they
    /// began with. What caps and brakes have counted goes on to count where they ask for the same.
    ///
    /// - Parameter rules: The newsroom's rules.
    package mutating func adopt(_ rules: RuleSet) {
        tally = tally.following(rules.gate.policy)
        self.rules = rules
    }

    /// Whether what decisions are made of is kept for somebody who tries other rules beside these.
    package var keepsSamples: Bool {
        get { samples != nil }
        set { samples = newValue ? samples ?? [] : nil }
    }

    /// Takes what decisions were made of since the last time.
    package mutating func takeSamples() -> [DecisionSample] {
        guard let taken = samples, !taken.isEmpty else { return [] }
        samples = []
        return taken
    }

    /// Keeps what a decision is made of. Kept out of line, as hardly ever somebody asks for it.
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
