import Dispatch
import Locks
import StructuredLog

/// The parts of a worker that have threads or connections. Each is added as soon as it exists. So a start that fails halfway
/// leaves no part running, and a stop ends all parts in the order of their stages.
final class WorkerParts: Sendable {
    /// The order in which parts end. Parts of the same stage end concurrently.
    enum Stage: CaseIterable {
        /// The consumer requests the drain, so it ends first.
        case consumer
        case publishing
        case transport
        case readers
        case producers
        case port

        fileprivate var name: String {
            switch self {
            case .consumer: "the consumer"
            case .publishing: "the publishing thread"
            case .transport: "the transport"
            case .readers: "a reader"
            case .producers: "a producer"
            case .port: "the port for health and metrics"
            }
        }
    }

    private typealias End = @Sendable (_ limit: Duration) async -> Bool

    private let ends = Locked<[Stage: [End]]>([:])
    private let logger: Logger

    /// Makes an empty list of parts.
    init(_ logger: Logger) { self.logger = logger }

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - stage: The stage in which it ends.
    ///   - end: Ends it within a limit, and returns whether it ended.
    func add(_ stage: Stage, _ end: @escaping @Sendable (_ limit: Duration) async -> Bool) {
        ends.withLock { $0[stage, default: []].append(end) }
    }

    /// Adds a part whose end blocks, so it does not run on the cooperative pool.
    func add(_ stage: Stage, blocking end: @escaping @Sendable () -> Void) {
        add(stage) { _ in
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    end()
                    continuation.resume(returning: true)
                }
            }
        }
    }

    /// Ends all parts. Every wait has a limit, even if a thread hangs: a part that does not end in time is abandoned.
    ///
    /// - Parameters:
    ///   - drain: The time limit for requests in flight.
    ///   - rest: The additional time limit of each stage.
    /// - Returns: Whether the consumer ended in time, with everything accepted by hubs committed; `true` without a consumer.
    func end(drain: Duration, rest: Duration) async -> Bool {
        let parts = ends.withLock { ends in
            defer { ends = [:] }
            return ends
        }
        // In a new task, because the caller's may be cancelled (a start is, by a signal) and would then not wait.
        return await Task {
            var isClean = true
            for stage in Stage.allCases {
                guard let ends = parts[stage] else { continue }
                let limit = stage == .consumer ? drain + rest : rest
                let hasEnded = await self.end(ends, of: stage, within: limit)
                if stage == .consumer { isClean = hasEnded }
            }
            return isClean
        }.value
    }

    /// Ends the parts of one stage. The limit does not depend on their threads. Parts that have a limit themselves get one
    /// second more.
    private func end(_ ends: [End], of stage: Stage, within limit: Duration) async -> Bool {
        let outcome = Promise<Bool>()
        // Abandoned if it hangs.
        Task {
            let all = await withTaskGroup(of: Bool.self) { group in
                for end in ends { group.addTask { await end(limit) } }
                return await group.reduce(true) { $0 && $1 }
            }
            outcome.end(with: all)
        }
        let keepsLimit = [.consumer, .readers, .producers].contains(stage)
        let nanoseconds = Int(((keepsLimit ? limit + .seconds(1) : limit) / .nanoseconds(1)).rounded())
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
            guard outcome.end(with: false) else { return }
            self.logger.error(
                "a part of the worker did not end in time and is abandoned",
                metadata: ["part": .string(stage.name)]
            )
        }
        return await outcome.wait() ?? false
    }
}
