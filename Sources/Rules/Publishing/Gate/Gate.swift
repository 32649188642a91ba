package import NewsEvents
package import Timestamps

/// Decides on an event before any work is done for it.
///
/// The order of the rules is that of `newsroom-formats`, "Decisions in order": the first that applies ends it. Pure: what
/// it needs to know of the story is handed in. An object, since it is asked several times an event and never changes.
package final class Gate: Sendable {
    package let policy: GatePolicy
    /// Whether there is a hub for events of mode `test`.
    package let hasTestHub: Bool
    /// How long each kind lives, by its place in `EventKind.allCases`.
    private let lives: [Duration]

    package init(policy: GatePolicy = GatePolicy(), hasTestHub: Bool = false) {
        self.policy = policy
        self.hasTestHub = hasTestHub
        self.lives = EventKind.allCases.map(policy.life(of:))
    }

    /// Whether people have to approve events of a kind.
    func needsApproval(_ kind: EventKind) -> Bool { names(for: kind) > 0 }

    private func names(for kind: EventKind) -> Int { policy.approvals[kind] ?? 0 }

    /// The instant after which an event is not sent.
    package func deadline(of event: NewsEvent) -> Timestamp {
        policy.deadline(of: event, life: lives[event.kind.index])
    }

    /// The instant until which push services try to deliver an event that is sent now.
    ///
    /// A kill that is sent after its life has a life from now on.
    func deadlineOfDelivery(of event: NewsEvent, now: Timestamp) -> Timestamp {
        let deadline = deadline(of: event)
        return event.kind == .kill && deadline <= now ? now + lives[event.kind.index] : deadline
    }

    /// What is to be done with an event.
    package enum Decision: Sendable, Equatable {
        /// Work on it, perhaps after a ``Gate/wait(on:since:now:)``; what waits of its story is superseded.
        case admit
        /// Stop what waits of the story, tell readers nothing.
        case hold
        /// Final without a send. A ``EventVerdict/outcome`` of `invalid` goes to the dead letters.
        case end(EventVerdict)
        /// The same for news that restricts its story in a way that cannot be: what waits of the story is stopped.
        case endAndHold(EventVerdict)
    }

    /// Decides on an event.
    ///
    /// - Parameters:
    ///   - event: The event as it was read.
    ///   - story: What is known of its story, events under way included; `nil` for a story not seen.
    ///   - digest: The digest of the event's cleaned text.
    ///   - now: The present.
    /// - Returns: What is to be done; ``Decision/end(_:)`` with the first rule that applies.
    package func decide(
        _ event: NewsEvent,
        story: StoryFacts?,
        digest: ContentDigest,
        now: Timestamp
    ) -> Decision {
        if let reason = event.withheld { return .end(EventVerdict(.suppressed, reason)) }
        // Withdrawals and holds are obeyed even if their times are wrong.
        if event.isNews, let fault = faultOfTimes(event, now: now) {
            guard endsBeforeItBegins(event), event.mode != .backfill,
                story.map({ movedOn(event, story: $0) == nil }) ?? true
            else { return .end(fault) }
            // The desk says that the news is over.
            let detail = (fault.detail ?? "") + EventRejection.holdNotice
            return .endAndHold(EventVerdict(fault.outcome, fault.reason, detail))
        }
        if let story, let verdict = repeated(event, story: story, digest: digest) { return .end(verdict) }
        if event.kind == .hold { return .hold }
        if event.mode == .backfill { return .end(EventVerdict(.shadow, "shadow.backfill")) }
        if event.mode == .test, !hasTestHub {
            let detail = "mode is test and no test hub is configured"
            return .end(EventVerdict(.suppressed, "suppressed.no_test_hub", detail))
        }
        if let verdict = expiry(event, story: story, now: now) { return .end(verdict) }
        return .admit
    }

    /// Returns the wait of an admitted event before its turn; `nil` if nothing keeps it. It arrived when it was read first. Asked
    /// again whenever a wait is over.
    package func wait(on event: NewsEvent, since arrival: Timestamp, now: Timestamp) -> Wait? {
        let names = names(for: event.kind)
        if names > 0, Set(event.approvedBy).count < names {
            return .approval(until: arrival + policy.approvalWait)
        }
        if let embargo = event.embargo, embargo > now, event.kind != .kill { return .embargo(embargo) }
        return nil
    }

    /// Whether the readers of each request of an event sleep when its turn comes; empty without quiet hours.
    func rests(of sends: [PlannedSend], for event: NewsEvent, deadline: Timestamp, now: Timestamp) -> [Rest] {
        guard let quiet = policy.quiet else { return [] }
        return sends.map { quiet.rest(of: event, locale: $0.locale, now: now, deadline: deadline) }
    }

    /// The end of an event whose approvals did not come in time.
    package func refusal(of event: NewsEvent) -> EventVerdict {
        let detail =
            "/approvedBy: \(Set(event.approvedBy).count) of \(names(for: event.kind)) names within "
            + "\(policy.approvalWait.components.seconds) s; send it again with all names, under a higher revision"
        return EventVerdict(.failed, "failed.unconfirmed", detail)
    }

    /// Whether the event's life is over; asked again before each send and each retry.
    ///
    /// A kill of a story of which subscribers were notified, or may have been, has no end of life: they still have it.
    package func expiry(_ event: NewsEvent, story: StoryFacts?, now: Timestamp) -> EventVerdict? {
        guard now > deadline(of: event) else { return nil }
        if event.kind == .kill, let story, story.wasNotified { return nil }
        return EventVerdict(.expired, event.expires == nil ? "expired.ttl" : "expired.explicit")
    }

    private func endsBeforeItBegins(_ event: NewsEvent) -> Bool {
        guard let expires = event.expires else { return false }
        return expires <= event.published || event.embargo.map { $0 >= expires } ?? false
    }

    private func faultOfTimes(_ event: NewsEvent, now: Timestamp) -> EventVerdict? {
        if let expires = event.expires, expires <= event.published {
            return EventVerdict(invalid: .times, "/expires: not after /published")
        }
        if let expires = event.expires, let embargo = event.embargo, embargo >= expires {
            return EventVerdict(invalid: .times, "/embargo: not before /expires, it could never be sent")
        }
        if let embargo = event.embargo, embargo > now, embargo - now > policy.maximumEmbargo {
            return EventVerdict(
                invalid: .times,
                "/embargo: \(embargo.rfc3339) lies further ahead than policy.maximumEmbargo allows"
            )
        }
        if event.embargo == nil, event.published > now + policy.clockSkew {
            let detail =
                "/published: \(event.published.rfc3339) lies ahead and there is no /embargo; check the sender's clock"
            return EventVerdict(invalid: .future, detail)
        }
        return nil
    }

    /// Whether the story has moved on, or the event repeats what it has.
    private func repeated(_ event: NewsEvent, story: StoryFacts, digest: ContentDigest) -> EventVerdict? {
        if event.kind == .kill { return Withdrawal.refusal(of: event, facts: story) }
        if let act = event.repeatedAct {
            // Told by this order already; another order may tell it once more.
            if story.earlier.contains(act) { return EventVerdict(.duplicate, "duplicate.replay") }
            return movedOn(event, story: story)
        }
        // A story that went on after a hold is held again by the same act.
        let isUndone = event.kind == .hold && story.phase == .open
        if event.act == story.latestAct, !isUndone {
            // An event that ended without a notification may be sent again once it was repaired.
            return story.isFinal ? EventVerdict(.duplicate, "duplicate.id") : movedOn(event, story: story)
        }
        if story.earlier.contains(event.act), !isUndone { return EventVerdict(.duplicate, "duplicate.id") }
        if let verdict = movedOn(event, story: story) { return verdict }
        guard story.isFinal, event.kind != .hold else { return nil }
        // A revision that was withheld may be released under the same number.
        if event.revision == story.revision, story.phase != .held {
            if digest == story.digest { return EventVerdict(.duplicate, "duplicate.content") }
            let detail = "/revision: \(event.revision) was seen with other words, as event \(story.eventID)"
            return EventVerdict(invalid: .revisionConflict, detail)
        }
        // A higher revision with the same words has nothing new, unless it changes what the story is.
        if event.kind == story.kind, !event.text.isEmpty, digest == story.digest, story.phase == .open {
            return EventVerdict(.duplicate, "duplicate.content")
        }
        return nil
    }

    /// Whether the story has gone on without the event. A hold is never stale.
    private func movedOn(_ event: NewsEvent, story: StoryFacts) -> EventVerdict? {
        if story.phase == .killed || story.isBeingWithdrawn {
            let detail = "the story was withdrawn; send news of it under another story"
            return EventVerdict(.suppressed, "suppressed.killed", detail)
        }
        // An express event may have been sent ahead of those before it, and not have ended.
        let sent = story.newsSent(besides: event)
        let latest = max(story.revision, sent.map(\.revision).max() ?? 0)
        guard event.isNews else { return nil }
        // Another event of the same revision that a stop or a crash interrupted has its turn first, and it goes on.
        let isInterrupted = sent.contains { $0.revision == event.revision && story.begun.contains($0.id) }
        guard event.revision < latest || isInterrupted && !story.begun.contains(event.act) else { return nil }
        return EventVerdict(.superseded, "superseded.revision", "revision \(latest) was seen before")
    }
}
