package import NewsEvents
import NotificationHubs
package import Timestamps

extension StoryRecord {
    /// Whether any event of the story has ended or waits.
    package var isKnown: Bool { done.highest >= 0 || revision > 0 || !waiting.isEmpty || wasTold }

    /// Whether an event of it has ended, or readers were told.
    var hasHistory: Bool { revision > 0 || passedRevision > 0 || wasTold }

    /// Whether readers were told of it, or may have been.
    package var wasTold: Bool { !sent.isEmpty || !maybeSent.isEmpty }

    /// Those who were told, or may have been: the audience of a correction and of a kill.
    package var told: [Sent] {
        sent + maybeSent.filter { uncertain in !sent.contains { $0.hasSameTarget(as: uncertain) } }
    }

    /// Whether the event at a source offset waits here.
    func keeps(_ offset: Int64) -> Bool {
        waiting.contains { $0.offset == offset }
    }

    /// Takes up a revision.
    ///
    /// - Parameters:
    ///   - event: Whose revision it is.
    ///   - digest: The event's digest.
    ///   - isTold: Whether a repeat of it is a duplicate.
    package mutating func advance(to event: NewsEvent, digest: ContentDigest, isTold: Bool) {
        if self.isTold, event.id != eventID || event.source != source {
            noteEarlier(NewsEvent.sum(id: eventID, source: source))
        }
        // A later revision may have ended before this one, which had waited for a person.
        let passed = max(passedRevision, revision)
        revision = event.revision
        passedRevision = passed > revision ? passed : 0
        eventID = event.id
        source = event.source
        kind = event.kind
        self.digest = digest
        self.isTold = isTold
    }

    /// Whether an event of that revision was decided on: it, or one that came after it, ended.
    func hasPassed(_ revision: Int64) -> Bool {
        revision <= max(self.revision, passedRevision)
    }

    /// Notes that an event of a revision has ended, so that it is known as done when it is read again after a crash.
    package mutating func notePassed(_ revision: Int64) {
        if revision > max(self.revision, passedRevision) { passedRevision = revision }
    }

    /// What was accepted of an event's revision by the audience of a planned request; where it is told again, what was
    /// accepted since that was ordered.
    func accepted(_ send: PlannedSend, of event: NewsEvent) -> Sent? {
        let accepted = sent.first { $0.revision == event.revision && $0.isSameAudience(as: send) }
        if let accepted, let replay = event.replay, replay.isAgain, accepted.at < replay.at { return nil }
        return accepted
    }

    /// Notes the requests of an event that may have been accepted though nobody knows.
    mutating func noteUncertain(_ event: Event, at now: Timestamp) {
        let targets = event.targets
        for index in targets.indices where targets[index].report.status == .unknown || targets[index].phase == .inFlight
        {
            recordMaybeSent(Sent(targets[index].send, revision: event.news.revision, at: now))
        }
    }

    /// Takes up the end of an event.
    ///
    /// - Parameters:
    ///   - event: In the phase in which it came to its end.
    ///   - standing: How its requests stand.
    ///   - verdict: What became of it.
    ///   - lowestOpen: As for ``DoneOffsets/finish(_:lowestOpen:)``.
    ///   - now: The present.
    mutating func take(
        _ event: Event,
        _ standing: Event.Standing,
        _ verdict: EventVerdict,
        lowestOpen: Int64,
        now: Timestamp
    ) {
        changedAt = now
        if event.news.delivery == .secure { isSecure = true }
        if let act = event.news.repeatedAct { noteEarlier(act) }
        close(Closing(offset: event.place.offset, event: event.news.id, verdict: verdict))
        if standing.isUncertain { noteUncertain(event, at: now) }
        // A kill speaks to those who may have been told as well.
        if standing.mayHaveBeenSent, text.isEmpty, !textIsElsewhere, wordsOffset == nil, !event.news.text.isEmpty {
            keepText(of: event)
        }
        switch verdict.outcome {
        case .sent, .partial:
            tell(event, isWhole: verdict.outcome == .sent)
            if !event.news.text.isEmpty { keepText(of: event) }
        case .suppressed where event.news.kind == .hold && verdict.reason == "suppressed.hold":
            advance(to: event.news, digest: event.digest, isTold: true)
            phase = .held
        case .suppressed where event.news.kind == .kill && verdict.reason != "suppressed.killed":
            advance(to: event.news, digest: event.digest, isTold: true)
            phase = .killed
        case .duplicate where verdict.reason == "duplicate.content" && event.news.revision > revision:
            // A repeat under a higher revision is seen.
            advance(to: event.news, digest: event.digest, isTold: true)
        case .invalid where event.rejected != nil:
            // It says nothing of the story but that it is to be held.
            break
        case .expired, .failed, .invalid:
            endedUntold(event, verdict)
        case .superseded, .suppressed, .duplicate, .shadow, .deferred, .held:
            break
        }
        // Whatever it was: it has ended, and must not end in another way when it is read again after a crash.
        notePassed(event.news.revision)
        done.finish(event.place.offset, lowestOpen: lowestOpen)
    }

    /// Takes note of an end of which not all records are confirmed. Mostly it is the only one, and a list of one takes less
    /// room than one that grows.
    private mutating func close(_ end: consuming Closing) {
        if closing.isEmpty { closing = [end] } else { closing.append(end) }
    }

    /// Takes note that all records of an event's end are confirmed.
    ///
    /// - Returns: Whether the ledger still has the bytes of the event, which had waited; nobody needs them any more.
    mutating func close(_ offset: Int64, now: Timestamp) -> Bool {
        // What is left of a shared list would be a copy.
        if closing.count == 1, closing[0].offset == offset {
            closing = []
        } else {
            closing.removeAll { $0.offset == offset }
        }
        guard keeps(offset) else { return false }
        waiting.removeAll { $0.offset == offset }
        changedAt = now
        return true
    }

    /// Forgets the ends of which all records are confirmed, as of all below an offset; a record that was read from the
    /// ledger knows nothing of that.
    mutating func forgetClosings(below offset: Int64) {
        guard hasClosing(below: offset) else { return }
        closing.removeAll { [waiting] end in
            end.offset < offset && !waiting.contains { $0.offset == end.offset }
        }
    }

    private func hasClosing(below offset: Int64) -> Bool {
        let closing = closing.span
        for index in closing.indices where closing[index].offset < offset { return true }
        return false
    }

    /// Takes up that readers were told. A hold may have come while the request was under way: then the story stays held.
    private mutating func tell(_ event: Event, isWhole: Bool) {
        let isKill = event.news.kind == .kill
        guard isKill || event.news.revision >= revision else { return noteEarlier(event.news.nameSum) }
        advance(to: event.news, digest: event.digest, isTold: isWhole)
        phase = isKill ? .killed : .open
    }

    /// What ended without a push keeps older revisions away, and may itself be sent again once it is mended.
    private mutating func endedUntold(_ event: Event, _ verdict: EventVerdict) {
        // What was never admitted is no act on the story: impossible times, a conflict.
        let wasAdmitted = verdict.outcome != .invalid || event.phase != .waiting(.story)
        guard wasAdmitted, event.news.revision > revision || !isTold else { return }
        guard event.news.revision >= revision else { return }
        advance(to: event.news, digest: event.digest, isTold: false)
        // A desk that withdraws a story means it, whether or not readers could be told.
        if event.news.kind == .kill { phase = .killed }
    }

    /// Where the words are that readers were told: in the source, as long as that keeps them, or here.
    private mutating func keepText(of event: Event) {
        if event.isParked {
            text = event.news.text
            wordsOffset = nil
        } else {
            text = []
            wordsOffset = event.place.offset
        }
    }
}

extension StoryRecord.Sent {
    /// A planned request as one that was, or may have been, accepted.
    package init(_ send: borrowing PlannedSend, revision: Int64, at: Timestamp) {
        self.init(to: send.recipients, revision: revision, at: at)
    }

    func isSameAudience(as send: PlannedSend) -> Bool { recipients.areSame(as: send.recipients) }
}

extension OutcomeRecord.Target {
    /// What the ledger says of an accepted request.
    init(_ sent: StoryRecord.Sent) {
        var request = OutcomeRecord.Request(
            hub: sent.hub,
            platform: sent.format,
            tags: sent.expression.description
        )
        request.locale = sent.locale
        var report = OutcomeRecord.Report()
        report.status = .accepted
        report.acceptedAt = sent.at
        self.init(request, report)
    }
}
