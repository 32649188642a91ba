import NewsflashBasics

/// Counts completed sends, and measures the middle 80 % of them, when the process is warm and busy.
final class LapCount: Sendable {
    private struct State {
        var done = 0
        var first: (count: Int, usage: ProcessUsage)?
        var last: (count: Int, usage: ProcessUsage)?
    }

    private let total: Int
    private let state = Locked(State())
    private let finished = Promise<Void>()

    init(of total: Int) {
        self.total = total
    }

    /// Counts completed sends. Called on one thread; reads the process's usage twice per lap.
    func count(_ sends: Int) {
        let (before, after) = state.withLock { state in
            defer { state.done += sends }
            return (state.done, state.done + sends)
        }
        let from = total / 10
        let to = total - from
        if before < from, after >= from {
            let usage = ProcessUsage.now()
            state.withLock { $0.first = (after, usage) }
        } else if before < to, after >= to {
            let usage = ProcessUsage.now()
            state.withLock { $0.last = (after, usage) }
        }
        if before < total, after >= total { finished.end(with: ()) }
    }

    /// Waits for the last send, or until the waiting task is cancelled.
    func wait() async {
        _ = await finished.wait()
    }

    /// The figures of the middle 80 %; `nil` before their end.
    var result: SendLap? {
        let (first, last) = state.withLock { ($0.first, $0.last) }
        guard let first, let last, last.count > first.count else { return nil }
        let sends = Double(last.count - first.count)
        return SendLap(
            rate: sends / ((last.usage.instant - first.usage.instant).inMicroseconds / 1e6),
            cpu: (last.usage.cpu - first.usage.cpu).inMicroseconds / sends
        )
    }
}

/// The figures of one lap.
struct SendLap {
    /// Sends per second.
    var rate: Double
    /// Microseconds of processor time per send, over all threads of the process.
    var cpu: Double
}
