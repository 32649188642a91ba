import Kafka
import Locks
import Timestamps

/// Writes the events of the bench into the source topic.
struct BenchLoader {
    private let topic: String
    private let partitions: Int
    private let events: BenchEvents
    private let producer: KafkaProducer
    private let deliveries = Deliveries()

    /// Lets a loader write, and closes it.
    ///
    /// - Parameters:
    ///   - newsroom: Names the topic.
    ///   - linger: How long a record waits for others.
    ///   - body: Writes.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` where Kafka cannot be written to, and what the body throws.
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
            throw CommandError(.unavailable, "Kafka at \(newsroom.brokers): \(error)")
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

    /// Looks the topic up. Brokers may tell of it only a moment after they made it, and nothing but asking again shows when.
    private func warm() async throws(KafkaError) {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do throws(KafkaError) {
                return try await producer.warm(topics: [topic])
            } catch {
                guard error.code == .unknownTopicOrPartition, .now < deadline else { throw error }
                // A bench that is stopped asks no more.
                guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { throw error }
            }
        }
    }

    /// Writes events as fast as they are taken, and waits until all are written.
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

    /// Writes events at a steady rate, and waits until all are written.
    ///
    /// - Parameters:
    ///   - count: How many, from number 0.
    ///   - rate: How many a second.
    ///   - start: When number 0 is due, in nanoseconds since the epoch.
    /// - Throws: ``CommandError`` where one was not written, `CancellationError` where nobody waits any more.
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

/// Counts what was written.
private final class Deliveries: KafkaProducerDelegate {
    private struct State {
        var written = 0
        var failure: KafkaError?
        var awaited: (count: Int, reached: OneShot<Void>)?
    }

    private let state = Locked(State())

    /// Waits until so many records were written by now.
    ///
    /// - Throws: ``CommandError`` where one was not, `CancellationError` where nobody waits any more.
    func wait(for count: Int) async throws {
        let reached = OneShot<Void>()
        state.withLock { state in
            if state.written >= count { reached.end(with: ()) } else { state.awaited = (count, reached) }
        }
        guard await reached.wait() != nil else { throw CancellationError() }
        if let failure = state.withLock(\.failure) {
            throw CommandError(.unavailable, "an event was not written: \(failure)")
        }
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        let reached = state.withLock { state -> OneShot<Void>? in
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
