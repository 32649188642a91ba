package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// A record's partition and offset.
package struct RecordPosition: Sendable, Hashable {
    package var partition: TopicPartition
    package var offset: Int64

    package init(partition: TopicPartition, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }
}

/// One final outcome.
package struct SeenOutcome: Sendable, Equatable {
    package var word: String
    /// The time of the decision.
    package var at: Timestamp
    /// Whether the priority scan found the record ahead of the consumer.
    package var isAhead: Bool
    /// The reason, such as `invalid.no_text`; empty if absent.
    package var reason: String

    package init(word: String, at: Timestamp, isAhead: Bool = false, reason: String = "") {
        self.word = word
        self.at = at
        self.isAhead = isAhead
        self.reason = reason
    }
}

/// The evidence of one run, from Kafka and from the hubs.
package struct Evidence: Sendable {
    /// The delays that the checks tolerate.
    package struct Patience: Sendable {
        /// From the hub's acceptance to the confirmed record, counted from the answer.
        package var record = Duration.seconds(1)
        /// From a worker's last decision to the hub's acceptance.
        package var request = Duration.milliseconds(250)
        /// From the instant of an embargo to the first acceptance.
        package var embargo = Duration.milliseconds(100)
        /// How much earlier than a flash a later event may be accepted. Both may be sent concurrently, and the scan for
        /// an express event takes time.
        package var express = Duration.milliseconds(500)
        /// From the death of a worker until its partitions are processed again.
        package var takeover = Duration.zero
        /// How long the others may send nothing when a worker joins, leaves or dies.
        package var handover = Duration.zero
        /// From the end of a broker's outage until waiting events are sent, after the election of leaders and new
        /// metadata.
        package var election = Duration.seconds(5)
        /// From the end of a hub's outage until waiting events are sent: the longest interval of probes, and the second
        /// in which express events go first. How long the backlog takes is not part of it.
        package var probe = Duration.seconds(3)

        package init() {}
    }

    /// The bounds that workers guarantee. A test compares them with the workers' own.
    package struct Limits: Sendable {
        /// Requests that one death may repeat, over all hubs, including those of the express reserve.
        package var atRisk = 100
        /// Attempts of one event without a response, after which a worker gives up.
        package var unknownAttempts = 5
        /// How long an event may fail before the ledger keeps it, so that its offset is committed.
        package var parkAfter = Duration.seconds(10)

        package init() {}
    }

    package var records: [PlannedRecord]
    /// The time when each record was written, by its number in the plan. For a repeat, the time when the first was
    /// published.
    package var written: [Int: Timestamp] = [:]
    /// The position of each confirmed record, by its number in the plan.
    package var places: [Int: RecordPosition] = [:]
    /// The label of the only hub of a run that names none.
    package static let onlyHub = "main"
    /// The labels of the hubs; each event is for all of them.
    package var hubs = [onlyHub]
    /// The acceptances of all hubs, in the order of each hub and in the order of time.
    package var acceptances: [Acceptance] = []
    /// The times when a hub accepted nothing, by its label.
    package var away: [String: [Range<Timestamp>]] = [:]
    /// The times when a hub answered 429 and asked for a pause of ``HubFault/pause``, by its label, in the order of time.
    package var throttled: [String: [Timestamp]] = [:]
    /// Every final outcome of each record, in the order of the topic.
    package var outcomes: [RecordPosition: [SeenOutcome]] = [:]
    package var deadLetters: Set<RecordPosition> = []
    /// The disturbances in the order of time.
    package var disturbances: [Disturbance] = []
    /// The committed offsets of the group after each death or end of a worker: the next offset to read, by partition. An
    /// entry is missing if the group could not be asked.
    package var committed: [Disturbance: [TopicPartition: Int64]] = [:]
    /// The times when the machine was suspended and the behaviour of workers cannot be judged, in the order of time.
    package var pauses: [Range<Timestamp>] = []
    /// The time when the group was forming, from the first start until all partitions were assigned.
    package var forming: Range<Timestamp>?
    /// The times when brokers were dead, from the kill until they served again. Their partitions may have had no
    /// leader.
    package var outages: [Range<Timestamp>] = []
    /// The committed offsets of the group when each outage of a broker began, if it could be asked.
    package var committedAtOutages: [Range<Timestamp>: [TopicPartition: Int64]] = [:]
    package var patience = Patience()
    package var limits = Limits()

    /// The partition of each event.
    package let partitions: [String: TopicPartition]
    /// The numbers of the acceptances of each partition, in the order of time.
    package let timeline: [TopicPartition: [Int]]
    /// The hubs' fault on the requests of an event, by the event.
    package let faults: [String: HubFault]

    /// Collects the evidence.
    package init(
        records: [PlannedRecord],
        written: [Int: Timestamp] = [:],
        places: [Int: RecordPosition] = [:],
        hubs: [String] = [onlyHub],
        acceptances: [Acceptance] = [],
        away: [String: [Range<Timestamp>]] = [:],
        throttled: [String: [Timestamp]] = [:],
        outcomes: [RecordPosition: [SeenOutcome]] = [:],
        deadLetters: Set<RecordPosition> = [],
        disturbances: [Disturbance] = [],
        committed: [Disturbance: [TopicPartition: Int64]] = [:],
        pauses: [Range<Timestamp>] = [],
        forming: Range<Timestamp>? = nil,
        outages: [Range<Timestamp>] = [],
        committedAtOutages: [Range<Timestamp>: [TopicPartition: Int64]] = [:],
        patience: Patience = Patience(),
        limits: Limits = Limits()
    ) {
        self.records = records
        self.written = written
        self.places = places
        self.hubs = hubs
        self.acceptances = acceptances
        self.away = away
        self.throttled = throttled
        self.outcomes = outcomes
        self.deadLetters = deadLetters
        self.disturbances = disturbances
        self.committed = committed
        self.pauses = pauses
        self.forming = forming
        self.outages = outages
        self.committedAtOutages = committedAtOutages
        self.patience = patience
        self.limits = limits
        var partitions: [String: TopicPartition] = [:]
        for (number, place) in places { partitions[records[number].event] = place.partition }
        var timeline: [TopicPartition: [Int]] = [:]
        for (number, acceptance) in acceptances.enumerated() {
            if let partition = partitions[acceptance.event] { timeline[partition, default: []].append(number) }
        }
        var faults: [String: HubFault] = [:]
        for record in records where record.fault != nil { faults[record.event] = record.fault }
        self.partitions = partitions
        self.timeline = timeline
        self.faults = faults
    }

    /// The worker that had a partition, which is the one of its last acceptance before an instant.
    ///
    /// - Returns: `nil` if no earlier acceptance of the partition exists.
    package func owner(of partition: TopicPartition, at time: Timestamp) -> String? {
        let next = countOfAcceptances(of: partition, until: time)
        return next > 0 ? timeline[partition].map { acceptances[$0[next - 1]].worker } : nil
    }

    /// The number of acceptances of a partition until an instant.
    func countOfAcceptances(of partition: TopicPartition, until time: Timestamp) -> Int {
        (timeline[partition] ?? []).partitioningIndex(where: { acceptances[$0].time > time })
    }

    /// The first acceptance of each event at each hub.
    var firstAcceptances: [AtHub: Acceptance] {
        Dictionary(acceptances.lazy.map { ($0.eventAtHub, $0) }) { first, _ in first }
    }

    /// Whether a hub accepted nothing in a time, or a worker may not have found out yet that it accepts again.
    func isAway(_ hub: String, in time: ClosedRange<Timestamp>) -> Bool {
        (away[hub] ?? []).contains { outage in
            outage.lowerBound <= time.upperBound && time.lowerBound <= outage.upperBound + patience.probe
        }
    }

    /// The part of a time for which the machine was suspended.
    package func stillness(in time: Range<Timestamp>) -> Duration {
        pauses.reduce(.zero) { sum, pause in
            let common = pause.clamped(to: time)
            return sum + (common.upperBound - common.lowerBound)
        }
    }

    /// The number of requests that a death may repeat.
    ///
    /// It is twice the bound if brokers were dead meanwhile, because requests that they leave unconfirmed count
    /// separately.
    func mostInFlight(at death: Disturbance) -> Int {
        let start = death.time - patience.record
        let isDoubled = outages.contains { $0.lowerBound <= death.time && start <= $0.upperBound + patience.election }
        return limits.atRisk * (isDoubled ? 2 : 1)
    }

    /// The death during which an acceptance was in flight, so that it may be unrecorded.
    ///
    /// It is a death of its own worker before its record can be expected to be confirmed, while no other worker had
    /// sent anything for the partition yet.
    ///
    /// - Returns: `nil` if no worker died then.
    package func deathInFlight(of acceptance: Acceptance) -> Disturbance? {
        let delay = faults[acceptance.event] == .slow ? HubFault.delay : .zero
        let death = disturbances.first { disturbance in
            disturbance.losesMemory && disturbance.worker == acceptance.worker
                && acceptance.time <= disturbance.time + patience.request
                && acceptance.time + delay + patience.record >= disturbance.time
        }
        guard let death, let partition = partitions[acceptance.event] else { return death }
        // Workers that died at the same moment had sent requests until then.
        let numbers = timeline[partition] ?? []
        let start = numbers.partitioningIndex(where: { acceptances[$0].time > acceptance.time })
        for number in numbers[start...] {
            guard acceptances[number].time < death.time else { break }
            if acceptances[number].worker != acceptance.worker { return nil }
        }
        return death
    }
}

extension Array {
    /// The first index from which on a condition is true; the end if it is never true.
    func partitioningIndex(where isMet: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isMet(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
