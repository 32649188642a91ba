import Locks
import NewsEvents
import Publishing
import Timestamps

/// The worker's planner, which keeps what it planned last for each event until somebody asks.
final class RehearsalPlanner: EventPlanning {
    /// Names an event and its revision.
    private struct Name: Hashable {
        var id: String
        var source: String
        var story: String
        var revision: Int64
    }

    private struct Note {
        var event: NewsEvent
        var story: StoryFacts?
        var loudness: Loudness
        var sends: [PlannedSend]
    }

    private let planner: any EventPlanning
    private let news: NewsSettings
    private let notes = Locked<[Name: Note]>([:])

    init(_ planner: any EventPlanning, news: NewsSettings) {
        self.planner = planner
        self.news = news
    }

    func plan(
        _ event: NewsEvent,
        for addressees: Addressees,
        story: StoryFacts?,
        deadline: Timestamp,
        loudness: Loudness,
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
            let name = Name(id: event.id, source: event.source, story: event.story, revision: event.revision)
            let note = Note(event: event, story: story, loudness: loudness, sends: sends)
            notes.withLock { $0[name] = note }
        }
        return plan
    }

    /// What was planned for the event of an outcome.
    func takeTelling(of outcome: OutcomeRecord) -> Telling? {
        guard let source = outcome.source else { return nil }
        let name = Name(id: outcome.event, source: source, story: outcome.story, revision: outcome.revision)
        return notes.withLock { $0.removeValue(forKey: name) }.map { note in
            Telling(note.event, story: note.story, loudness: note.loudness, sends: note.sends, by: news)
        }
    }
}
