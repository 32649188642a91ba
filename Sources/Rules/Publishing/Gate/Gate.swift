package import NewsEvents
package import Timestamps

/// Decides on an event before any work is done for it.
///
/// The order of the rules is that of `newsroom-formats`, "Decisions in order": the first that applies ends it. Pure: what
/// it needs to know of the story is handed in.
package struct Gate: Sendable {
    package var policy: GatePolicy

    package init(policy: GatePolicy = GatePolicy()) {
        self.policy = policy
    }

    /// What is to be done with an event.
    package enum Decision: Sendable, Equatable {
        /// Work on it; what waits of its story is superseded.
        case admit
        /// Work on it at that instant; what waits of its story is superseded.
        case wait(until: Timestamp)
        /// Stop what waits of the story, tell readers nothing.
        case hold
        /// Final without a send. A ``EventVerdict/outcome`` of `invalid` goes to the dead letters.
        case end(EventVerdict)
    }

    /// Decides on an event.
    ///
    /// - Parameters:
    ///   - event: As read.
    ///   - story: What is known of its story, events under way included; `nil` for a story not seen.
    ///   - digest: Digest of the event's cleaned text.
    ///   - now: The present.
    /// - Returns: What is to be done; ``Decision/end(_:)`` with the first rule that applies.
    package func decide(
        _ event: NewsEvent,
        story: StoryRecord?,
        digest: ContentDigest,
        now: Timestamp
    ) -> Decision {
        if let fault = faultOfTimes(event, now: now) { return .end(fault) }
        if let story, let verdict = repeated(event, story: story, digest: digest) { return .end(verdict) }
        if event.kind == .hold { return .hold }
        if event.mode == .backfill { return .end(EventVerdict(.shadow, "shadow.backfill")) }
        if event.mode == .test {
            return .end(
                EventVerdict(.suppressed, "suppressed.no_test_hub", "mode is test and no test hub is configured")
            )
        }
        if let verdict = expiry(event, now: now) { return .end(verdict) }
        if let embargo = event.embargo, embargo > now, event.kind != .kill { return .wait(until: embargo) }
        return .admit
    }

    /// Whether the event's life is over; asked again before each send and each retry.
    package func expiry(_ event: NewsEvent, now: Timestamp) -> EventVerdict? {
        guard now > policy.deadline(of: event) else { return nil }
        return EventVerdict(.expired, event.expires == nil ? "expired.ttl" : "expired.explicit")
    }

    /// Whether a kill has nobody to tell; asked when its turn has come, because what is in flight before it counts.
    ///
    /// - Parameters:
    ///   - event: Any; only a kill without categories of its own needs those who were told.
    ///   - story: What is known of its story.
    /// - Returns: The verdict of silence, or `nil` where there is an audience.
    package func silence(on event: NewsEvent, story: StoryRecord?) -> EventVerdict? {
        guard event.kind == .kill, event.categories.isEmpty, story?.wasTold != true else { return nil }
        if story?.isKnown == true { return EventVerdict(.suppressed, "suppressed.never_sent") }
        return EventVerdict(
            .suppressed,
            "suppressed.unknown_story",
            "nothing is known of the story, so nobody can be told; if readers have it, kill it with its categories"
        )
    }

    private func faultOfTimes(_ event: NewsEvent, now: Timestamp) -> EventVerdict? {
        if let expires = event.expires, expires <= event.published {
            return EventVerdict(.invalid, InvalidReason.times.rawValue, "/expires: not after /published")
        }
        if let expires = event.expires, let embargo = event.embargo, embargo >= expires {
            return EventVerdict(
                .invalid,
                InvalidReason.times.rawValue,
                "/embargo: not before /expires, it could never be sent"
            )
        }
        if let embargo = event.embargo, event.kind != .kill, embargo > now, embargo - now > policy.maximumEmbargo {
            return EventVerdict(
                .invalid,
                InvalidReason.times.rawValue,
                "/embargo: \(embargo.rfc3339) lies further ahead than policy.maximumEmbargo allows"
            )
        }
        let start = max(event.published, event.embargo ?? event.published)
        if let expires = event.expires, expires - start > policy.maximumLife {
            return EventVerdict(
                .invalid,
                InvalidReason.times.rawValue,
                "/expires: \(expires.rfc3339) is later than policy.maximumLife allows"
            )
        }
        if event.embargo == nil, event.published > now + policy.clockSkew {
            return EventVerdict(
                .invalid,
                InvalidReason.future.rawValue,
                "/published: \(event.published.rfc3339) lies ahead and there is no /embargo; check the sender's clock"
            )
        }
        return nil
    }

    /// Whether the story has moved on, or has said this already.
    private func repeated(_ event: NewsEvent, story: StoryRecord, digest: ContentDigest) -> EventVerdict? {
        let isSameEvent = event.id == story.eventID && event.source == story.source
        if isSameEvent {
            // What ended without a push may be sent again once it was mended.
            guard !story.isTold else { return EventVerdict(.duplicate, "duplicate.id") }
            return nil
        }
        if story.phase == .killed {
            return EventVerdict(
                .suppressed,
                "suppressed.killed",
                "the story was withdrawn; tell it anew under another story"
            )
        }
        if event.revision < story.revision {
            return EventVerdict(.superseded, "superseded.revision", "revision \(story.revision) was seen before")
        }
        guard story.isTold else { return nil }
        if event.revision == story.revision, event.kind != .kill, event.kind != .hold {
            return digest == story.digest
                ? EventVerdict(.duplicate, "duplicate.content")
                : EventVerdict(
                    .invalid,
                    InvalidReason.revisionConflict.rawValue,
                    "/revision: \(event.revision) was seen with other words, as event \(story.eventID)"
                )
        }
        // A higher revision with the same words has nothing new to tell, unless it changes what the story is.
        if event.kind == story.kind, !event.text.isEmpty, digest == story.digest, story.phase == .open {
            return EventVerdict(.duplicate, "duplicate.content")
        }
        return nil
    }
}
