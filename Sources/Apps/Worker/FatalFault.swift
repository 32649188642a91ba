import Locks
import StructuredLog

/// The fault after which a worker cannot go on. The first counts.
final class FatalFault: Sendable {
    private let logger: Logger
    private let react: @Sendable (WorkerFault) -> Void
    private let isKnown = Locked(false)
    private let known = OneShot<WorkerFault>()

    /// Makes one that is not known yet.
    ///
    /// - Parameters:
    ///   - logger: Gets the reason, before anything is done about it.
    ///   - react: Called once, on the thread that reports the fault: what must happen although tasks and threads may hang.
    init(logger: Logger, react: @escaping @Sendable (WorkerFault) -> Void = { _ in }) {
        self.logger = logger
        self.react = react
    }

    /// Whether a fault was reported.
    var isReported: Bool { isKnown.withLock { $0 } }

    /// Reports a fault, from any thread.
    func report(_ fault: WorkerFault) {
        let isFirst = isKnown.withLock { isKnown in
            defer { isKnown = true }
            return !isKnown
        }
        guard isFirst else { return }
        logger.critical(
            "the worker cannot go on: it stops what it can, and ends",
            metadata: [LogKey.detail: .string(fault.description)]
        )
        react(fault)
        known.end(with: fault)
    }

    /// Waits for the first fault.
    ///
    /// - Returns: The fault; `nil` if the waiting task was cancelled.
    func wait() async -> WorkerFault? { await known.wait() }
}
