import NewsflashEvents
import NewsflashTimestamps

extension PublishingCore {
    /// Receives records, in the order of their offsets in each partition.
    package mutating func receive(_ records: [IncomingRecord], now: Moment) {
        for record in records { receive(record, now: now) }
    }

    private mutating func receive(_ record: IncomingRecord, now: Moment) {
        switch partitions[record.partition].phase {
        case .away, .draining: return
        case .restoring: return partitions[record.partition].early.append(record)
        case .working: break
        }
        let time = record.timestamp ?? now.wall
        if case .rewind(let last) = partitions[record.partition].begin(record.offset, writtenAt: time) {
            partitions[record.partition].rewind(to: record.offset, writtenAt: time)
            ahead.forget(record.partition)
            let source = partitions[record.partition].source
            actions.append(.report(.rewound(source, from: last, to: record.offset)))
        }
        if let id = ahead.remove(record.offset, of: record.partition), let event = events[id] {
            return consumerReached(event)
        }
        let place = place(of: record)
        if ahead.removeProcessed(record.offset, of: record.partition) {
            actions.append(.report(.recognized(origin(of: place))))
            return partitions.complete(place)
        }
        switch record.content {
        case .tombstone:
            actions.append(.report(.tombstone(origin(of: place))))
            partitions.complete(place)
        case .rejected(let rejection) where rejection.holdsStory:
            let news = NewsEvent(holding: rejection, at: now.wall)
            receive(news, [], of: record, at: place, rejected: RejectedRecord(rejection), now: now)
        case .rejected where partitions[place.partition].wasProcessedBefore(place.offset):
            actions.append(.report(.recognized(origin(of: place))))
            partitions.complete(place)
            partitions[place.partition].recordBare(place)
        case .rejected(let rejection):
            endUnreadable(rejection, at: place, record.original, now: now)
        case .event(let news, let warnings):
            receive(news, warnings, of: record, at: place, now: now)
        }
    }

    /// Receives express events at offsets that the consumer has not reached.
    ///
    /// Events to send, holds and withdrawals join their story at once. All others are left to the consumer and end when it
    /// reads their records. Records that the consumer has reached by now, and events that are not express, are ignored.
    ///
    /// - Parameters:
    ///   - records: In any order.
    ///   - now: The current time.
    package mutating func receiveAhead(_ records: [IncomingRecord], now: Moment) {
        for record in records {
            guard case .event(let news, let warnings) = record.content, news.lane == .express else { continue }
            // If the ledger's offsets are from another log, the event could not be recognized when the consumer reaches it.
            guard partitions[record.partition].phase == .working, partitions[record.partition].trustsLedger,
                record.offset >= partitions[record.partition].frontier,
                !ahead.contains(record.offset, of: record.partition)
            else { continue }
            receive(news, warnings, of: record, at: place(of: record), isAhead: true, now: now)
        }
    }

    func place(of record: IncomingRecord) -> RecordPosition {
        RecordPosition(
            partition: record.partition,
            offset: record.offset,
            reading: partitions[record.partition].reading,
            timestamp: record.timestamp
        )
    }

    /// Puts an event into the inbox of its story.
    private mutating func receive(
        _ news: consuming NewsEvent,
        _ warnings: [EventWarning],
        of record: IncomingRecord,
        at place: RecordPosition,
        isAhead: Bool = false,
        rejected: RejectedRecord? = nil,
        now: Moment
    ) {
        let digest = record.digest ?? ContentDigest(of: news)
        let story = openStory(
            news.storyKey,
            of: place.partition,
            orElse: StoryFacts(awaiting: news, digest: digest, now: now.wall)
        )
        let event = makeEvent(news, warnings, of: record, at: place, in: story, digest, rejected: rejected, now: now)
        event.mayHaveBeenSentBefore = partitions[place.partition].isExposed(place.offset)
        events[event.id] = event
        if event.news.published > now.wall { event.warnings.append("time.skew") }
        if isAhead {
            event.warnings.append("read.ahead")
            event.isAhead = true
            ahead.insert(event.id, at: place)
        }
        decideOrQueue(event, now: now)
    }

    /// Makes the event of a record.
    mutating func makeEvent(
        _ news: consuming NewsEvent,
        _ warnings: [EventWarning],
        of record: IncomingRecord,
        at place: RecordPosition,
        in story: Story,
        _ digest: ContentDigest? = nil,
        rejected: RejectedRecord? = nil,
        consumedAt: Timestamp? = nil,
        now: Moment
    ) -> Event {
        Event(
            EventID(number: nextNumber()),
            news,
            digest: digest ?? ContentDigest(of: news),
            warnings: warnings,
            place: place,
            story: story,
            rules: rules,
            consumedAt: consumedAt ?? now.wall,
            arrivedAt: now.instant,
            original: record.original,
            rejected: rejected
        )
    }

    /// Opens a story. If its facts are only in the ledger, they are requested, and its inbox stalls until they come.
    mutating func openStory(_ name: String, of partition: PartitionID, orElse unseen: @autoclosure () -> StoryFacts)
        -> Story
    {
        let opened = stories.open(name, of: partition, orElse: unseen())
        guard let offset = opened.unreadAt else { return opened.story }
        opened.story.inbox.isStalled = true
        let key = WaitingStories.Key(partition: partition, story: StoryIndex.Key(name))
        opened.story.isExposed = waiting.entry(of: key)?.mayHaveBeenSent ?? false
        opened.story.resumed = waiting.entry(of: key)?.resumed ?? []
        waiting.remove(key)
        recall(.ledger(offset), of: partition, for: .facts(opened.story))
        return opened.story
    }

    mutating func recall(_ place: RecallRequest.Place, of partition: PartitionID, for purpose: RecallPurpose) {
        let id = RecallID(nextNumber())
        recalls[id] = purpose
        actions.append(.recall(RecallRequest(id: id, partition: partition, place: place)))
    }

    /// Marks that the consumer has reached the record of an event in progress that was found ahead.
    private mutating func consumerReached(_ event: Event) {
        event.isAhead = false
        // The offset of a waiting event is processed when the ledger has confirmed the event.
        guard event.isInLedger, !event.story.versions.isPending(event.place) else { return }
        partitions.complete(event.place)
    }

    /// Drops an event that was found ahead; the consumer will read its record again.
    mutating func leaveToConsumer(_ event: Event) {
        ahead.remove(event.place.offset, of: event.place.partition)
        events[event.id] = nil
        stories.releaseIfIdle(event.story)
    }
}
