import NewsflashEvents
import NewsflashTimestamps

extension StoryFacts {
    /// Merges another record of the same story, because a late writer may have overwritten a newer one.
    ///
    /// The further record determines the state of the story: it has the later term or, in the same term, got further in the
    /// source (``ProcessedOffsets/through``, then the revision, then the time). A kill stays a kill. The record contains the
    /// union of accepted and possibly accepted requests, processed offsets, and waiting and closing events. An earlier owner's
    /// state of an offset does not count if a later owner has read that offset. The result is the same for both directions of
    /// merging, except for the order of lists.
    ///
    /// - Parameters:
    ///   - other: Any record of the same story.
    ///   - open: The acts of this record that are in progress: an earlier owner cannot have recorded their ends.
    package mutating func merge(_ other: StoryFacts, open: [UInt64] = []) {
        let (further, behind) = isBehind(other) ? (other, self) : (self, other)
        var merged = further
        if behind.phase == .killed { merged.phase = .killed }
        merged.isSecure = further.isSecure || behind.isSecure
        merged.embargo = further.embargo ?? behind.embargo
        merged.recordPassed(max(behind.revision, behind.passedRevision))
        if further.revision == behind.revision, further.digest == behind.digest {
            merged.isFinal = further.isFinal || behind.isFinal
        }
        if further.text.isEmpty, further.wordsOffset == nil {
            merged.text = behind.text
            merged.wordsOffset = behind.wordsOffset
        }
        merged.withdrawalOffset = further.withdrawalOffset ?? behind.withdrawalOffset
        merged.isWithdrawalEarly = further.isWithdrawalEarly || behind.isWithdrawalEarly
        // An event that a later owner has in progress ends as that owner decides.
        let open = further.term > behind.term ? further.begun + open : []
        let ended = behind.isFinal && behind.latestAct != further.latestAct ? [behind.latestAct] : []
        for act in ended + behind.earlier where !open.contains(act) { merged.recordEarlier(act) }
        for act in behind.begun { merged.recordBegun(act) }
        for act in behind.replaced { merged.recordReplaced(act) }
        merged.pushes += behind.pushes.filter { !further.pushes.contains($0) }
        merged.pushes = merged.pushes.sorted { $0.at < $1.at }.suffix(Push.maximumCount)
        merged.audiences.formUnion(further.unwithdrawn(behind))
        for fact in further.audiences + behind.audiences where fact.act.kind != .kill {
            if !merged.audiences.contains(where: { $0.act.id == fact.act.id }) { merged.recordReplaced(fact.act.id) }
        }
        // The ends of an earlier owner do not count if it withdrew the story without knowing all notified audiences: the kill
        // is decided on again.
        if further.term == behind.term || !behind.hasMissedReaders(of: merged) {
            if further.term > behind.term {
                merged.processed.formUnion(ofEarlier: behind.processed)
            } else {
                merged.processed.formUnion(behind.processed)
            }
            merged.closing += behind.closing.filter { !further.decides($0.offset, over: behind) }
        }
        merged.waiting += behind.waiting.filter { !further.decides($0.offset, over: behind) }
        merged.term = max(further.term, behind.term)
        merged.changedAt = max(further.changedAt, behind.changedAt)
        self = merged
    }

    /// Whether the story is withdrawn, and the merged facts contain audiences without the withdrawal that this record does not
    /// contain.
    func hasMissedReaders(of merged: StoryFacts) -> Bool {
        guard phase == .killed else { return false }
        let known = awaitingWithdrawal
        return merged.awaitingWithdrawal.contains { fact in
            !known.contains { $0.act.id == fact.act.id && $0.isSameAudience(as: fact) }
        }
    }

    /// The facts of an earlier owner, except those of audiences and users who got this owner's withdrawal later. Clocks do not
    /// count: they may have been set back in between.
    private func unwithdrawn(_ behind: StoryFacts) -> [AudienceFact] {
        guard term > behind.term else { return behind.audiences }
        // The withdrawal went to the audiences of the news that this owner knew; other news may have followed it.
        func isWithdrawable(_ fact: AudienceFact) -> Bool {
            fact.act.kind != .kill
                && (earlier.contains(fact.act.id) || replaced.contains(fact.act.id) || latestAct == fact.act.id
                    || audiences.contains { $0.act.id == fact.act.id })
        }
        var left = behind.audiences
        for kill in audiences where kill.certainty == .accepted && kill.act.kind == .kill {
            left.removeAll { isWithdrawable($0) && $0.isSameAudience(as: kill) }
            if kill.isForUsers { left.removeUsers(of: kill, where: isWithdrawable) }
        }
        return left
    }

    /// Whether it determines the state of an offset: it lists the offset, has processed it, or has it in progress in a later
    /// term.
    private func decides(_ offset: Int64, over behind: StoryFacts) -> Bool {
        processed.contains(offset) || closing.contains { $0.offset == offset }
            || waiting.contains { $0.offset == offset } || term > behind.term && offset <= processed.through
    }

    /// Whether another record got further; never true in both directions.
    private func isBehind(_ other: StoryFacts) -> Bool {
        if term != other.term { return term < other.term }
        if processed.through != other.processed.through { return processed.through < other.processed.through }
        if revision != other.revision { return revision < other.revision }
        if processed.highest != other.processed.highest { return processed.highest < other.processed.highest }
        if changedAt != other.changedAt { return changedAt < other.changedAt }
        // Two writers at the same nanosecond: any order is correct if both directions agree.
        if isFinal != other.isFinal { return !isFinal }
        if digest != other.digest { return digest.value < other.digest.value }
        if phase != other.phase { return phase.rawValue < other.phase.rawValue }
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        if source != other.source { return source < other.source }
        return eventID < other.eventID
    }
}
