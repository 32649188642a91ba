import Kafka
import KafkaMock
import Locks
import Publishing
import StructuredLog
import Worker

/// Lets a whole worker take events from a topic to the hub, until their outcomes are confirmed.
struct WorkerRun {
    let load: BenchLoad
    let cluster: MockCluster
    /// Of the source; outcomes, dead letters and ledger get topics beside it.
    let topic: String

    init(_ load: BenchLoad, cluster: MockCluster, topic: String) throws(CommandError) {
        self.load = load
        self.cluster = cluster
        self.topic = topic
        do throws(KafkaError) {
            for name in [topic, topic + ".outcomes", topic + ".dead-letters", topic + ".ledger"] {
                try cluster.createTopic(name, partitions: BenchLoad.partitions)
            }
        } catch {
            throw CommandError(error)
        }
    }

    /// Writes the events into the topic, ahead of the measurement.
    func produce() async throws(CommandError) {
        let audience = DeliveryCounter(expecting: load.events)
        do throws(KafkaError) {
            let client = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "bench")
            let producer = try KafkaProducer(
                KafkaProducerConfiguration(client: client, linger: .milliseconds(5), maximumQueued: 1_000_000),
                delegate: audience
            )
            try await producer.warm(topics: [topic])
            producer.produce(
                load.records().enumerated().map { number, value in
                    KafkaRecord(
                        topic: topic,
                        partition: Int32(number % BenchLoad.partitions),
                        key: Array("bench-\(number)".utf8),
                        value: value,
                        id: UInt64(number)
                    )
                }
            )
            _ = await audience.finished.wait()
            await producer.close()
        } catch {
            throw CommandError(error)
        }
        if let failure = audience.failure { throw CommandError(.unavailable, failure) }
    }

    /// Starts a worker and waits until it has nothing to do; for its memory.
    ///
    /// - Returns: Memory of the process before the worker, and with it.
    /// - Throws: ``CommandError`` where the worker does not become ready within ten seconds.
    func idle() async throws(CommandError) -> (before: ProcessMemory, with: ProcessMemory)? {
        let before = ProcessMemory.now()
        let worker = try await start(observer: nil)
        for _ in 0..<200 where !worker.unreadyReasons.isEmpty {
            try? await Task.sleep(for: .milliseconds(50))
        }
        let reasons = worker.unreadyReasons
        guard reasons.isEmpty else {
            await worker.stop()
            throw CommandError(
                .unavailable,
                "the worker is not ready after ten seconds: \(reasons.joined(separator: "; "))"
            )
        }
        // What is measured is a worker at rest, and nothing tells when its memory has come to rest.
        try? await Task.sleep(for: .milliseconds(500))
        let with = ProcessMemory.now()
        await worker.stop()
        return before.flatMap { before in with.map { (before, $0) } }
    }

    /// Measures.
    ///
    /// - Throws: ``CommandError`` where the worker stops on the way, or takes longer than ten minutes.
    func run() async throws(CommandError) -> BenchLap {
        let lap = Lap(of: load.events)
        let worker = try await start(observer: LapAudience(lap: lap))
        let fault = await withTaskGroup(of: String?.self) { group in
            group.addTask {
                await lap.wait()
                return nil
            }
            group.addTask { await worker.waitForFault() }
            group.addTask {
                try? await Task.sleep(for: .seconds(600))
                return "it took more than ten minutes"
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        await worker.stop()
        if let fault {
            throw CommandError(.unavailable, "the worker ended after \(lap.done) of \(load.events) events: \(fault)")
        }
        guard let result = lap.result else { throw CommandError(.internalError, "too few events to measure") }
        return result
    }

    private func start(observer: (any WorkerObserver)?) async throws(CommandError) -> Worker {
        let configuration: WorkerConfiguration
        do throws(ConfigurationError) {
            configuration = try load.configuration(brokers: cluster.bootstrapServers, topic: topic)
        } catch {
            throw CommandError(.internalError, error.description)
        }
        do throws(WorkerStartError) {
            return try await Worker.start(configuration, logger: configuration.log.logger, observer: observer)
        } catch {
            throw CommandError(error)
        }
    }
}

/// Counts events whose outcome is confirmed.
private struct LapAudience: WorkerObserver {
    let lap: Lap

    func heard(_ report: PublishingReport) {}

    func confirmed(_ count: Int) { lap.count(count) }
}

/// Waits until all records are written.
private final class DeliveryCounter: KafkaProducerDelegate {
    let finished = OneShot<Void>()
    private let state: Locked<(left: Int, failure: String?)>

    init(expecting count: Int) {
        state = Locked((count, nil))
    }

    /// Why a record could not be written.
    var failure: String? { state.withLock { $0.failure } }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        let left = state.withLock { state in
            for report in reports {
                if case .failure(let error) = report.result { state.failure = error.description }
            }
            state.left -= reports.count
            return state.left
        }
        if left <= 0 { finished.end(with: ()) }
    }
}

extension CommandError {
    fileprivate init(_ error: KafkaError) {
        self.init(.unavailable, error.description)
    }
}
