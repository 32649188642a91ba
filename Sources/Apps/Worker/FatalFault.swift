import NewsflashBasics
import NewsflashObservability

/// The first fault that prevents the worker from continuing.
final class FatalFault: Sendable {
    private let logger: Logger
    private let react: @Sendable (WorkerFault) -> Void
    private let isKnown = Locked(false)
    private let known = Promise<WorkerFault>()

    /// Makes one without a fault.
    ///
    /// - Parameters:
    ///   - logger: Logs the reason before anything else is done.
    ///   - react: Called once, on the thread that reports the fault. For work that must happen even if tasks and threads hang.
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
            "the worker cannot continue: it stops and exits",
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
