import Publishing
import Timestamps

/// Decides what the scout reads.
///
/// While the reader is behind, the end of each partition is followed, so that what is written now is seen at once; and the part
/// between the reader and where that began is searched. A value without I/O: facts go in, orders come out.
struct ScoutPlan: Sendable {
    /// What to do.
    enum Order: Sendable, Equatable {
        /// Make readers.
        case open
        /// Read what is written from now on.
        case follow(SourcePartition)
        /// Read from an offset on, until told to stop.
        case search(SourcePartition, from: Int64)
        case stopSearching(SourcePartition)
        case stop(SourcePartition)
        /// Let go of the readers.
        case close
    }

    /// How far the reader is with one partition.
    struct Progress: Sendable, Equatable {
        /// The next offset it takes; `nil` where that is not known yet.
        var position: Int64?
        /// The offset after the last record, as far as it knows.
        var end: Int64?
    }

    /// What is read of one partition.
    private enum Reading: Sendable, Equatable {
        /// Its end, of which nothing has been heard yet.
        case joining
        /// Its end, and what lies before an offset.
        case searching(until: Int64)
        /// Its end alone.
        case following
    }

    private enum Phase: Sendable {
        case resting
        /// The reader was found waiting once, which may pass.
        case suspecting
        /// At work; with the last time that the reader was behind.
        case reading([SourcePartition: Reading], needed: Instant)
    }

    /// From how many records on the reader is behind even while it takes all it gets.
    static let longestLag: Int64 = 5000
    /// How long the scout stays after the reader has caught up.
    static let patience = Duration.seconds(10)

    private var phase = Phase.resting
    private var progress: [SourcePartition: Progress] = [:]

    var isReading: Bool {
        if case .reading = phase { true } else { false }
    }

    /// Takes note of how far the reader is; ten times a second or so.
    ///
    /// - Parameters:
    ///   - progress: For each partition that is worked on.
    ///   - isFull: Whether the reader waits since it has read as much as it may.
    ///   - now: The present.
    /// - Returns: What to do, in order.
    mutating func look(
        at progress: [SourcePartition: Progress],
        isFull: Bool,
        now: Instant
    ) -> [Order] {
        self.progress = progress
        let isFarBehind = progress.values.contains { ($0.end ?? 0) - ($0.position ?? $0.end ?? 0) > Self.longestLag }
        switch phase {
        case .resting where isFarBehind, .suspecting where isFull || isFarBehind:
            phase = .reading([:], needed: now)
            return [.open] + keepUp([:], needed: now)
        case .resting:
            if isFull { phase = .suspecting }
            return []
        case .suspecting:
            phase = .resting
            return []
        case .reading(let readings, let needed):
            let needed = isFull || isFarBehind ? now : needed
            guard now - needed < Self.patience else {
                phase = .resting
                return [.close]
            }
            return keepUp(readings, needed: needed)
        }
    }

    /// Joins partitions that came, leaves those that left, and stops searching where the reader has been.
    private mutating func keepUp(
        _ present: [SourcePartition: Reading],
        needed: Instant
    ) -> [Order] {
        var readings = present
        var orders: [Order] = []
        for partition in present.keys where progress[partition] == nil {
            readings[partition] = nil
            orders.append(.stop(partition))
        }
        for (partition, progress) in progress {
            switch readings[partition] {
            case nil:
                readings[partition] = .joining
                orders.append(.follow(partition))
            case .searching(let end) where progress.position.map({ $0 >= end }) ?? false:
                readings[partition] = .following
                orders.append(.stopSearching(partition))
            case .joining, .following, .searching:
                break
            }
        }
        phase = .reading(readings, needed: needed)
        return orders
    }

    /// Takes note of the first sign of a partition's end: what lies between the reader and there is still to be searched.
    ///
    /// - Parameters:
    ///   - partition: Which one.
    ///   - offset: Where following began.
    /// - Returns: What to do.
    mutating func joined(_ partition: SourcePartition, at offset: Int64) -> [Order] {
        guard case .reading(var readings, let needed) = phase, readings[partition] == .joining else { return [] }
        let position = progress[partition]?.position
        let start = position.flatMap { $0 < offset ? $0 : nil }
        readings[partition] = start == nil ? .following : .searching(until: offset)
        phase = .reading(readings, needed: needed)
        return start.map { [.search(partition, from: $0)] } ?? []
    }

    /// Takes note of how far searching has come.
    ///
    /// - Parameters:
    ///   - partition: Which one.
    ///   - offset: The next one to be searched; `nil` where nothing more can be.
    /// - Returns: What to do.
    mutating func searched(_ partition: SourcePartition, upTo offset: Int64?) -> [Order] {
        guard case .reading(var readings, let needed) = phase, case .searching(let end) = readings[partition],
            (offset ?? end) >= end
        else { return [] }
        readings[partition] = .following
        phase = .reading(readings, needed: needed)
        return [.stopSearching(partition)]
    }

    /// Takes note that a partition's end cannot be followed any more; it is joined again.
    mutating func lost(_ partition: SourcePartition) -> [Order] {
        guard case .reading(var readings, let needed) = phase, readings[partition] != nil else { return [] }
        readings[partition] = nil
        phase = .reading(readings, needed: needed)
        return [.stop(partition)]
    }
}
