package import Timestamps

/// What the machine is doing, for health and metrics.
package struct PublishingStatus: Sendable, Equatable {
    /// One partition of ours.
    package struct Partition: Sendable, Equatable {
        package var source: SourcePartition
        package var phase: PartitionPhase
        /// The offset after the last record that was taken up; `nil` before the first.
        package var frontier: Int64?
        /// Records below ``frontier`` that are not done.
        package var open = 0
        /// When the first of these was written, or read where nobody said.
        package var oldestOpenTime: Timestamp?

        package init(
            source: SourcePartition,
            phase: PartitionPhase,
            frontier: Int64? = nil,
            open: Int = 0,
            oldestOpenTime: Timestamp? = nil
        ) {
            self.source = source
            self.phase = phase
            self.frontier = frontier
            self.open = open
            self.oldestOpenTime = oldestOpenTime
        }
    }

    /// One hub.
    package struct Hub: Sendable, Equatable {
        /// As outcomes and metrics call it.
        package var name: String
        package var hold: Hold?
        package var concurrencyLimit: Int
        package var rateLimit: Double?
        package var inFlight: Int
        package var pausedUntil: Timestamp?
    }

    /// One lane, over all hubs.
    package struct LaneLoad: Sendable, Equatable {
        package var lane: Lane
        /// What waits for its turn: a request, or an event of which nothing was sent.
        package var waiting = 0
        /// Requests under way.
        package var inFlight = 0
    }

    package var hold: Hold?
    /// The orders that keep sources, oldest first.
    package var sourceHolds: [ControlRecord]
    /// Until when the hub asked us to pause, if that lies ahead.
    package var pausedUntil: Timestamp?
    /// How many requests at once the hub takes well, as far as is known.
    package var concurrencyLimit: Int
    /// How many a second; `nil` where no bound is known.
    package var rateLimit: Double?
    package var hubs: [Hub]
    /// In the order of ``Lane``.
    package var lanes: [LaneLoad]
    package var partitions: [Partition]
    /// Events that have not ended, by the names of their states.
    package var events: [String: Int]
    /// Of these, events that wait for what others do: for their story to be read, or for the event before them.
    package var waitingForOthers: Int
    /// Of these, found ahead of the reader, which has not come to their records.
    package var ahead: Int
    /// Requests and lists of records that were ordered since the start; the same number twice means that nothing was.
    package var orders: UInt64
    /// Requests in flight.
    package var inFlight: Int
    /// Requests that a hub accepted and that no confirmed record of the ledger has.
    package var atRisk: Int
    /// Outcomes, and partitions of the ledger, that are not confirmed.
    package var unconfirmed: Int
    /// How long the oldest of them has waited.
    package var unconfirmedFor: Duration?
    /// Stories that are known, and what they take in memory.
    package var stories: Int
    package var storyBytes: Int
    /// When the oldest event was consumed that has not ended and does not wait by wish.
    package var oldestConsumedAt: Timestamp?
}

extension PublishingCore {
    /// What the machine is doing.
    ///
    /// - Parameter now: The present.
    /// - Returns: A snapshot.
    package func status(now: Moment) -> PublishingStatus {
        var counts = Dictionary(uniqueKeysWithValues: Event.State.names.map { ($0, 0) })
        var others = 0
        var oldest: Timestamp?
        for event in events.values {
            counts[event.state.name, default: 0] += 1
            switch event.state {
            case .undecided, .waiting(.turn): others += 1
            case .waiting, .queued, .sending, .ending, .recording: break
            }
            if !event.isInLedger { oldest = min(oldest ?? event.consumedAt, event.consumedAt) }
        }
        counts["waiting", default: 0] += waiting.count
        return PublishingStatus(
            hold: hubs.lazy.compactMap(\.governor.hold).first,
            sourceHolds: holds.inForce,
            pausedUntil: hubs.lazy.compactMap(\.governor.pausedUntil).filter { $0 > now.instant }.max()
                .map { now.wall(of: $0) },
            concurrencyLimit: hubs.map(\.governor.concurrencyLimit).min() ?? 0,
            rateLimit: hubs.lazy.compactMap { $0.governor.rateLimit(at: now.instant) }.min(),
            hubs: hubs.map { $0.status(now: now) },
            lanes: laneLoads,
            partitions: partitions.ours,
            events: counts,
            waitingForOthers: others,
            ahead: ahead.count,
            orders: lastNumber,
            inFlight: hubs.reduce(0) { $0 + $1.governor.inFlight },
            atRisk: exposure.count,
            unconfirmed: writes.count + ledger.openCount,
            unconfirmedFor: [writes.oldest, ledger.oldest].compactMap(\.self).min().map { now.instant - $0 },
            stories: stories.count,
            storyBytes: stories.byteCount,
            oldestConsumedAt: oldest
        )
    }

    private var laneLoads: [PublishingStatus.LaneLoad] {
        Lane.allCases.map { lane in
            PublishingStatus.LaneLoad(
                lane: lane,
                waiting: hubs.reduce(0) { $0 + $1.lanes[lane].count },
                inFlight: hubs.reduce(0) { $0 + $1.inFlight(in: lane) }
            )
        }
    }
}

extension PublishingStatus {
    /// The names of the states of events, in the order of an event's life.
    package static let stateNames = Event.State.names
}
