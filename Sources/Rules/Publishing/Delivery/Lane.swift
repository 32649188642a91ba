package import NewsEvents

/// Which queue an event waits in. Express goes first, always.
package enum Lane: Int, Sendable, CaseIterable, Comparable {
    /// Flashes, kills, holds and everything of urgency 1.
    case express
    /// All other first attempts.
    case normal
    /// Attempts after the first, unless they are express.
    case retry

    package static func < (left: Lane, right: Lane) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension NewsEvent {
    /// The lane of the event's first attempt.
    package var lane: Lane {
        // What is told to testers, or was told before, waits for the news.
        if replay != nil { return .normal }
        return kind == .flash || kind == .kill || kind == .hold || urgency == 1 ? .express : .normal
    }
}

/// Waiting things in three lanes; within a lane the partitions take turns.
package struct LaneQueue<Element: Sendable>: Sendable {
    private var lanes: [TurnQueue<Element>] = Lane.allCases.map { _ in TurnQueue() }

    package init() {}

    /// Whether there is nothing that may have its turn.
    package var isEmpty: Bool { lanes.allSatisfy(\.isEmpty) }

    /// How many may have their turn.
    package func count(in lane: Lane) -> Int { lanes[lane.rawValue].count }

    /// Whether what is next in a lane was put before all else of it.
    package func hasUrgent(in lane: Lane) -> Bool { lanes[lane.rawValue].hasUrgent }

    package mutating func append(_ element: Element, of partition: PartitionID, to lane: Lane) {
        lanes[lane.rawValue].append(element, of: partition)
    }

    /// Puts something back at its place by age; see ``TurnQueue/putBack(_:of:after:)``.
    package mutating func putBack(
        _ element: Element,
        of partition: PartitionID,
        to lane: Lane,
        after isOlder: (Element) -> Bool
    ) {
        lanes[lane.rawValue].putBack(element, of: partition, after: isOlder)
    }

    /// Puts something before all else of its lane.
    package mutating func prepend(_ element: Element, to lane: Lane) {
        lanes[lane.rawValue].prepend(element)
    }

    package mutating func popFirst(in lane: Lane) -> Element? {
        lanes[lane.rawValue].popFirst()
    }

    /// Looks at what is likely to have its turn next in a lane; see ``TurnQueue/look(atMost:_:)``.
    package func look(in lane: Lane, atMost limit: Int, _ body: (Element) -> Bool) {
        lanes[lane.rawValue].look(atMost: limit, body)
    }

    /// Lets nothing of a partition have its turn, but what is express; or lets it again.
    package mutating func pause(_ partition: PartitionID, _ isPaused: Bool) {
        for lane in Lane.allCases where lane != .express { lanes[lane.rawValue].pause(partition, isPaused) }
    }
}
