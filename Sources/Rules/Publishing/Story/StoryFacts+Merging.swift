import NewsEvents
import Timestamps

extension StoryFacts {
    /// Merges another record of the same story, because a late writer may have overwritten a newer one.
    ///
    /// The further record determines the state of the story: it has the later term or, in the same term, got further in the
    /// source (``ProcessedOffsets/through``, then the revision, then the time). A kill stays a kill. Accepted and possibly
    /// accepted requests are united, and so are processed offsets. Waiting and closing events that only the other record lists
    /// are kept, unless the further one has settled their offsets. The effect is the same whichever of the two is merged into
    /// the other; only the order of lists may differ.
    ///
    /// - Parameter other: Any record of the same story.
    package mutating func merge(_ other: StoryFacts) {
        let (further, behind) = isBehind(other) ? (other, self) : (self, other)
        var merged = further
        if behind.phase == .killed { merged.phase = .killed }
        merged.isSecure = further.isSecure || behind.isSecure
        merged.recordPassed(behind.passedRevision)
        if further.revision == behind.revision, further.digest == behind.digest {
            merged.isFinal = further.isFinal || behind.isFinal
        }
        if further.text.isEmpty, further.wordsOffset == nil {
            merged.text = behind.text
            merged.wordsOffset = behind.wordsOffset
        }
        if behind.isFinal, behind.latestAct != further.latestAct { merged.recordEarlier(behind.latestAct) }
        for act in behind.earlier { merged.recordEarlier(act) }
        merged.pushes += behind.pushes.filter { !further.pushes.contains($0) }
        merged.pushes = merged.pushes.sorted { $0.at < $1.at }.suffix(Push.maximumCount)
        merged.audiences.formUnion(behind.audiences)
        merged.processed.formUnion(behind.processed)
        merged.closing += behind.closing.filter { !further.hasSettled($0.offset) }
        merged.waiting += behind.waiting.filter { !further.hasSettled($0.offset) }
        merged.term = max(further.term, behind.term)
        merged.changedAt = max(further.changedAt, behind.changedAt)
        self = merged
    }

    /// Whether it knows what became of an offset: done, or listed by itself.
    private func hasSettled(_ offset: Int64) -> Bool {
        processed.contains(offset) || closing.contains { $0.offset == offset }
            || waiting.contains { $0.offset == offset }
    }

    /// Whether another record got further; never true in both directions.
    private func isBehind(_ other: StoryFacts) -> Bool {
        if term != other.term { return term < other.term }
        if processed.through != other.processed.through { return processed.through < other.processed.through }
        if revision != other.revision { return revision < other.revision }
        if processed.highest != other.processed.highest { return processed.highest < other.processed.highest }
        if changedAt != other.changedAt { return changedAt < other.changedAt }
        // Two writers at the same nanosecond: any order will do, so long as both directions agree.
        if isFinal != other.isFinal { return !isFinal }
        if digest != other.digest { return digest.value < other.digest.value }
        if phase != other.phase { return phase.rawValue < other.phase.rawValue }
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        if source != other.source { return source < other.source }
        return eventID < other.eventID
    }
}
