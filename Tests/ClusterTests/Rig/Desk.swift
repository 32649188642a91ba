import Guarantees
import Kafka
import Locks
import TestSupport
import Timestamps

/// Writes a plan to the source, and remembers when each record was written and where it lies.
final class Desk: KafkaProducerDelegate {
    /// How quickly a plan is written.
    enum Pace: Sendable {
        /// So many records a second.
        case perSecond(Double)
        /// So many at once, each batch when the one before is confirmed and all but so many records have an outcome.
        case batches(Int, backlog: Int)
    }

    private struct State: Sendable {
        var written: [Int: Timestamp] = [:]
        var places: [Int: RecordPlace] = [:]
        var partitions: [String: KafkaTopicPartition] = [:]
        var failures: [String] = []
        var reports = 0
        var isOver = false
        var pauses: [Range<Timestamp>] = []
    }

    let plan: NewsPlan
    private let client: KafkaConfiguration
    private let topic: String
    private let state = Locked(State())
    /// How many records Kafka confirmed or refused, at each batch of them.
    private let reported = EventLog<Int>()
    /// One for all that is written: a new one needs a second for its first record, and its readers would wait for it.
    private let producer = Locked<KafkaProducer?>(nil)

    init(_ plan: NewsPlan, client: KafkaConfiguration, topic: String) {
        self.plan = plan
        self.client = client
        self.topic = topic
    }

    /// When each record was written, by its number; a repeat was published with the first.
    var written: [Int: Timestamp] { state.withLock { $0.written } }

    /// Where each confirmed record lies, by its number, as far as the broker said.
    var places: [Int: RecordPlace] { state.withLock { $0.places } }

    /// When nothing was written at a rate though something was due: this machine was too busy to say much of that time.
    var pauses: [Range<Timestamp>] { state.withLock { $0.pauses } }

    /// What Kafka refused.
    var failures: [String] { state.withLock { $0.failures } }

    /// The partition of an event, once it is confirmed.
    func partition(of event: String) -> KafkaTopicPartition? { state.withLock { $0.partitions[event] } }

    /// Writes no more; what was written is still confirmed.
    func stop() { state.withLock { $0.isOver = true } }

    /// Forgets records that Kafka has lost: they do not end.
    ///
    /// - Returns: How many of them it has written.
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

    /// Writes the plan, until its end or until ``stop()``, and waits until all is confirmed.
    ///
    /// - Parameters:
    ///   - pace: How quickly.
    ///   - numbers: Which records of the plan; nil for all.
    ///   - outcomes: Tells a pace with a backlog how far the workers are.
    /// - Throws: `CancellationError`, or what the client says.
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
        // Longer than any broker is away: what is not confirmed proves nothing.
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
            // Of what is written beside it as much as there is by now.
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
                    let partition = KafkaTopicPartition(topic: topic, partition: place.partition)
                    // A broker that was away may know only that it has the record.
                    if place.offset >= 0 {
                        state.places[number] = RecordPlace(partition: partition, offset: place.offset)
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
