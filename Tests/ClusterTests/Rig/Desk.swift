import NewsflashBasics
import NewsflashGuarantees
import NewsflashKafka
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Writes a plan to the source, and records the time and the position of each record.
final class Desk: KafkaProducerDelegate {
    /// The pace of writing a plan.
    enum Pace: Sendable {
        /// A number of records per second.
        case perSecond(Double)
        /// A number of records at once. The next batch is written when the previous one is confirmed and the records
        /// without an outcome are at most the backlog.
        case batches(Int, backlog: Int)
    }

    private struct State: Sendable {
        var written: [Int: Timestamp] = [:]
        var places: [Int: RecordPosition] = [:]
        var partitions: [String: TopicPartition] = [:]
        var failures: [String] = []
        var reports = 0
        var isOver = false
        var pauses: [Range<Timestamp>] = []
    }

    let plan: NewsPlan
    private let client: KafkaConfiguration
    private let topic: String
    private let state = Locked(State())
    /// The number of records that Kafka confirmed or refused, after each batch.
    private let reported = EventLog<Int>()
    /// The producer for all records. A new one needs a second for its first record, and readers would wait for it.
    private let producer = Locked<KafkaProducer?>(nil)

    init(_ plan: NewsPlan, client: KafkaConfiguration, topic: String) {
        self.plan = plan
        self.client = client
        self.topic = topic
    }

    /// The time at which each record was written, by its number; a repeat has the publication time of the first.
    var written: [Int: Timestamp] { state.withLock { $0.written } }

    /// The position of each confirmed record, by its number, if the broker returned it.
    var places: [Int: RecordPosition] { state.withLock { $0.places } }

    /// The times without writes although records were due. This machine was too busy for results of these times.
    var pauses: [Range<Timestamp>] { state.withLock { $0.pauses } }

    /// The errors of refused records.
    var failures: [String] { state.withLock { $0.failures } }

    /// The partition of an event, once it is confirmed.
    func partition(of event: String) -> TopicPartition? { state.withLock { $0.partitions[event] } }

    /// Stops writing. Written records are still confirmed.
    func stop() { state.withLock { $0.isOver = true } }

    /// Removes records that Kafka has lost, because they do not end.
    ///
    /// - Returns: The number of lost records that the desk has written.
    func forget(_ losses: [KafkaLoss]) -> Int {
        state.withLock { state in
            let lost = state.places.filter { _, place in
                losses.contains { loss in
                    loss.partition == place.partition
                        && (loss.from..<loss.from + Int64(loss.records)).contains(place.offset)
                }
            }
            for number in lost.keys {
                state.places[number] = nil
                state.written[number] = nil
            }
            return lost.count
        }
    }

    /// Writes the plan until its end or until ``stop()``, and waits until all records are confirmed.
    ///
    /// - Parameters:
    ///   - pace: The pace.
    ///   - numbers: The records of the plan to write; `nil` for all.
    ///   - outcomes: The reader that shows the workers' progress for a pace with a backlog.
    /// - Throws: `CancellationError`, or the error of the client.
    func write(_ pace: Pace, _ numbers: Range<Int>? = nil, outcomes: OutcomeReader) async throws {
        let numbers = numbers ?? plan.records.indices
        let producer = try presentProducer()
        switch pace {
        case .perSecond(let rate): try await write(numbers, to: producer, rate: rate)
        case .batches(let size, let backlog):
            try await write(numbers, to: producer, batch: size, backlog: backlog, outcomes: outcomes)
        }
        try await confirmed(state.withLock { $0.written.count })
    }

    private func presentProducer() throws -> KafkaProducer {
        // Longer than any outage of a broker, because unconfirmed records prove nothing.
        let configuration = KafkaProducerConfiguration(
            client: client,
            messageTimeout: .seconds(120),
            maximumQueued: 50_000
        )
        return try producer.withLock { producer in
            let present = try producer ?? KafkaProducer(configuration, delegate: self)
            producer = present
            return present
        }
    }

    /// Ends the producer.
    func close() async {
        stop()
        await producer.withLock { $0.take() }?.close(deadline: .seconds(5))
    }

    private func write(_ numbers: Range<Int>, to producer: KafkaProducer, rate: Double) async throws {
        let start = ContinuousClock.now
        var next = numbers.lowerBound
        var isDue = start
        while next < numbers.upperBound, !state.withLock({ $0.isOver }) {
            let now = ContinuousClock.now
            let pause = now - isDue
            if pause > .milliseconds(20) {
                let end = Timestamp.now()
                state.withLock { $0.pauses.append((end - pause)..<end) }
            }
            let due = numbers.lowerBound + Int(((now - start) / .seconds(1)) * rate) + 1
            let end = min(due, numbers.upperBound)
            if next < end { write(next..<end, to: producer) }
            next = max(next, end)
            isDue = start + .seconds(Double(next - numbers.lowerBound) / rate)
            try await Task.sleep(until: isDue)
        }
    }

    private func write(
        _ numbers: Range<Int>,
        to producer: KafkaProducer,
        batch: Int,
        backlog: Int,
        outcomes: OutcomeReader
    ) async throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: batch)
        where !state.withLock({ $0.isOver }) {
            let end = min(start + batch, numbers.upperBound)
            if end > backlog { try await outcomes.finalOutcomes(end - backlog) }
            write(start..<end, to: producer)
            // Also waits for records written in parallel up to now.
            try await confirmed(state.withLock { $0.written.count })
        }
    }

    private func write(_ numbers: Range<Int>, to producer: KafkaProducer) {
        let now = Timestamp.now()
        let instants = state.withLock { state in
            numbers.map { number in
                let record = plan.records[number]
                let first = record.isRepeat ? plan.first(record.event).flatMap { state.written[$0] } : nil
                state.written[number] = first ?? now
                return first ?? now
            }
        }
        producer.produce(
            zip(numbers, instants).map { number, instant in
                let record = plan.records[number]
                return KafkaRecord(
                    topic: topic,
                    key: Array(record.story.utf8),
                    value: record.value(written: instant),
                    id: UInt64(number)
                )
            }
        )
    }

    private func confirmed(_ count: Int) async throws {
        try await reported.wait { ($0.last ?? 0) >= count ? () : nil }
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        let count = state.withLock { state in
            for report in reports {
                let number = Int(report.id)
                state.reports += 1
                switch report.result {
                case .success(let place):
                    let partition = TopicPartition(topic: topic, partition: place.partition)
                    // A broker that was away may return only that it has the record.
                    if place.offset >= 0 {
                        state.places[number] = RecordPosition(partition: partition, offset: place.offset)
                    }
                    state.partitions[plan.records[number].event] = partition
                case .failure(let error): state.failures.append("\(plan.records[number].event): \(error)")
                }
            }
            return state.reports
        }
        reported.append(count)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {}
}
