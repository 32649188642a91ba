import Kafka
import Timestamps

/// Where a record lies.
struct RecordPlace: Sendable, Hashable {
    var partition: KafkaTopicPartition
    var offset: Int64
}

/// One final outcome, as it was written.
struct SeenOutcome: Sendable, Equatable {
    var word: String
    /// When it was decided.
    var at: Timestamp
}

/// All that was seen of one run, at both ends.
struct Evidence: Sendable {
    /// How long things may take that a check forgives.
    struct Patience: Sendable {
        /// From the hub's acceptance to the confirmed record, counted from the answer.
        var record = Duration.seconds(1)
        /// From a worker's last decision to the hub's acceptance.
        var request = Duration.milliseconds(250)
        /// From the instant of an embargo to the first acceptance.
        var embargo = Duration.milliseconds(100)
        /// How much earlier than a flash may be accepted what was written after it: they may go side by side, and a look at an
        /// express event takes its time.
        var express = Duration.milliseconds(500)
        /// From the death of a worker until its partitions are worked on again.
        var takeover = Duration.zero
        /// How long others may be silent when a worker joins, leaves or dies.
        var handover = Duration.zero
        /// From the end of a broker's outage until what waited for it is sent: leaders are chosen, and clients ask who they are.
        var election = Duration.seconds(5)
    }

    var records: [PlannedRecord]
    /// When each record was written, by its number in the plan; of a repeat, when the first was published.
    var written: [Int: Timestamp] = [:]
    /// Where each confirmed record lies, by its number in the plan.
    var places: [Int: RecordPlace] = [:]
    /// What the hub accepted, in its order.
    var acceptances: [Acceptance] = []
    /// Every final outcome of each record, in the order of the topic.
    var outcomes: [RecordPlace: [SeenOutcome]] = [:]
    var deadLetters: Set<RecordPlace> = []
    /// In the order of time.
    var disturbances: [Disturbance] = []
    /// When the machine stood still, so that nobody can say what workers would have done; in the order of time.
    var pauses: [Range<Timestamp>] = []
    /// When brokers were dead, from the kill until they served again; the partitions that they led may have had no leader.
    var outages: [Range<Timestamp>] = []
    var patience = Patience()

    /// The partition that an event lies in.
    let partitions: [String: KafkaTopicPartition]
    /// The numbers of the acceptances of each partition, in the order of time.
    let timeline: [KafkaTopicPartition: [Int]]
    /// What the hub does to each story that it does something to.
    let faults: [String: HubFault]

    /// Gathers it.
    init(
        records: [PlannedRecord],
        written: [Int: Timestamp] = [:],
        places: [Int: RecordPlace] = [:],
        acceptances: [Acceptance] = [],
        outcomes: [RecordPlace: [SeenOutcome]] = [:],
        deadLetters: Set<RecordPlace> = [],
        disturbances: [Disturbance] = [],
        pauses: [Range<Timestamp>] = [],
        outages: [Range<Timestamp>] = [],
        patience: Patience = Patience()
    ) {
        self.records = records
        self.written = written
        self.places = places
        self.acceptances = acceptances
        self.outcomes = outcomes
        self.deadLetters = deadLetters
        self.disturbances = disturbances
        self.pauses = pauses
        self.outages = outages
        self.patience = patience
        var partitions: [String: KafkaTopicPartition] = [:]
        for (number, place) in places { partitions[records[number].event] = place.partition }
        var timeline: [KafkaTopicPartition: [Int]] = [:]
        for (number, acceptance) in acceptances.enumerated() {
            if let partition = partitions[acceptance.event] { timeline[partition, default: []].append(number) }
        }
        var faults: [String: HubFault] = [:]
        for record in records { faults[record.story] = record.fault }
        self.partitions = partitions
        self.timeline = timeline
        self.faults = faults
    }

    /// Who worked on a partition: the worker of its last acceptance before an instant.
    ///
    /// - Returns: Nil where nothing of it was accepted before.
    func owner(of partition: KafkaTopicPartition, at time: Timestamp) -> String? {
        let numbers = timeline[partition] ?? []
        let next = numbers.firstIndex(from: { acceptances[$0].time > time })
        return next > 0 ? acceptances[numbers[next - 1]].worker : nil
    }

    /// For how long of a time the machine stood still.
    func stillness(in time: Range<Timestamp>) -> Duration {
        pauses.reduce(.zero) { sum, pause in
            let common = pause.clamped(to: time)
            return sum + (common.upperBound - common.lowerBound)
        }
    }

    /// The death that an acceptance was in flight at, so that nobody may have been told of it.
    ///
    /// That is a death of its own worker before its record can be expected to be confirmed, while no other worker had sent
    /// anything of the partition yet.
    ///
    /// - Returns: Nil where there was none.
    func deathInFlight(of acceptance: Acceptance) -> Disturbance? {
        let delay = faults[acceptance.story] == .slow ? HubFault.delay : .zero
        let death = disturbances.first { disturbance in
            disturbance.losesMemory && disturbance.worker == acceptance.worker
                && acceptance.time <= disturbance.time + patience.request
                && acceptance.time + delay + patience.record >= disturbance.time
        }
        guard let death, let partition = partitions[acceptance.event] else { return death }
        // Those who died at the same moment had sent until then.
        let numbers = timeline[partition] ?? []
        let start = numbers.firstIndex(from: { acceptances[$0].time > acceptance.time })
        for number in numbers[start...] {
            guard acceptances[number].time < death.time else { break }
            if acceptances[number].worker != acceptance.worker { return nil }
        }
        return death
    }
}

extension [Int] {
    /// The first place from which on a condition holds.
    fileprivate func firstIndex(from isMet: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isMet(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
