import NewsflashBasics
import NewsflashKafka
package import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps

/// A running worker: sends the events of the source topics to the hubs.
///
/// ``start(_:logger:observer:)`` starts it, ``waitForFault()`` waits for a fault that needs a restart, and ``stop()`` finishes
/// requests in flight, commits and leaves the group.
package final class Worker: Sendable {
    let configuration: WorkerConfiguration
    let logger: Logger
    let observation: WorkerObservation
    let kafka: KafkaConnections
    let ledger: LedgerParts
    let control: ControlParts
    let lag: LagMonitor
    let services: ServiceGroup
    let startedAt = Timestamp.now()
    /// The condition that delays the start, if any.
    let startFault = Locked<String?>(nil)
    let admin = Locked<AdminServer?>(nil)
    let isStopping = Locked(false)
    let stopped = Promise<Bool>()
    let watchdogState: Locked<WatchdogState>
    let watchdog: Watchdog

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
        let context = WorkerContext(configuration, logger: logger, follower: observer, faulted: faulted)
        let worker: Worker
        do throws(WorkerStartError) {
            worker = try Worker(context, source: source)
        } catch {
            _ = await context.services.shutDown(drain: .zero, rest: .seconds(1))
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

    private init(_ context: WorkerContext, source: ConfigurationSource?) throws(WorkerStartError) {
        configuration = context.configuration
        logger = context.logger
        observation = context.observation
        services = context.services
        if let problem = configuration.secure.problem { throw WorkerStartError(.configuration, problem) }
        do {
            let hubs = try HubConnections(context)
            kafka = try KafkaConnections(context)
            ledger = LedgerParts(context, kafka)
            control = ControlParts(context, kafka, source: source)
            services.add(.publishing, PublishingThread(context, hubs, kafka, ledger, control))
        } catch {
            throw WorkerStartError(error)
        }
        lag = LagMonitor(kafka.consumer, context)
        let hangs = HangDetector(drain: configuration.drain, sessionTimeout: configuration.sessionTimeout)
        watchdogState = Locked(WatchdogState(hangs: hangs))
        watchdog = Watchdog(every: StallDetector.interval, patience: hangs.longestSilence)
    }

    private func begin() async throws(WorkerStartError) {
        try serveAdmin()
        try services.start()
        try await waitForTopics()
        try await checkRetention()
        try await waitForOrders()
        do throws(KafkaError) {
            try kafka.consumer.subscribe(configuration.sources.map(\.topic))
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
            members: [(name: "rules", json: { [reloader = control.reloader] in reloader.json })]
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
            services.add(.port, server)
        } catch {
            throw WorkerStartError(.configuration, "admin.listen: \(error)")
        }
    }

    /// The port of health and metrics; `nil` if it is off.
    package var adminPort: UInt16? { admin.withLock { $0?.port } }

    /// Reads the configuration again soon, and compares its rules with those in force.
    ///
    /// - Parameter request: The origin of the request.
    package func reload(_ request: ReloadRequest) {
        control.reloader.reload(request)
    }

    /// The reasons why the worker is not ready; empty if it is.
    package var unreadyReasons: [String] { readiness.reasons }

    /// Waits for a fault that needs a restart.
    ///
    /// - Returns: The fault; `nil` if the waiting task was cancelled.
    package func waitForFault() async -> WorkerFault? {
        await observation.fatalFault.wait()
    }
}
