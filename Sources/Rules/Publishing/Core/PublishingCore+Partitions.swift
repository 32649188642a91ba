import NewsEvents
package import Timestamps

extension PublishingCore {
    /// Takes up partitions, before the first record of them comes.
    package mutating func assign(_ partitions: some Sequence<SourcePartition>) {
        for partition in partitions {
            trackers[partition] = OffsetTracker()
            draining.remove(partition)
        }
    }

    /// Begins to leave partitions: what need not be finished here is dropped for their next owner.
    ///
    /// What must be finished is all that lies before something that was sent: the next owner begins at the lowest offset
    /// not done, and would send what lies above it a second time.
    ///
    /// - Parameters:
    ///   - partitions: Those that leave.
    ///   - now: The present.
    package mutating func beginDraining(_ partitions: some Sequence<SourcePartition>, now: Timestamp) {
        draining.formUnion(partitions)
        dropWhatNeedNotBeFinished(now)
        pump(now)
        balanceReading()
    }

    /// Drops what of leaving partitions lies behind everything sent, waits for an embargo, or waits for a held line: no
    /// drain can be long enough for these.
    mutating func dropWhatNeedNotBeFinished(_ now: Timestamp) {
        guard !draining.isEmpty else { return }
        var ceilings: [SourcePartition: Int64] = [:]
        for partition in draining { ceilings[partition] = trackers[partition]?.highestDone }
        func raise(_ origin: RecordOrigin) {
            guard draining.contains(origin.partition) else { return }
            ceilings[origin.partition] = max(ceilings[origin.partition] ?? -1, origin.offset)
        }
        for closing in closings.values { raise(closing.origin) }
        for work in works.values where work.hasRequestInFlight || work.hasAcceptedTarget { raise(work.origin) }
        for work in works.values where draining.contains(work.origin.partition) {
            guard !work.hasRequestInFlight, !work.hasAcceptedTarget else { continue }
            let isBehind = work.origin.offset > ceilings[work.origin.partition] ?? -1
            if isBehind || governor.hold != nil || embargoEnd(of: work, now: now) != nil { drop(work) }
        }
    }

    /// Whether nothing of these partitions is in flight or waits to be confirmed.
    package func isDrained(_ partitions: some Sequence<SourcePartition>) -> Bool {
        let leaving = Set(partitions)
        return !works.values.contains { leaving.contains($0.origin.partition) }
            && !closings.values.contains { leaving.contains($0.origin.partition) }
    }

    /// Leaves partitions, whatever of them is still open.
    ///
    /// - Returns: What may be committed for them.
    package mutating func leave(_ partitions: some Sequence<SourcePartition>) -> [SourcePartition: Int64] {
        var offsets: [SourcePartition: Int64] = [:]
        let leaving = Set(partitions)
        for partition in leaving {
            offsets[partition] = trackers.removeValue(forKey: partition)?.watermark
            draining.remove(partition)
        }
        for work in works.values where leaving.contains(work.origin.partition) { drop(work) }
        for (id, closing) in closings where leaving.contains(closing.origin.partition) {
            closings[id] = nil
            heldBytes -= closing.byteCount
            actions.append(.release(closing.order.record))
        }
        memory.forget(leaving)
        balanceReading()
        return offsets
    }

    /// Lets go of an event, and of what follows it in its story, without an outcome: whoever owns the partition next will
    /// read them again.
    private mutating func drop(_ work: Work) {
        guard works.removeValue(forKey: work.record) != nil else { return }
        heldBytes -= work.byteCount
        actions.append(.release(work.record))
        let story = work.event.story
        guard let line = lines[story] else { return }
        if line.next == work.record {
            lines[story]?.next = nil
        } else if line.current == work.record {
            // All of a story lies in one partition, so whoever follows leaves as well.
            lines[story] = nil
            if let next = line.next.flatMap({ works[$0] }) { drop(next) }
        }
    }
}
