import NewsflashBasics
import NewsflashCommands
import NewsflashKafka
import NewsflashOperations
import NewsflashTimestamps

/// Writes the events of the bench into the source topic.
struct BenchLoader {
    private let topic: String
    private let partitions: Int
    private let events: BenchEvents
    private let producer: KafkaProducer
    private let deliveries = Deliveries()

    /// Creates a loader, calls `body` with it, and closes it.
    ///
    /// - Parameters:
    ///   - newsroom: Contains the topic.
    ///   - linger: How long a record waits for others to fill a batch.
    ///   - body: Writes the events.
    /// - Returns: The result of `body`.
    /// - Throws: ``OperationError`` if Kafka cannot be written to, and the errors of `body`.
    static func with<Result: Sendable>(
        _ newsroom: BenchNewsroom,
        linger: Duration,
        _ body: (BenchLoader) async throws -> Result
    ) async throws -> Result {
        let loader: BenchLoader
        do throws(KafkaError) {
            loader = try BenchLoader(newsroom, linger: linger)
            try await loader.warm()
        } catch {
            throw OperationError(.unavailable, "Kafka at \(newsroom.brokers): \(error)")
        }
        do {
            let result = try await body(loader)
            await loader.producer.close()
            return result
        } catch {
            await loader.producer.close(deadline: .zero)
            throw error
        }
    }

    private init(_ newsroom: BenchNewsroom, linger: Duration) throws(KafkaError) {
        topic = newsroom.source
        partitions = newsroom.settings.sourcePartitions
        events = BenchEvents(seed: newsroom.settings.seed)
        producer = try KafkaProducer(
            KafkaProducerConfiguration(
                client: KafkaConfiguration(bootstrapServers: newsroom.brokers, clientID: "newsflash-bench"),
                linger: linger,
                compression: .none,
                maximumQueued: 2_000_000
            ),
            delegate: deliveries
        )
    }

    /// Looks up the topic. Retries for 10 s, because brokers may not return a topic immediately after they created it.
    private func warm() async throws(KafkaError) {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do throws(KafkaError) {
                return try await producer.warm(topics: [topic])
            } catch {
                guard error.code == .unknownTopicOrPartition, .now < deadline else { throw error }
                // Stops retrying if the bench is cancelled.
                guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { throw error }
            }
        }
    }

    /// Writes events at full speed, and waits until all are confirmed.
    func write(_ numbers: Range<Int>) async throws {
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            let range = next..<min(numbers.upperBound, next + 10_000)
            let now = Timestamp.now()
            producer.produce(range.map { record($0, published: now) })
            next = range.upperBound
            try await deliveries.wait(for: next - numbers.lowerBound)
        }
    }

    /// Writes events at a steady rate, and waits until all are confirmed.
    ///
    /// - Parameters:
    ///   - count: The number of events, starting with number 0.
    ///   - rate: Events per second.
    ///   - start: The due time of event 0, in nanoseconds since the epoch.
    /// - Throws: ``OperationError`` if an event was not written, `CancellationError` if the task is cancelled.
    func write(_ count: Int, rate: Int, start: Int64) async throws {
        var next = 0
        while next < count {
            let now = Timestamp.now().nanoseconds
            var range = next..<next
            while range.upperBound < count, due(range.upperBound, start, rate) <= now {
                range = next..<range.upperBound + 1
            }
            producer.produce(range.map { record($0, published: Timestamp(nanoseconds: due($0, start, rate))) })
            next = range.upperBound
            guard next < count else { break }
            let left = due(next, start, rate) - Timestamp.now().nanoseconds
            if left > 0 { try await Task.sleep(for: .nanoseconds(left), tolerance: .zero) }
        }
        try await deliveries.wait(for: count)
    }

    private func due(_ number: Int, _ start: Int64, _ rate: Int) -> Int64 {
        BenchEvents.due(number, start: start, rate: Int64(rate))
    }

    private func record(_ number: Int, published: Timestamp) -> KafkaRecord {
        KafkaRecord(
            topic: topic,
            partition: Int32(number % partitions),
            key: Array(events.story(number).utf8),
            value: events.event(number, published: published),
            id: UInt64(number)
        )
    }
}

/// Counts written records.
private final class Deliveries: KafkaProducerDelegate {
    private struct State {
        var written = 0
        var failure: KafkaError?
        var awaited: (count: Int, reached: Promise<Void>)?
    }

    private let state = Locked(State())

    /// Waits until `count` records were written.
    ///
    /// - Throws: ``OperationError`` if a record was not written, `CancellationError` if the task is cancelled.
    func wait(for count: Int) async throws {
        let reached = Promise<Void>()
        state.withLock { state in
            if state.written >= count { reached.end(with: ()) } else { state.awaited = (count, reached) }
        }
        guard await reached.wait() != nil else { throw CancellationError() }
        if let failure = state.withLock(\.failure) {
            throw OperationError(.unavailable, "an event was not written: \(failure)")
        }
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        let reached = state.withLock { state -> Promise<Void>? in
            for report in reports {
                if case .failure(let error) = report.result { state.failure = error }
            }
            state.written += reports.count
            guard let awaited = state.awaited, state.written >= awaited.count else { return nil }
            return awaited.reached
        }
        reached?.end(with: ())
    }
}
