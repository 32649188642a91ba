import NewsEvents

extension PublishingCore {
    /// Takes up express events that lie further back than the reader has come.
    ///
    /// What is to be sent, held or withdrawn joins its story at once. Everything else is left to the reader: it ends when its
    /// record is read. So is what the reader has come to by now, and what is not express.
    ///
    /// - Parameters:
    ///   - records: In any order.
    ///   - now: The present.
    package mutating func takeAhead(_ records: [IncomingRecord], now: Moment) {
        for record in records {
            guard case .event(let news, let warnings) = record.content, news.lane == .express else { continue }
            // Of a log that the ledger does not speak of nothing could be recognised when the reader comes to it.
            guard partitions.phase(of: record.partition) == .working, partitions.trustsLedger(of: record.partition),
                record.offset >= partitions.frontier(of: record.partition),
                !ahead.contains(record.offset, of: record.partition)
            else { continue }
            let place = place(ofRecord: record)
            admit(
                news,
                warnings,
                digest: record.digest,
                place: place,
                original: record.original,
                isAhead: true,
                now: now
            )
        }
    }

    /// Comes to the record of an event that was found ahead and is under way: only its offset is taken up.
    mutating func arrive(at event: Event) {
        event.isAhead = false
        // The offset of a parked event is done when the ledger has it.
        guard event.isParked, !writes.isParking(event.place) else { return }
        partitions.complete(event.place)
    }

    /// Drops an event that was found ahead; it is met again when its record is read.
    mutating func leaveToReader(_ event: Event) {
        ahead.remove(event.place.offset, of: event.place.partition)
        events.remove(event)
        stories.closeIfIdle(event.story)
    }
}
