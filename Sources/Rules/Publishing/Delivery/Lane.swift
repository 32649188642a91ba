package import NewsflashEvents

/// The priority class of an event. Express always goes first.
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
        // Replays have normal priority.
        if replay != nil { return .normal }
        return kind == .flash || kind == .kill || kind == .hold || urgency == 1 ? .express : .normal
    }
}

/// A queue for each lane; in each the partitions take turns.
package struct LaneQueue<Element: Sendable>: Sendable {
    private var lanes: [TurnQueue<Element>] = Lane.allCases.map { _ in TurnQueue() }

    package init() {}

    package subscript(lane: Lane) -> TurnQueue<Element> {
        _read { yield lanes[lane.rawValue] }
        _modify { yield &lanes[lane.rawValue] }
    }

    /// Whether no element may have its turn.
    package var isEmpty: Bool { lanes.allSatisfy(\.isEmpty) }

    /// Pauses a partition in all lanes except express, or resumes it.
    package mutating func pause(_ partition: PartitionID, _ isPaused: Bool) {
        for lane in Lane.allCases where lane != .express { self[lane].pause(partition, isPaused) }
    }
}
