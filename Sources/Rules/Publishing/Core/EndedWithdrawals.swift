import NewsEvents

/// The latest withdrawals that ended. One is sent again if a late writer's record shows subscribers of the story whom it did not
/// reach; such records come within seconds of a change of owner.
struct EndedWithdrawals {
    private static let maximumCount = 256

    /// Oldest first, at most one of a story.
    private var events: [Event] = []

    /// Keeps an event that has ended, if it is a withdrawal that goes to subscribers.
    mutating func insert(_ event: Event) {
        guard event.news.kind == .kill, event.news.mode != .backfill, event.news.replay == nil else { return }
        events.removeAll { $0.isOfSameStory(as: event.story) }
        if events.count >= Self.maximumCount { events.removeFirst() }
        // The batch of records that it came in is not kept with it.
        event.original = event.original.copy()
        events.append(event)
    }

    /// The latest withdrawal of a story.
    func latest(of story: Story) -> Event? { events.last { $0.isOfSameStory(as: story) } }

    /// Forgets those of a partition that has left.
    mutating func forget(_ partition: PartitionID) { events.removeAll { $0.place.partition == partition } }
}

extension Event {
    /// Another object may have stood for the story when the event ended.
    fileprivate func isOfSameStory(as other: Story) -> Bool {
        place.partition == other.partition && story.name == other.name
    }
}
