import NewsEvents
import Timestamps

extension StoryRecord {
    /// Takes up another record of the same story, where a late writer may have overwritten a newer one.
    ///
    /// The one that got further in the source (``DoneOffsets/through``, then the revision, then the time) says what the
    /// story is. A kill stays a kill. What was sent or may have been is united, and so is what is done. What one of them
    /// lists as waiting or closing and the further one has left behind is over. The effect is the same whichever of the two
    /// is merged into the other; only the order of lists may differ.
    ///
    /// - Parameter other: Any record of the same story.
    package mutating func merge(_ other: StoryRecord) {
        let (further, behind) = isBehind(other) ? (other, self) : (self, other)
        var merged = further
        if behind.phase == .killed { merged.phase = .killed }
        merged.isSecure = further.isSecure || behind.isSecure
        merged.notePassed(behind.passedRevision)
        if further.revision == behind.revision, further.digest == behind.digest {
            merged.isTold = further.isTold || behind.isTold
        }
        if further.text.isEmpty, !further.textIsElsewhere, further.wordsOffset == nil {
            merged.text = behind.text
            merged.textIsElsewhere = behind.textIsElsewhere
            merged.wordsOffset = behind.wordsOffset
        }
        if behind.isTold, (behind.eventID, behind.source) != (further.eventID, further.source) {
            merged.noteEarlier(NewsEvent.sum(id: behind.eventID, source: behind.source))
        }
        for name in behind.earlier { merged.noteEarlier(name) }
        merged.pushes += behind.pushes.filter { !further.pushes.contains($0) }
        merged.pushes = merged.pushes.sorted { $0.at < $1.at }.suffix(Push.maximumCount)
        merged.sent = Self.union(further.sent, behind.sent)
        merged.maybeSent = Self.union(further.maybeSent, behind.maybeSent)
        merged.done.formUnion(behind.done)
        merged.closing += behind.closing.filter { !further.hasSettled($0.offset) }
        merged.waiting += behind.waiting.filter { !further.hasSettled($0.offset) }
        merged.waitingIsElsewhere = further.waitingIsElsewhere || behind.waitingIsElsewhere
        merged.changedAt = max(further.changedAt, behind.changedAt)
        self = merged
    }

    /// Whether it knows what became of an offset: done, or listed by itself.
    private func hasSettled(_ offset: Int64) -> Bool {
        done.contains(offset) || closing.contains { $0.offset == offset } || waiting.contains { $0.offset == offset }
    }

    /// Whether another record got further; never true in both directions.
    private func isBehind(_ other: StoryRecord) -> Bool {
        if done.through != other.done.through { return done.through < other.done.through }
        if revision != other.revision { return revision < other.revision }
        if done.highest != other.done.highest { return done.highest < other.done.highest }
        if changedAt != other.changedAt { return changedAt < other.changedAt }
        // Two writers at the same nanosecond: any order will do, so long as both directions agree.
        if isTold != other.isTold { return !isTold }
        if digest != other.digest { return digest.value < other.digest.value }
        if phase != other.phase { return phase.rawValue < other.phase.rawValue }
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        if source != other.source { return source < other.source }
        return eventID < other.eventID
    }

    private static func union(_ first: [Sent], _ second: [Sent]) -> [Sent] {
        var all = first
        for entry in second {
            if let index = all.firstIndex(where: { $0.hasSameTarget(as: entry) }) {
                if all[index].isBefore(entry) { all[index] = entry }
            } else {
                all.append(entry)
            }
        }
        return all
    }
}

extension StoryRecord.Sent {
    /// Whether another entry of the same target is to stay in its place.
    fileprivate func isBefore(_ other: Self) -> Bool {
        if revision != other.revision { return revision < other.revision }
        if at != other.at { return at < other.at }
        if isForUsers != other.isForUsers { return !isForUsers }
        return categories.lexicographicallyPrecedes(other.categories)
    }
}
