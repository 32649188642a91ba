import Timestamps

extension Event {
    /// The requests of an event of a new story, worked out before its turn.
    struct Draft {
        let plan: EventPlan
        let madeAt: Timestamp

        /// How long it holds. What the present has a part in, as how long a message lives, is told in seconds.
        static let life = Duration.milliseconds(200)
    }

    /// Whether the requests follow from the event alone, and are not worked out.
    fileprivate var mayBeDrafted: Bool {
        draft == nil && !isPlanned && phase == .queued && !story.record.isKnown && story.text.isEmpty
    }

    fileprivate func makeDraft(now: Timestamp) {
        let deadline = rules.gate.deadline(of: news)
        draft = Draft(
            plan: rules.planner.plan(news, story: nil, deadline: deadline, loudness: .usual, now: now),
            madeAt: now
        )
    }
}

extension PublishingCore {
    /// How many events of a lane have a draft at most: as many as answers that may come at once.
    private static let draftedLength = 64
    /// How many are drafted in a row: a tenth of a millisecond, for which a flash may have to wait.
    private static let draftsInARow = 4

    /// Works out requests of events that are about to have their turn, while there is nothing else to do: each answer of a
    /// hub then lets the next request go at once. Decides nothing: what may have changed is looked at when the turn comes.
    ///
    /// - Parameter now: The present.
    /// - Returns: Whether there was something to work out, and may be more.
    package func draftAhead(now: Moment) -> Bool {
        var left = Self.draftsInARow
        // What looks for them has the table alone: with the whole machine it would copy all of it.
        let events = events
        for desk in desks.indices where desks[desk].governor.hold == nil && desks[desk].governor.pausedUntil == nil {
            for lane in [Lane.express, .normal] where desks[desk].lanes.count(in: lane) > 0 {
                desks[desk].lanes.look(in: lane, atMost: Self.draftedLength) { job in
                    if job.target == nil, let event = events[job.event], event.mayBeDrafted {
                        event.makeDraft(now: now.wall)
                        left -= 1
                    }
                    return left > 0
                }
                guard left > 0 else { return true }
            }
        }
        return left < Self.draftsInARow
    }

    /// Takes the plan that was drafted of an event.
    ///
    /// - Parameters:
    ///   - event: Whose turn has come.
    ///   - story: What is known of its story.
    ///   - now: The present.
    /// - Returns: `nil` where there is none, or none that still holds.
    func takeDraft(of event: Event, story: StoryRecord?, now: Moment) -> EventPlan? {
        guard let draft = event.draft else { return nil }
        event.draft = nil
        let age = now.wall - draft.madeAt
        return story == nil && age >= .zero && age < Event.Draft.life ? draft.plan : nil
    }
}
