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

    /// Begins to leave partitions: what has not been sent is dropped for their next owner, what has been is finished.
    ///
    /// What follows a request in flight in its story is finished with it: later events may have been sent already, and would
    /// be again if the next owner had to begin before them.
    ///
    /// - Parameters:
    ///   - partitions: Those that leave.
    ///   - now: The present.
    package mutating func beginDraining(_ partitions: some Sequence<SourcePartition>, now: Timestamp) {
        draining.formUnion(partitions)
        for work in works.values where !work.hasRequestInFlight && !followsFlight(work, now: now) {
            dropIfLeaving(work)
        }
        pump(now)
        balanceReading()
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

    /// Drops an event of a partition that leaves, unless a part of it has reached readers: then the rest shall, too.
    mutating func dropIfLeaving(_ work: Work) {
        guard draining.contains(work.origin.partition), !work.hasAcceptedTarget else { return }
        drop(work)
    }

    /// Whether an event can be sent as soon as a request has ended that is in flight.
    private func followsFlight(_ work: Work, now: Timestamp) -> Bool {
        guard let line = lines[work.event.story], line.next == work.record else { return false }
        return works[line.current]?.hasRequestInFlight == true && embargoEnd(of: work, now: now) == nil
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
