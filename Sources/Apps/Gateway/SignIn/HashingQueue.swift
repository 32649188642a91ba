import Dispatch
import Locks

/// Runs slow hashes on threads of their own, a few at a time, and keeps a few waiting: one more is turned away.
///
/// Not on the threads of tasks, which are as few as the cores and have everybody's answers to make.
final class HashingQueue: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let state = Locked(State())

    /// Makes an idle queue.
    ///
    /// - Parameters:
    ///   - maximumRunning: How many hashes are made at once; each takes tens of megabytes.
    ///   - maximumWaiting: How many more may wait.
    init(maximumRunning: Int = 2, maximumWaiting: Int = 64) {
        self.maximumRunning = maximumRunning
        self.maximumWaiting = maximumWaiting
    }

    /// Runs a job, now or when it is its turn.
    ///
    /// - Parameter job: Blocks for as long as it takes.
    /// - Returns: What the job returns; nothing where there is no room for it.
    func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: job()) }
            let place = state.withLock { state -> Place in
                if state.running < maximumRunning {
                    state.running += 1
                    return .free
                }
                guard state.waiting.count < maximumWaiting else { return .none }
                state.waiting.append(work)
                return .waiting
            }
            switch place {
            case .free: DispatchQueue.global().async { self.runAll(from: work) }
            case .waiting: break
            case .none: continuation.resume(returning: nil)
            }
        }
    }

    private enum Place {
        case free
        case waiting
        case none
    }

    private func runAll(from first: @Sendable () -> Void) {
        first()
        while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
