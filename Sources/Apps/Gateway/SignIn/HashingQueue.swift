import Locks
import Threads

/// Runs slow hashes on separate threads, a few at a time, with a limited number of waiting jobs.
///
/// Guesses must not delay the right user. Therefore jobs of suspects come last and never occupy all threads. Among equal jobs
/// the
/// newest runs first: under an attack the oldest have waited too long anyway. If there are too many jobs, the oldest job of a
/// suspect is dropped, or the oldest job if no suspect waits.
final class HashingQueue: Sendable {
    private struct Job: Sendable {
        var isSuspect: Bool
        var run: @Sendable () -> Void
        var drop: @Sendable () -> Void
    }

    private struct State {
        var running = 0
        var suspectsRunning = 0
        /// The waiting jobs, oldest first.
        var waiting: [Job] = []
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let state = Locked(State())

    /// Creates an idle queue.
    ///
    /// - Parameters:
    ///   - maximumRunning: The number of concurrent hashes, at least two; each needs tens of megabytes.
    ///   - maximumWaiting: The maximum number of waiting jobs.
    init(maximumRunning: Int = 2, maximumWaiting: Int = 64) {
        self.maximumRunning = max(2, maximumRunning)
        self.maximumWaiting = max(1, maximumWaiting)
    }

    /// The number of waiting jobs.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs a job when a thread is free.
    ///
    /// - Parameters:
    ///   - isSuspect: Whether the job is for a suspect sign-in.
    ///   - job: Blocks its thread until it is done.
    /// - Returns: The job's result; `nil` if the job was dropped, or the system has no thread left.
    func run<Result: Sendable>(isSuspect: Bool, _ job: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            let job = Job(
                isSuspect: isSuspect,
                run: { continuation.resume(returning: job()) },
                drop: { continuation.resume(returning: nil) }
            )
            let (started, dropped) = state.withLock { state -> (Job?, Job?) in
                state.waiting.append(job)
                let started = next(&state)
                guard state.waiting.count > maximumWaiting else { return (started, nil) }
                let index = state.waiting.firstIndex(where: \.isSuspect) ?? state.waiting.startIndex
                return (started, state.waiting.remove(at: index))
            }
            dropped?.drop()
            if let started { start(started) }
        }
    }

    private func start(_ job: Job) {
        let isStarted = startThread(named: "newsflash-hash") { [self] in
            var job = job
            while true {
                job.run()
                guard let next = end(of: job) else { return }
                job = next
            }
        }
        guard !isStarted else { return }
        // Without a running thread, the waiting jobs would wait forever.
        let dropped = state.withLock { state -> [Job] in
            release(job, &state)
            guard state.running == 0 else { return [job] }
            defer { state.waiting = [] }
            return state.waiting + [job]
        }
        for job in dropped { job.drop() }
    }

    /// Removes and returns the job to run next, if one may run.
    private func next(_ state: inout State) -> Job? {
        guard state.running < maximumRunning else { return nil }
        let index =
            state.waiting.lastIndex { !$0.isSuspect }
            ?? (state.suspectsRunning < maximumRunning - 1 ? state.waiting.indices.last : nil)
        guard let index else { return nil }
        let job = state.waiting.remove(at: index)
        state.running += 1
        if job.isSuspect { state.suspectsRunning += 1 }
        return job
    }

    private func release(_ job: Job, _ state: inout State) {
        state.running -= 1
        if job.isSuspect { state.suspectsRunning -= 1 }
    }

    /// - Returns: The job that the same thread runs next.
    private func end(of job: Job) -> Job? {
        state.withLock { state in
            release(job, &state)
            return next(&state)
        }
    }
}
