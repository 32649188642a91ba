import CurlTransport
import Dispatch
import HTTPServer
import HTTPTransport
package import Kafka
import Locks
import NewsEvents
import OpenMetrics
import Publishing
package import StructuredLog
import Threads
import Timestamps

/// A running worker: from the source topic to the hub.
///
/// ``start(_:logger:audience:)`` brings it up, ``waitForFault()`` waits for what only a restart can mend, and ``stop()``
/// finishes what is in flight, commits and leaves the group.
package final class Worker: Sendable {
    private let configuration: WorkerConfiguration
    private let logger: Logger
    private let loop: PublishingLoop
    private let ends: KafkaEnds
    private let consumer: KafkaConsumer
    private let producer: KafkaProducer
    private let transport: CurlTransport
    private let metrics: WorkerMetrics
    private let observer: PublishingObserver
    private let admin = Locked<AdminServer?>(nil)
    private let isStopping = Locked(false)
    private let stopped = OneShot<Bool>()

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - configuration: What it is told.
    ///   - logger: Where it logs.
    ///   - audience: Someone who follows it.
    /// - Returns: A worker that has joined its group, or is about to.
    /// - Throws: ``WorkerStartError`` that says what is missing and what to do.
    package static func start(
        _ configuration: WorkerConfiguration,
        logger: Logger,
        audience: (any WorkerAudience)? = nil
    ) async throws(WorkerStartError) -> Worker {
        let worker = try Worker(configuration, logger: logger, audience: audience)
        do throws(WorkerStartError) {
            try await worker.begin()
        } catch {
            await worker.stop()
            throw error
        }
        return worker
    }

    private init(
        _ configuration: WorkerConfiguration,
        logger: Logger,
        audience: (any WorkerAudience)?
    ) throws(WorkerStartError) {
        guard let credentials = configuration.hub.credentials else {
            throw WorkerStartError(.configuration, configuration.hub.missingCredentials)
        }
        let loop = PublishingLoop()
        let metrics = WorkerMetrics()
        let observer = PublishingObserver(logger: logger, metrics: metrics, audience: audience)
        do {
            let hub = try HubLine(hub: configuration.hub.name, credentials: credentials, logger: logger)
            let transport = try CurlTransport(configuration.transport)
            let ends = KafkaEnds(loop: loop, drain: configuration.drain, logger: logger)
            let client = configuration.kafka.logging(to: logger)
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: client), delegate: ends)
            let consumer = try KafkaConsumer(configuration.consumer(client), delegate: ends)
            let decoder = EventDecoder(defaultSource: configuration.source.id)
            let ways = PublishingWays(
                decode: { decoder.decode($0) },
                hub: hub,
                transport: transport,
                produce: { batch in
                    producer.produce(batch.records)
                    producer.forward(batch.deadLetters)
                },
                commit: { offsets in
                    let refused = consumer.commit(offsets.asKafka)
                    guard !refused.isEmpty else { return }
                    loop.commitEnded(refused.map(SourcePartition.init), succeeded: false)
                },
                setReading: { consumer.setReading($0) },
                observer: observer
            )
            let core = PublishingCore(
                configuration: configuration.publishing,
                planner: EventPlanner(hub: configuration.hub.name, news: configuration.news),
                seed: .random(in: .min ... .max)
            )
            let writer = RecordWriter(
                topics: configuration.topics,
                group: configuration.group,
                worker: "newsflash \(WorkerVersion.current)"
            )
            let started = startThread(named: "publishing") {
                loop.run(PublishingState(core: core, ways: ways, writer: writer))
            }
            guard started else {
                throw WorkerStartError(.system, "no thread left for the publishing loop")
            }
            self.consumer = consumer
            self.producer = producer
            self.transport = transport
            self.ends = ends
        } catch {
            throw WorkerStartError(error)
        }
        self.configuration = configuration
        self.logger = logger
        self.loop = loop
        self.metrics = metrics
        self.observer = observer
    }

    private func begin() async throws(WorkerStartError) {
        try serveAdmin()
        do {
            let topics = configuration.topics
            try await producer.warm(
                topics: [topics.outcomes, topics.deadLetters, configuration.source.topic],
                timeout: .seconds(30)
            )
            try consumer.subscribe([configuration.source.topic])
        } catch {
            throw WorkerStartError(
                .kafka,
                "\(error). Brokers: \(configuration.kafka.bootstrapServers). "
                    + "If a topic is missing, make it with 'newsflash topics create'"
            )
        }
        logger.notice(
            "the worker has started",
            metadata: [
                LogKey.topic: .string(configuration.source.topic), LogKey.hub: .string(configuration.hub.name),
                "kafka.group": .string(configuration.group), "config": .string(configuration.publishing.digest),
            ]
        )
    }

    private func serveAdmin() throws(WorkerStartError) {
        guard let address = configuration.admin else { return }
        let sources = AdminServer.Sources(
            readiness: { [self] in readiness },
            status: { [observer] in observer.snapshot.status },
            metrics: { [metrics] in metrics.registry.text() }
        )
        do {
            let server = try AdminServer(address, sources: sources)
            admin.withLock { $0 = server }
            logger.info(
                "health and metrics are served",
                metadata: ["listen": .string("\(address.host):\(server.port)")]
            )
        } catch {
            throw WorkerStartError(.configuration, "admin.listen: \(error)")
        }
    }

    /// The port of health and metrics; `nil` where they are off.
    package var adminPort: UInt16? { admin.withLock { $0?.port } }

    private var readiness: Readiness {
        let (status, turnedAt) = observer.snapshot
        let now = Timestamp.now()
        return Readiness(
            status: status,
            turnedAt: turnedAt,
            kafkaFault: ends.presentFault(at: now),
            isStopping: isStopping.withLock { $0 },
            now: now
        )
    }

    /// What keeps the worker from its work; empty when it is ready.
    package var unreadyReasons: [String] { readiness.reasons }

    /// Waits until the worker cannot go on without a restart.
    ///
    /// - Returns: Why; `nil` when the waiting task was cancelled.
    package func waitForFault() async -> String? {
        await ends.fatal.wait()
    }

    /// Finishes what is in flight, commits, leaves the group and ends all threads.
    ///
    /// A second call waits for the first.
    ///
    /// - Returns: Whether all that was accepted is committed; `false` when the drain time was not enough.
    @discardableResult
    package func stop() async -> Bool {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return await stopped.wait() ?? false }
        // The consumer asks for the drain itself; a little more time for the commit and the good-bye.
        let isClosed = await consumer.close(deadline: configuration.drain + .seconds(5))
        await withCheckedContinuation { continuation in
            // Both wait for threads to end, so not on the cooperative pool.
            DispatchQueue.global().async { [loop, transport] in
                loop.stop()
                transport.shutdown()
                continuation.resume()
            }
        }
        await producer.close(deadline: .seconds(5))
        // Taken out, because the server's handler holds this worker.
        await admin.withLock { $0.take() }?.stop()
        logger.notice("the worker has stopped", metadata: ["clean": .boolean(isClosed)])
        stopped.end(with: isClosed)
        return isClosed
    }
}

extension WorkerConfiguration {
    /// How the worker reads its source.
    ///
    /// - Parameter client: The cluster, with a log of ours.
    /// - Returns: A member of ``group``.
    package func consumer(_ client: KafkaConfiguration) -> KafkaConsumerConfiguration {
        KafkaConsumerConfiguration(
            client: client,
            groupID: group,
            offsetReset: startAt,
            sessionTimeout: sessionTimeout,
            revokeDeadline: drain
        )
    }
}

extension KafkaConfiguration {
    /// The same with librdkafka's lines going to our log.
    fileprivate func logging(to logger: Logger) -> KafkaConfiguration {
        var configuration = self
        configuration.log = { line in
            let level: LogLevel =
                switch line.level {
                case .emergency, .alert, .critical: .critical
                case .error: .error
                case .warning: .warning
                case .notice, .info: .info
                case .debug: .debug
                }
            logger.log(
                level: level,
                "librdkafka",
                metadata: ["facility": .string(line.facility), LogKey.detail: .string(line.message)]
            )
        }
        return configuration
    }
}

extension [SourcePartition: Int64] {
    fileprivate var asKafka: [KafkaTopicPartition: Int64] {
        Dictionary<KafkaTopicPartition, Int64>(uniqueKeysWithValues: map { (KafkaTopicPartition($0), $1) })
    }
}

extension EventDecoder {
    /// Reads a message where it lies.
    fileprivate func decode(_ message: KafkaMessage) -> DecodeOutcome {
        let headers = message.headers.map { EventHeader(name: $0.name, value: $0.value) }
        return message.withValue { decode(value: $0, headers: headers) }
    }
}
