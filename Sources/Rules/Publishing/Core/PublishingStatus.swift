package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// The state of the core, for health and metrics.
package struct PublishingStatus: Sendable, Equatable {
    /// One partition that is ours.
    package struct Partition: Sendable, Equatable {
        package var source: TopicPartition
        package var phase: PartitionPhase
        /// The offset after the last record that was received; `nil` if none was received.
        package var frontier: Int64?
        /// The number of records below ``frontier`` that are not processed.
        package var open = 0
        /// When the oldest of these was written, or read if that is unknown.
        package var oldestOpenTime: Timestamp?

        package init(
            source: TopicPartition,
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
        /// The name of the hub in outcomes and metrics.
        package var name: String
        package var circuit: OpenCircuit?
        package var concurrencyLimit: Int
        package var rateLimit: Double?
        package var inFlight: Int
        package var pausedUntil: Timestamp?
        /// The reason for which its next request waits.
        package var limit = SendingLimit.idle
    }

    /// One lane, over all hubs.
    package struct LaneLoad: Sendable, Equatable {
        package var lane: Lane
        /// The number of waiting events; an event that waits at two hubs counts twice.
        package var waiting = 0
        /// The number of requests in flight.
        package var inFlight = 0
    }

    package var circuit: OpenCircuit?
    /// The orders that pause sources, oldest first.
    package var pauses: [ControlRecord]
    /// The end of a pause that the hub asked for, if it is in the future.
    package var pausedUntil: Timestamp?
    /// The lowest current concurrency limit of a hub.
    package var concurrencyLimit: Int
    /// The lowest rate limit of a hub in requests per second; `nil` if none has a limit.
    package var rateLimit: Double?
    package var hubs: [Hub]
    /// In the order of ``Lane``.
    package var lanes: [LaneLoad]
    package var partitions: [Partition]
    /// Events that have not ended, by the names of their states.
    package var events: [String: Int]
    /// The number of events that wait for their story to load or for an earlier event of it.
    package var waitingForOthers: Int
    /// The number of events found ahead of the consumer, which has not reached their records.
    package var ahead: Int
    /// The number of events, requests, writes and reads begun since the start. If it has not changed, nothing has begun.
    package var orders: UInt64
    /// Requests in flight.
    package var inFlight: Int
    /// Requests that a hub accepted and that no confirmed record of the ledger contains.
    package var atRisk: Int
    /// The number of unconfirmed outcomes, and of ledger partitions with unconfirmed changes.
    package var unconfirmed: Int
    /// The age of the oldest of these.
    package var unconfirmedFor: Duration?
    /// The number of known stories, and their memory in bytes.
    package var stories: Int
    package var storyBytes: Int
    /// When the oldest event was consumed that has not ended and is not kept by the ledger.
    package var oldestConsumedAt: Timestamp?
}

extension PublishingCore {
    /// The state of the core, for health and metrics.
    ///
    /// - Parameter now: The current time.
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
            circuit: hubs.lazy.compactMap(\.governor.circuit).first,
            pauses: pauses.inForce,
            pausedUntil: hubs.lazy.compactMap(\.governor.pausedUntil).filter { $0 > now.instant }.max()
                .map { now.wall(of: $0) },
            concurrencyLimit: hubs.map(\.governor.concurrencyLimit).min() ?? 0,
            rateLimit: hubs.lazy.compactMap { $0.governor.rateLimit(at: now.instant) }.min(),
            hubs: hubs.indices.map { hub in
                let open = openLanes(of: hub, now: now.instant)
                return hubs[hub].status(now: now) { open & 1 << $0.rawValue != 0 }
            },
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
