import CurlTransport
import HTTPTransport
import Kafka
import Locks
import NewsEvents
import Publishing
package import StructuredLog
import Threads
import Timestamps

/// A running worker: sends the events of the source topics to the hubs.
///
/// ``start(_:logger:observer:)`` starts it, ``waitForFault()`` waits for a fault that needs a restart, and ``stop()`` finishes
/// requests in flight, commits and leaves the group.
package final class Worker: Sendable {
    let configuration: WorkerConfiguration
    let logger: Logger
    let loop: PublishingThread
    let ends: KafkaEventForwarder
    let consumer: KafkaConsumer
    let producer: KafkaProducer
    /// Writes the ledger, on separate connections: the less the ledger lags, the less a crash repeats.
    let ledgerProducer: KafkaProducer
    let metrics: WorkerMetrics
    let lag: LagMonitor
    let startedAt = Timestamp.now()
    let observer: PublishingObserver
    let ledger: LedgerReader
    let control: ControlReader
    let orders: ControlWriter
    let reloader: RuleReloader
    /// The parts that end when the worker stops.
    let parts: WorkerParts
    /// The condition that delays the start, if any.
    let startFault = Locked<String?>(nil)
    let admin = Locked<AdminServer?>(nil)
    let isStopping = Locked(false)
    let stopped = Promise<Bool>()
    let sight: Locked<WatchdogState>
    let watchdog: Watchdog
    let faultLog: KafkaFaultLog

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - logger: The log.
    ///   - observer: Receives all reports.
    ///   - source: Reads the configuration again; `nil` if that is not possible.
    ///   - faulted: Called once, on any thread, with the fault that prevents the worker from continuing, after it was logged.
    ///     The owner of the process must make sure that the process exits, even if threads hang.
    /// - Returns: A worker that has joined its group, or is about to.
    /// - Throws: ``WorkerStartError`` with the cause and the remedy.
    package static func start(
        _ configuration: WorkerConfiguration,
        logger: Logger,
        observer: (any WorkerObserver)? = nil,
        source: ConfigurationSource? = nil,
        faulted: @escaping @Sendable (WorkerFault) -> Void = { _ in }
    ) async throws(WorkerStartError) -> Worker {
        let parts = WorkerParts(logger)
        let worker: Worker
        do throws(WorkerStartError) {
            worker = try Worker(
                configuration,
                parts: parts,
                logger: logger,
                observer: observer,
                source: source,
                faulted: faulted
            )
        } catch {
            _ = await parts.end(drain: .zero, rest: .seconds(1))
            throw error
        }
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
        parts: WorkerParts,
        logger: Logger,
        observer: (any WorkerObserver)?,
        source: ConfigurationSource?,
        faulted: @escaping @Sendable (WorkerFault) -> Void
    ) throws(WorkerStartError) {
        if let problem = configuration.secure.problem { throw WorkerStartError(.configuration, problem) }
        let decoders = configuration.sources.decoders
        let ledgerTopics = Dictionary(configuration.sources.map { ($0.topic, $0.ledger) }) { first, _ in first }
        let loop = PublishingThread { decoders.decode($0) }
        let metrics = WorkerMetrics(hubs: configuration.hubs.map(\.label))
        metrics.show(logger)
        let faultLog = KafkaFaultLog(logger)
        let fatal = FatalFault(logger: logger, react: faulted)
        let watcher = PublishingObserver(logger: logger, metrics: metrics, follower: observer, fatal: fatal)
        // Identifies the ledger records of this process, as opposed to those of an earlier process or another worker.
        let instance = String(UInt64.random(in: .min ... .max), radix: 36)
        do {
            let hubs = try configuration.hubs.map { try HubSender($0, logger: logger) }
            let transport = try CurlTransport(configuration.transport)
            parts.add(.transport, blocking: transport.shutdown)
            var publishing = configuration.core
            publishing.hubAddresses = HubAddresses(
                Dictionary(hubs.map { ($0.label, $0.address) }) { first, _ in first },
                replaced: Dictionary(configuration.hubs.map { ($0.label, $0.replaces) }) { first, _ in first }
            )
            let losses = LostRecords(
                of: configuration.sources.map(\.topic),
                outcomes: configuration.topics.outcomes,
                group: configuration.group,
                config: configuration.publishing.digest,
                registry: metrics.registry,
                logger: logger
            )
            let ends = KafkaEventForwarder(
                loop: loop,
                group: configuration.group,
                drain: configuration.drain,
                keepsLedger: publishing.keepsLedger,
                losses: losses,
                fatal: fatal,
                faultLog: faultLog,
                logger: logger
            )
            let client = configuration.kafka.logging(to: faultLog)
            let orders = ControlWriter(topic: configuration.topics.control, next: ends, logger: logger) {
                loop.post(.controlled($0))
            }
            // Short linger, because records produced in one call are sent together: the publishing thread decides what can be
            // batched.
            let producer = try KafkaProducer(
                KafkaProducerConfiguration(client: client, linger: .microseconds(100)),
                delegate: orders
            )
            parts.add(.producers) { await producer.close(deadline: $0) }
            orders.open(producer)
            losses.open { producer.produce([$0]) }
            // Events without a ledger record would be sent again after a crash, so ledger records do not wait behind others.
            let ledgerProducer = try KafkaProducer(
                KafkaProducerConfiguration(client: client, linger: RecordPublisher.ledgerLinger),
                delegate: ends
            )
            parts.add(.producers) { await ledgerProducer.close(deadline: $0) }
            let consumer = try KafkaConsumer(configuration.consumer(client), delegate: ends)
            parts.add(.consumer) { await consumer.close(deadline: $0) }
            let recall = RecordRecall(
                ledgers: ledgerTopics,
                decode: { decoders.decode($0, of: $1, writtenAt: $2) },
                ignoresDamage: configuration.ledger.ignoresDamage,
                faultLog: faultLog,
                logger: logger,
                tell: { loop.post(.recalled($0)) }
            )
            let ledger = LedgerReader(
                ledgers: ledgerTopics,
                settings: configuration.ledger,
                group: configuration.group,
                instance: instance,
                byteLimit: publishing.storyMemoryBytes,
                loop: loop,
                recall: recall,
                metrics: metrics,
                faultLog: faultLog,
                logger: logger
            )
            parts.add(.readers) { _ in
                await ledger.close()
                return true
            }
            if publishing.keepsLedger {
                recall.open(client)
                try ledger.open(client)
            }
            let rules = configuration.rules
            let logLevel = LogLevelSetter(logger)
            let reloader = RuleReloader(
                source,
                rules: rules,
                secure: configuration.secure,
                adopt: { loop.post(.adopted($0)) },
                logLevel: logLevel,
                metrics: ReloadMetrics(metrics.registry),
                logger: logger
            )
            let control = ControlReader(
                topic: configuration.topics.control,
                loop: loop,
                orders: orders,
                reloader: reloader,
                logLevel: logLevel,
                faultLog: faultLog,
                logger: logger
            )
            parts.add(.readers) { _ in
                await control.close()
                return true
            }
            try control.open(client)
            // Without a ledger, the consumer could not recognize events that the priority scan found earlier.
            let scouts = configuration.scouts && publishing.keepsLedger
            let scout =
                !scouts
                ? nil
                : PriorityScanner(
                    client,
                    bytesBesideMessage: WorkerConfiguration.bytesBesideMessage,
                    decode: { decoders.decode($0) },
                    showsKinds: { decoders[$0].format == .event },
                    progress: { PriorityScanPlan.Progress(of: $0, in: consumer) },
                    isReaderFull: { consumer.isReadAheadUsedUp },
                    loop: loop,
                    faultLog: faultLog,
                    logger: logger
                )
            parts.add(.readers) { _ in
                await scout?.close()
                return true
            }
            let outlets = PublishingEnvironment(
                hubs: hubs,
                replies: metrics.hubs.map { HubReplies(loop, $0) },
                transport: transport,
                ledger: ledger,
                scout: scout,
                commit: { offsets in
                    let refused = consumer.commit(offsets.asKafka)
                    guard !refused.isEmpty else { return }
                    loop.post(.commit(refused.map(SourcePartition.init), succeeded: false))
                },
                control: { orders.write($0) },
                flow: { consumer.setReading(true, of: [KafkaTopicPartition($0)]) },
                membershipConfirmed: {
                    consumer.groupState.phase == .outside ? .now : consumer.membershipConfirmed
                },
                sessionTimeout: configuration.sessionTimeout,
                observer: watcher,
                samples: { reloader.keep($0) }
            )
            let ledgers = LedgerWriter(sources: configuration.sources, group: configuration.group, instance: instance) {
                ledgerProducer.produce($0)
            }
            let outcomes = OutcomeWriter(
                topics: configuration.topics,
                group: configuration.group,
                worker: "newsflash \(WorkerVersion.current)"
            )
            let recordOutlets = RecordSinks(
                wakeLedgers: { ledgerProducer.sendLingering() },
                produce: { batch in
                    producer.produce(batch.outcomes)
                    if !batch.letters.isEmpty { producer.produce(batch.letters) }
                    if !batch.forwarded.isEmpty { producer.forward(batch.forwarded) }
                },
                observer: watcher
            )
            let started =
                startThread(named: "publishing") { [publishing] in
                    // Only this thread uses the core.
                    let core = PublishingCore(
                        configuration: publishing,
                        rules: rules,
                        seed: .random(in: .min ... .max)
                    )
                    let desk = RecordPublisher(ledgers, outcomes, recordOutlets)
                    loop.run(PublishingRunner(core: core, outlets: outlets, records: desk))
                }
            guard started else {
                throw WorkerStartError(.system, "cannot start the publishing thread")
            }
            parts.add(.publishing, blocking: loop.stop)
            self.lag = LagMonitor(consumer: consumer, cluster: client, observer: watcher) { losses.add($0) }
            self.consumer = consumer
            self.producer = producer
            self.ledgerProducer = ledgerProducer
            self.ends = ends
            self.ledger = ledger
            self.control = control
            self.orders = orders
            self.reloader = reloader
        } catch {
            throw WorkerStartError(error)
        }
        self.configuration = configuration
        self.parts = parts
        self.logger = logger
        self.faultLog = faultLog
        self.loop = loop
        self.metrics = metrics
        self.observer = watcher
        let hangs = HangDetector(drain: configuration.drain, sessionTimeout: configuration.sessionTimeout)
        self.sight = Locked(WatchdogState(hangs: hangs))
        self.watchdog = Watchdog(every: StallDetector.interval, patience: hangs.longestSilence)
    }

    private func begin() async throws(WorkerStartError) {
        try serveAdmin()
        try await waitForTopics()
        try await checkRetention()
        try await waitForOrders()
        do throws(KafkaError) {
            try consumer.subscribe(configuration.sources.map(\.topic))
        } catch {
            throw WorkerStartError(.kafka, "\(error). Brokers: \(configuration.kafka.bootstrapServers)")
        }
        watchOver()
        logger.notice(
            "the worker has started",
            metadata: [
                LogKey.topic: .string(configuration.sources.map(\.topic).joined(separator: ", ")),
                LogKey.hub: .string(configuration.hubs.map(\.label).joined(separator: ", ")),
                "kafka.group": .string(configuration.group), "config": .string(configuration.publishing.digest),
            ]
        )
    }

    private func serveAdmin() throws(WorkerStartError) {
        guard let address = configuration.admin else { return }
        let shown = WorkerPages(
            readiness: { [self] in readiness },
            status: { [self] in status },
            metrics: { [self] format in scrape(format) },
            members: [(name: "rules", json: { [reloader] in reloader.json })]
        )
        do {
            let server = try AdminServer(
                address,
                hosts: configuration.adminHosts,
                hostsKey: "admin.hosts",
                pages: shown.pages,
                logger: logger
            )
            admin.withLock { $0 = server }
            parts.add(.port) { _ in
                await server.stop()
                return true
            }
        } catch {
            throw WorkerStartError(.configuration, "admin.listen: \(error)")
        }
    }

    /// The port of health and metrics; `nil` if it is off.
    package var adminPort: UInt16? { admin.withLock { $0?.port } }

    var readiness: Readiness {
        var readiness = readiness(stall: sight.withLock { $0.stall })
        if let note = reloader.note { readiness.notes.append(note) }
        readiness.notes += orders.faults
        return readiness
    }

    /// Reads the configuration again soon, and compares its rules with those in force.
    ///
    /// - Parameter request: The origin of the request.
    package func reload(_ request: ReloadRequest) {
        reloader.reload(request)
    }

    /// Returns whether the worker is ready.
    ///
    /// - Parameter stall: The watchdog's message about stalled work.
    /// - Returns: The readiness, with the reasons if it is not ready.
    func readiness(stall: String?) -> Readiness {
        let snapshot = observer.snapshot
        let group = consumer.groupState
        let startFault = startFault.withLock { $0 }
        return Readiness(
            Readiness.Facts(
                status: snapshot.status,
                turnedAt: snapshot.turnedAt,
                kafkaFaults: ends.presentFaults(at: .now()),
                writeFailure: ends.writeFailure,
                group: group,
                groupFor: .now - group.since,
                ledgerFaults: ledger.faults,
                // Without Kafka nothing can be read; `startFault` covers this.
                controlFault: startFault == nil ? control.fault : nil,
                isUnsure: snapshot.isUnsure,
                startFault: startFault,
                stall: stall,
                isStopping: isStopping.withLock { $0 },
                now: .now
            )
        )
    }

    /// The reasons why the worker is not ready; empty if it is.
    package var unreadyReasons: [String] { readiness.reasons }

    /// Waits for a fault that needs a restart.
    ///
    /// - Returns: The fault; `nil` if the waiting task was cancelled.
    package func waitForFault() async -> WorkerFault? {
        await ends.fatal.wait()
    }
}

extension [SourcePartition: Int64] {
    fileprivate var asKafka: [KafkaTopicPartition: Int64] {
        Dictionary<KafkaTopicPartition, Int64>(uniqueKeysWithValues: map { (KafkaTopicPartition($0), $1) })
    }
}
