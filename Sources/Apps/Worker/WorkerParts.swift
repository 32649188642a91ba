import Dispatch
import Locks
import StructuredLog

/// The parts of a worker that have threads or connections. Each is added as soon as it exists, so that a start which fails half
/// way leaves nothing behind, and a stop ends all of them in the order of their stages.
final class WorkerParts: Sendable {
    /// The order of the end; parts of one stage end side by side.
    enum Stage: CaseIterable {
        /// It asks for the drain itself, so it ends first.
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
            case .port: "the port of health and metrics"
            }
        }
    }

    private typealias End = @Sendable (_ limit: Duration) async -> Bool

    private let ends = Locked<[Stage: [End]]>([:])
    private let logger: Logger

    /// Begins without parts.
    init(_ logger: Logger) { self.logger = logger }

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - stage: When it ends.
    ///   - end: Ends it within a limit, and says whether it could.
    func add(_ stage: Stage, _ end: @escaping @Sendable (_ limit: Duration) async -> Bool) {
        ends.withLock { $0[stage, default: []].append(end) }
    }

    /// Adds a part whose end waits for a thread, so not on the cooperative pool.
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

    /// Ends all parts. Everything that is waited for has an end, also if its thread hangs: a part that does not end in time is
    /// left behind.
    ///
    /// - Parameters:
    ///   - drain: How long what is in flight may take.
    ///   - rest: How long each stage may take beside that.
    /// - Returns: Whether the consumer ended in time, with all that was accepted committed; true without one.
    func end(drain: Duration, rest: Duration) async -> Bool {
        let parts = ends.withLock { ends in
            defer { ends = [:] }
            return ends
        }
        // Not in the task of the caller: if that was cancelled, as a start is by a signal, it would wait for nothing.
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

    /// Ends the parts of one stage. No thread of theirs watches the limit, and those that keep one themselves get a second more.
    private func end(_ ends: [End], of stage: Stage, within limit: Duration) async -> Bool {
        let outcome = OneShot<Bool>()
        // Left behind if it hangs.
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
                "a part of the worker does not end, and is left behind",
                metadata: ["part": .string(stage.name)]
            )
        }
        return await outcome.wait() ?? false
    }
}
