import Dispatch
import NewsflashBasics
import NewsflashCurlTransport
import NewsflashKafka
import NewsflashObservability

/// A part of a worker that has a thread or connections.
protocol WorkerService: Sendable {
    /// Starts its work. Clients of Kafka and HTTP do not need it: they run once they exist.
    func start() throws
    /// Ends it, also if it was not started.
    ///
    /// - Parameter limit: The time that it may take. The group does not wait longer for a service that ignores it.
    /// - Returns: Whether it ended cleanly.
    func shutDown(within limit: Duration) async -> Bool
}

extension WorkerService {
    func start() {}
}

/// Runs blocking work on another thread than those of the cooperative pool.
func runBlocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}

/// The services of a worker: starts them in the order of their stages, and shuts them down in reverse.
///
/// A service is added as soon as it exists. So a start that fails halfway leaves no service running.
final class ServiceGroup: Sendable {
    /// The order of the start. Services of the same stage are shut down concurrently.
    enum Stage: String, CaseIterable {
        case port = "the port for health and metrics"
        case producers = "a producer"
        case readers = "a reader"
        case transport = "the transport"
        case publishing = "the publishing thread"
        /// The consumer requests the drain, so it ends first.
        case consumer = "the consumer"
    }

    private let services = Locked<[Stage: [any WorkerService]]>([:])
    private let logger: Logger

    /// Makes an empty group.
    init(_ logger: Logger) { self.logger = logger }

    /// Adds a service.
    func add(_ stage: Stage, _ service: any WorkerService) {
        services.withLock { $0[stage, default: []].append(service) }
    }

    /// Starts all services.
    ///
    /// - Throws: The error of the first service that fails; later ones are not started. The caller then shuts the group down.
    func start() throws(WorkerStartError) {
        let services = services.withLock { $0 }
        do {
            for stage in Stage.allCases { for service in services[stage] ?? [] { try service.start() } }
        } catch {
            throw WorkerStartError(error)
        }
    }

    /// Shuts all services down. Every wait has a limit, even if a thread hangs: a service that does not end in time is
    /// abandoned.
    ///
    /// - Parameters:
    ///   - drain: The time limit for requests in flight.
    ///   - rest: The additional time limit of each stage.
    /// - Returns: Whether the consumer ended in time, with everything accepted by hubs committed; `true` without a consumer.
    func shutDown(drain: Duration, rest: Duration) async -> Bool {
        let services = services.withLock { services in
            defer { services = [:] }
            return services
        }
        // In a new task, because the caller's may be cancelled (a start is, by a signal) and would then not wait.
        return await Task {
            var isClean = true
            for stage in Stage.allCases.reversed() {
                guard let services = services[stage] else { continue }
                let limit = stage == .consumer ? drain + rest : rest
                let hasEnded = await shutDown(services, of: stage, within: limit)
                if stage == .consumer { isClean = hasEnded }
            }
            return isClean
        }.value
    }

    /// Shuts the services of one stage down. The limit does not depend on their threads. Services that have a limit themselves
    /// get one second more.
    private func shutDown(_ services: [any WorkerService], of stage: Stage, within limit: Duration) async -> Bool {
        let outcome = Promise<Bool?>()
        // Abandoned if it hangs.
        Task {
            let all = await withTaskGroup(of: Bool.self) { group in
                for service in services { group.addTask { await service.shutDown(within: limit) } }
                return await group.reduce(true) { $0 && $1 }
            }
            outcome.end(with: all)
        }
        let keepsLimit = [.consumer, .readers, .producers].contains(stage)
        let nanoseconds = Int(((keepsLimit ? limit + .seconds(1) : limit) / .nanoseconds(1)).rounded())
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { outcome.end(with: nil) }
        if let isClean = await outcome.wait() ?? nil { return isClean }
        logger.error(
            "a part of the worker did not end in time and is abandoned",
            metadata: ["part": .string(stage.rawValue)]
        )
        return false
    }
}

extension KafkaProducer: WorkerService {
    func shutDown(within limit: Duration) async -> Bool { await close(deadline: limit) }
}

extension KafkaConsumer: WorkerService {
    func shutDown(within limit: Duration) async -> Bool { await close(deadline: limit) }
}

extension CurlTransport: WorkerService {
    func shutDown(within limit: Duration) async -> Bool {
        await runBlocking { self.shutdown() }
        return true
    }
}

extension AdminServer: WorkerService {
    func shutDown(within limit: Duration) async -> Bool {
        await stop()
        return true
    }
}
