package import NewsflashEvents

/// The rule for kills: who must get a withdrawal, and when it ends without a request.
///
/// A kill is never stale and never superseded, and it is a duplicate only of itself. It goes to each audience that was, or may
/// have been, notified of the story and has no withdrawal yet.
package enum Withdrawal {
    /// Decides whether a kill is admitted when its record is read.
    ///
    /// - Parameters:
    ///   - event: A kill.
    ///   - facts: The facts of its story, events in progress included.
    /// - Returns: Its outcome, or `nil` if it is admitted.
    package static func refusal(of event: NewsEvent, facts: StoryFacts) -> EventVerdict? {
        guard facts.awaitingWithdrawal.isEmpty else { return nil }
        let isKnown = facts.isFinal && event.act == facts.latestAct || facts.earlier.contains(event.act)
        // Hubs accepted requests of this act, and it has not ended: a stop or a crash came between.
        if !isKnown, facts.audiences.contains(where: { $0.act.id == event.act }) { return nil }
        if let act = event.repeatedAct {
            return facts.earlier.contains(act) ? EventVerdict(.duplicate, "duplicate.replay") : nil
        }
        if isKnown { return EventVerdict(.duplicate, "duplicate.id") }
        guard facts.phase == .killed else { return nil }
        guard facts.wasNotified || !event.namesAudience else { return nil }
        return suppressed
    }

    /// The addressees of a kill, determined when its turn has come.
    ///
    /// - Parameters:
    ///   - event: The kill. The rule does not apply to other events.
    ///   - facts: The facts of its story; `nil` if the story is unknown.
    /// - Returns: The audiences to notify, or the outcome of a kill for nobody.
    package static func addressees(of event: NewsEvent, facts: StoryFacts?) -> Addressees {
        guard let facts else { return event.namesAudience ? .categories : .nobody(unknownStory) }
        // A kill that began with its own categories goes on with them after a stop.
        if facts.hasOnlyOwn(event) { return .categories }
        let waiting = facts.awaitingWithdrawal
        if !waiting.isEmpty || facts.audiences.contains(where: { $0.act.id == event.act }) {
            return .notified(waiting, owed: [])
        }
        if event.repeatedAct != nil, facts.wasNotified { return .notified(facts.notified, owed: []) }
        if facts.wasNotified { return .nobody(suppressed) }
        // The kill before it reached nobody, and its outcome asked for one that names its audience.
        if facts.phase == .killed { return event.namesAudience ? .categories : .nobody(suppressed) }
        if facts.hasHistory { return .nobody(neverSent) }
        return event.namesAudience ? .categories : .nobody(unknownStory)
    }

    private static let suppressed = EventVerdict(
        .suppressed,
        "suppressed.killed",
        "the story was withdrawn, and every audience that was notified of it has the withdrawal"
    )

    private static let neverSent = EventVerdict(
        .suppressed,
        "suppressed.never_sent",
        "no hub was sent anything of this story; if subscribers have it anyway, send another kill with its "
            + "categories or users"
    )

    private static let unknownStory = EventVerdict(
        .suppressed,
        "suppressed.never_sent",
        "nothing is known of the story; if subscribers have it, send another kill with its categories or users"
    )
}

/// The audiences that an event is for.
package enum Addressees: Sendable, Equatable {
    /// The audiences of its own categories, and the users that it names.
    case categories
    /// The audiences that were notified of its story; and those that an earlier event owed, for whom it is an alert.
    case notified([AudienceFact], owed: [AudienceFact])
    /// Nobody, with the outcome of the event.
    case nobody(EventVerdict)
}

extension Addressees {
    /// Determines the addressees of an event when its turn has come.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - facts: The facts of its story; `nil` if the story is unknown.
    package init(of event: NewsEvent, facts: StoryFacts?) {
        switch event.kind {
        case .kill: self = Withdrawal.addressees(of: event, facts: facts)
        case .correction where facts?.wasNotified == true && facts?.hasOnlyOwn(event) == false:
            let notified = facts?.notified ?? []
            // Audiences that have it already need no other request, and their users must not be grouped with others.
            let done = notified.filter { $0.certainty == .accepted && $0.act.id == event.act }
            let left = notified.filter { $0.certainty == .possible || $0.act.id != event.act }
                .withoutUsers(of: done.map(\.audience))
            self = .notified(left, owed: facts?.owed ?? [])
        case .flash, .alert, .update, .correction, .hold: self = .categories
        }
    }
}

extension StoryFacts {
    /// Whether this act is the only one of which subscribers were notified, and it began before a stop or a crash with
    /// audiences that it names itself.
    fileprivate func hasOnlyOwn(_ event: NewsEvent) -> Bool {
        let known = audiences.filter(\.isNotified)
        return !known.isEmpty && known.allSatisfy { $0.act.id == event.act && !$0.isFollowUp }
    }
}

extension NewsEvent {
    /// Whether it names categories or users itself.
    fileprivate var namesAudience: Bool { !categories.isEmpty || !users.isEmpty }
}
