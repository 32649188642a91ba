import NewsflashBasics
import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps

/// The worker's planner, which keeps the plans of each event until the event ends.
final class RehearsalPlanner: EventPlanning {
    /// An event and the facts and rules of its latest plan.
    struct Note {
        var event: NewsEvent
        var story: StoryFacts?
        var loudness: Audibility
        /// The requests of all its plans, because one of an earlier plan may be in flight.
        var sends: [PlannedSend]
    }

    /// Identifies an act of a story.
    private struct Name: Hashable {
        var act: UInt64
        var story: String
        var revision: Int64

        init(_ event: NewsEvent) {
            act = event.act
            story = event.story
            revision = event.revision
        }
    }

    private let planner: any EventPlanning
    private let notes = Locked<[Name: Note]>([:])

    init(_ planner: any EventPlanning) {
        self.planner = planner
    }

    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Audibility,
        now: Timestamp
    ) -> EventPlan {
        let plan = planner.plan(
            event,
            for: addressees,
            story: story,
            deadline: deadline,
            loudness: loudness,
            now: now
        )
        if case .send(let sends, warnings: _) = plan {
            notes.withLock { notes in
                // The core may ask again for the audience that an event would have had if nobody had been notified.
                let earlier = notes[Name(event)]
                notes[Name(event)] = Note(
                    event: event,
                    story: story ?? earlier?.story,
                    loudness: loudness,
                    sends: (earlier?.sends ?? []) + sends
                )
            }
        }
        return plan
    }

    /// Returns the planned request for a send request of the core; `nil` if none of the event's plans contains it.
    func planned(_ order: SendRequest, to hub: String, of event: NewsEvent) -> PlannedSend? {
        notes.withLock { $0[Name(event)] }?.sends.last { send in
            send.hub == hub && send.expression == order.expression && send.message == order.message
        }
    }

    /// Returns and removes the plans of an ended event.
    func removeNote(of event: NewsEvent) -> Note? {
        notes.withLock { $0.removeValue(forKey: Name(event)) }
    }
}
