package import NewsflashEvents
package import NewsflashTimestamps

/// Decides on an event before any other work is done for it.
///
/// The order of the rules is that of `newsroom-formats`, "Decisions in order": the first rule that applies decides. The rules
/// have no state: the facts of the story are parameters. They are an object, because they are used several times for each event
/// and never change.
package final class AdmissionRules: Sendable {
    package let policy: AdmissionPolicy
    /// Whether there is a hub for events of mode `test`.
    package let hasTestHub: Bool
    /// The life of each kind, by its index in `EventKind.allCases`.
    private let lives: [Duration]

    package init(policy: AdmissionPolicy = AdmissionPolicy(), hasTestHub: Bool = false) {
        self.policy = policy
        self.hasTestHub = hasTestHub
        self.lives = EventKind.allCases.map(policy.life(of:))
    }

    /// Whether people must approve events of a kind.
    func needsApproval(_ kind: EventKind) -> Bool { names(for: kind) > 0 }

    /// Whether fewer people have approved an event than its kind needs.
    func lacksApproval(_ event: NewsEvent) -> Bool {
        needsApproval(event.kind) && Set(event.approvedBy).count < names(for: event.kind)
    }

    private func names(for kind: EventKind) -> Int { policy.approvals[kind] ?? 0 }

    /// The instant after which an event is not sent.
    package func deadline(of event: NewsEvent) -> Timestamp {
        policy.deadline(of: event, life: lives[event.kind.index])
    }

    /// The instant until which push services try to deliver an event that is sent now.
    ///
    /// A kill that is sent after its life gets a new life from now on.
    func deadlineOfDelivery(of event: NewsEvent, now: Timestamp) -> Timestamp {
        let deadline = deadline(of: event)
        return event.kind == .kill && deadline <= now ? now + lives[event.kind.index] : deadline
    }

    /// The decision on an event.
    package enum Decision: Sendable, Equatable {
        /// Process it, perhaps after a ``AdmissionRules/wait(on:since:now:)``. Waiting events of its story are superseded.
        case admit
        /// Stop the waiting events of the story, and notify nobody.
        case hold
        /// Final without a notification. An ``EventVerdict/outcome`` of `invalid` goes to the dead letters.
        case end(EventVerdict)
        /// The same for news that restricts its story in an impossible way: waiting events of the story are stopped.
        case endAndHold(EventVerdict)
    }

    /// Decides on an event.
    ///
    /// - Parameters:
    ///   - event: The decoded event.
    ///   - story: The facts of its story, including events in progress; `nil` if the story is unknown.
    ///   - digest: The digest of the event's cleaned text.
    ///   - now: The current time.
    /// - Returns: The decision; ``Decision/end(_:)`` contains the verdict of the first rule that applies.
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
            // The desk has declared the news to be over.
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

    /// Returns the wait of an admitted event before its turn; `nil` if nothing delays it. `arrival` is when it was first read.
    /// Called again after each wait.
    package func wait(on event: NewsEvent, since arrival: Timestamp, now: Timestamp) -> Wait? {
        let names = names(for: event.kind)
        if names > 0, Set(event.approvedBy).count < names {
            return .approval(until: arrival + policy.approvalWait)
        }
        if let embargo = event.embargo, embargo > now, event.kind != .kill { return .embargo(embargo) }
        return nil
    }

    /// Whether the subscribers of each request of an event have quiet hours when its turn comes; empty without quiet hours.
    func rests(of sends: [PlannedSend], for event: NewsEvent, deadline: Timestamp, now: Timestamp)
        -> [QuietHoursDecision]
    {
        guard let quiet = policy.quiet else { return [] }
        return sends.map { quiet.rest(of: event, locale: $0.locale, now: now, deadline: deadline) }
    }

    /// The verdict for an event whose approvals did not come in time.
    package func refusal(of event: NewsEvent) -> EventVerdict {
        let detail =
            "/approvedBy: \(Set(event.approvedBy).count) of \(names(for: event.kind)) names within "
            + "\(policy.approvalWait.components.seconds) s; send it again with all names, under a higher revision"
        return EventVerdict(.failed, "failed.unconfirmed", detail)
    }

    /// The verdict for an event whose life is over, otherwise `nil`; checked again before each send and each retry.
    ///
    /// A kill does not expire if subscribers of its story were, or may have been, notified: they still have the news.
    package func expiry(_ event: NewsEvent, story: StoryFacts?, now: Timestamp) -> EventVerdict? {
        guard now > deadline(of: event) else { return nil }
        if event.kind == .kill, let story, story.wasNotified || !story.awaitingWithdrawal.isEmpty { return nil }
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
                "/embargo: \(embargo.rfc3339) is further in the future than policy.maximumEmbargo allows"
            )
        }
        if event.embargo == nil, event.published > now + policy.clockSkew {
            let detail =
                "/published: \(event.published.rfc3339) is in the future and there is no /embargo; check the sender's clock"
            return EventVerdict(invalid: .future, detail)
        }
        return nil
    }

    /// Whether the story has moved on, or the event repeats an earlier one.
    private func repeated(_ event: NewsEvent, story: StoryFacts, digest: ContentDigest) -> EventVerdict? {
        if event.kind == .kill { return Withdrawal.refusal(of: event, facts: story) }
        if let act = event.repeatedAct {
            // This replay was sent already; another replay order may send it again.
            if story.earlier.contains(act) { return EventVerdict(.duplicate, "duplicate.replay") }
            return movedOn(event, story: story)
        }
        // If a story went on after a hold, the same act can hold it again.
        let isUndone = event.kind == .hold && story.phase == .open
        if event.act == story.latestAct, !isUndone {
            // An event that ended without a notification may be sent again once it was repaired.
            return story.isFinal ? EventVerdict(.duplicate, "duplicate.id") : movedOn(event, story: story)
        }
        if story.earlier.contains(event.act), !isUndone { return EventVerdict(.duplicate, "duplicate.id") }
        if let verdict = movedOn(event, story: story) { return verdict }
        guard story.isFinal, event.kind != .hold else { return nil }
        // A withheld revision may be released under the same number.
        if event.revision == story.revision, story.phase != .held {
            if digest == story.digest { return EventVerdict(.duplicate, "duplicate.content") }
            let detail = "/revision: \(event.revision) was seen with another text, in event \(story.eventID)"
            return EventVerdict(invalid: .revisionConflict, detail)
        }
        // A higher revision with the same content is a duplicate, unless it changes the kind of the story.
        if event.kind == story.kind, !event.text.isEmpty, digest == story.digest, story.phase == .open {
            return EventVerdict(.duplicate, "duplicate.content")
        }
        return nil
    }

    /// The verdict for an event without which the story has gone on; otherwise `nil`. A hold is never stale.
    private func movedOn(_ event: NewsEvent, story: StoryFacts) -> EventVerdict? {
        if story.phase == .killed || story.isBeingWithdrawn {
            let detail = "the story was withdrawn; send news of it under another story"
            return EventVerdict(.suppressed, "suppressed.killed", detail)
        }
        // An express event may have been sent ahead of earlier ones, and may not have ended.
        let sent = story.newsSent(besides: event)
        let latest = max(story.revision, sent.map(\.revision).max() ?? 0)
        guard event.isNews else { return nil }
        // Another event of the same revision that a stop or a crash interrupted goes on first.
        let isInterrupted = sent.contains { $0.revision == event.revision && story.begun.contains($0.id) }
        guard event.revision < latest || isInterrupted && !story.begun.contains(event.act) else { return nil }
        return EventVerdict(.superseded, "superseded.revision", "revision \(latest) was seen before")
    }
}
