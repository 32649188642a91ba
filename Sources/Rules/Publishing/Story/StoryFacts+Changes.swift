package import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs

extension StoryFacts {
    /// Whether the event at a source offset waits in the ledger.
    func keeps(_ offset: Int64) -> Bool {
        waiting.contains { $0.offset == offset }
    }

    /// Makes an act the latest one.
    ///
    /// - Parameters:
    ///   - event: The event of the act.
    ///   - digest: The event's digest.
    ///   - isFinal: Whether a repeat of the act is a duplicate.
    package mutating func advance(to event: NewsEvent, digest: ContentDigest, isFinal: Bool) {
        if self.isFinal, latestAct != event.act { recordEarlier(latestAct) }
        // A later revision may have ended before this one, which had waited for a person.
        let highest = max(passedRevision, revision)
        revision = event.isNews ? event.revision : max(revision, event.revision)
        passedRevision = highest > revision ? highest : 0
        eventID = event.id
        source = event.source
        kind = event.kind
        self.digest = digest
        self.isFinal = isFinal
    }

    /// Whether this revision, or a later one, has ended.
    func hasPassed(_ revision: Int64) -> Bool {
        revision <= max(self.revision, passedRevision)
    }

    /// Records that an event of a revision has ended, so that it is recognized as processed if it is read again.
    package mutating func recordPassed(_ revision: Int64) {
        if revision > max(self.revision, passedRevision) { passedRevision = revision }
    }

    /// Records that an act counts, so that a repeat of it is recognized.
    mutating func recordEarlier(_ act: UInt64) {
        guard !earlier.contains(act) else { return }
        if earlier.count >= Self.maximumEarlier { earlier.removeFirst() }
        earlier.append(act)
    }

    /// Records that a hub accepted a request of an event that has not ended.
    mutating func recordBegun(_ act: UInt64) {
        guard !begun.contains(act) else { return }
        if begun.count >= Self.maximumEarlier { begun.removeFirst() }
        begun.append(act)
    }

    /// Records that another act replaced this one for an audience. The lists of acts that count may have it already.
    mutating func recordReplaced(_ act: UInt64) {
        guard !replaced.contains(act), !earlier.contains(act), !(isFinal && act == latestAct) else { return }
        if replaced.count >= Self.maximumEarlier { replaced.removeFirst() }
        replaced.append(act)
    }

    /// Records a notification for caps and volume limits.
    ///
    /// - Parameters:
    ///   - push: The latest notification.
    ///   - oldest: The time before which notifications count for no cap and no limit.
    mutating func recordPush(_ push: Push, forgettingBefore oldest: Timestamp) {
        pushes.removeAll { $0.at < oldest }
        if pushes.count >= Push.maximumCount { pushes.removeFirst() }
        pushes.append(push)
    }

    /// Records the end of an event.
    ///
    /// - Parameters:
    ///   - event: The event, whose requests are settled.
    ///   - verdict: Its outcome.
    ///   - wasAdmitted: Whether it was admitted; otherwise it is not an act on the story.
    ///   - now: The current time.
    /// - Returns: Whether anything except the list of processed offsets has changed.
    mutating func recordEnd(
        of event: Event,
        _ verdict: EventVerdict,
        wasAdmitted: Bool,
        now: Timestamp
    ) -> Bool {
        let news = event.news
        let requestCounts = event.requestCounts
        var isChanged = wasAdmitted || event.isInLedger
        if news.delivery == .secure, !isSecure {
            isSecure = true
            isChanged = true
        }
        if let act = news.repeatedAct { recordEarlier(act) }
        if verdict.outcome != .duplicate { forgetAttempts(of: news.act) }
        if !begun.isEmpty, verdict.outcome != .duplicate {
            let act = news.act
            if begun.contains(act) { recordEarlier(act) }
            begun.removeAll { $0 == act }
        }
        // A kill without a text needs the text of the latest notification.
        if requestCounts.mayHaveBeenSent { keepTextIfMissing(of: event) }
        switch verdict.outcome {
        case .sent, .partial:
            recordNotified(event, isWhole: verdict.outcome == .sent)
            // While it is the latest act, it may come again for the rest of its audiences, but not after another act.
            if verdict.outcome == .partial, news.isNews { recordEarlier(news.act) }
            if !news.text.isEmpty { keepText(of: event) }
            isChanged = true
        case .suppressed where news.kind == .hold && verdict.reason == "suppressed.hold":
            hold(by: event)
            isChanged = true
        case .suppressed where verdict.reason == "suppressed.hold":
            // It must not come again as if it were the revision that releases the story.
            recordEarlier(news.act)
            revision = max(revision, news.revision)
            isChanged = true
        case .suppressed where news.kind == .kill && verdict.reason != "suppressed.killed":
            advance(to: news, digest: event.digest, isFinal: true)
            phase = .killed
            isChanged = true
        case .duplicate where verdict.reason == "duplicate.content" && news.revision > revision:
            // A repeat under a higher revision counts as seen.
            advance(to: news, digest: event.digest, isFinal: true)
            isChanged = true
        case .invalid where event.rejected != nil || phase == .held && news.act == latestAct:
            // This event holds the story.
            isChanged = true
        case .expired, .failed, .invalid:
            if recordUnsent(event, verdict, wasAdmitted: wasAdmitted) { isChanged = true }
        case .superseded, .suppressed, .duplicate, .shadow, .deferred, .held:
            break
        }
        if news.kind == .kill, news.mode != .backfill, news.replay == nil, verdict.outcome != .duplicate {
            withdrawalOffset = event.place.offset
        }
        // It has ended, and must not end in another way when it is read again after a crash.
        recordPassed(news.revision)
        changedAt = now
        return isChanged
    }

    /// Records that a hold is in force: older revisions do not release the story.
    ///
    /// - Parameters:
    ///   - event: The hold, or faulty news that holds its story.
    ///   - mayComeAgain: Whether the event itself may be sent once it is repaired.
    mutating func hold(by event: Event, mayComeAgain: Bool = false) {
        advance(to: event.news, digest: event.digest, isFinal: !mayComeAgain)
        phase = .held
    }

    /// Records an end whose outcome and dead letter are not confirmed yet.
    mutating func close(_ end: consuming Closing) {
        closing.append(end)
    }

    /// Records that the outcome of an event is confirmed.
    ///
    /// - Returns: Whether the ledger still has the bytes of the event, which are not needed any more.
    mutating func closed(_ offset: Int64, now: Timestamp) -> Bool {
        closing.removeAll { $0.offset == offset }
        guard keeps(offset) else { return false }
        waiting.removeAll { $0.offset == offset }
        changedAt = now
        return true
    }

    /// Forgets ends whose outcomes and dead letters are confirmed: those below an offset. Facts that were read from the ledger
    /// may still list them.
    mutating func forgetClosings(below offset: Int64) {
        guard closing.contains(where: { $0.offset < offset }) else { return }
        closing.removeAll { [waiting] end in
            end.offset < offset && !waiting.contains { $0.offset == end.offset }
        }
    }

    /// Records that subscribers were notified. If a hold came while a request was in flight, the story stays held.
    private mutating func recordNotified(_ event: Event, isWhole: Bool) {
        let isKill = event.news.kind == .kill
        guard isKill || event.news.revision >= revision else { return recordEarlier(event.news.act) }
        advance(to: event.news, digest: event.digest, isFinal: isWhole)
        phase = isKill ? .killed : phase == .killed ? .killed : .open
    }

    /// Records an end without a notification. It rejects older revisions; the event itself may be sent again once it is
    /// repaired.
    private mutating func recordUnsent(_ event: Event, _ verdict: EventVerdict, wasAdmitted: Bool) -> Bool {
        let isKill = event.news.kind == .kill
        // An event that was invalid before it was admitted (impossible times, a conflict) is not an act on the story. An event
        // that came too late is.
        guard wasAdmitted || verdict.outcome != .invalid else { return false }
        guard isKill || event.news.revision > revision || !isFinal, isKill || event.news.revision >= revision else {
            return false
        }
        advance(to: event.news, digest: event.digest, isFinal: false)
        // The withdrawal of a desk is in force even if subscribers could not be notified.
        if isKill { phase = .killed }
        return true
    }

    /// Keeps the text of an event that may have been sent, if none is known: a withdrawal without a text needs it.
    mutating func keepTextIfMissing(of event: Event) {
        if text.isEmpty, wordsOffset == nil, !event.news.text.isEmpty { keepText(of: event) }
    }

    /// Keeps the text that subscribers received: as an offset in the source while the source keeps it, otherwise as a copy.
    private mutating func keepText(of event: Event) {
        if event.isInLedger {
            text = event.news.text
            wordsOffset = nil
        } else {
            text = []
            wordsOffset = event.place.offset
        }
    }
}

extension NewsEvent {
    /// Whether it is news: not a withdrawal and not a hold.
    package var isNews: Bool { kind != .kill && kind != .hold }

    /// Identifies the act of the event: a hash of its id and source, and for kills and holds also of its kind, because feeds
    /// cancel an item under the id of the item. It is the same in every process, so that it may be stored.
    package var act: UInt64 { Self.act(id: id, source: source, kind: kind) }

    static func act(id: String, source: String, kind: EventKind) -> UInt64 {
        let act = Checksum.step(Checksum.of(source), Checksum.of(id))
        return kind == .kill || kind == .hold ? Checksum.step(Checksum.of(kind.rawValue), act) : act
    }

    /// Identifies a replay that an operator ordered; `nil` for any other event.
    var repeatedAct: UInt64? {
        guard let replay, replay.isAgain else { return nil }
        return Checksum.step(Checksum.of("replay \(replay.id)"), act)
    }
}
