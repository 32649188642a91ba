import Locks
import Worker

/// Counts events on their way and looks at the clock over the middle 80 % of them, where all is warm and busy.
final class Lap: Sendable {
    private struct State {
        var done = 0
        var first: (count: Int, usage: ProcessUsage)?
        var last: (count: Int, usage: ProcessUsage)?
    }

    private let total: Int
    private let state = Locked(State())
    private let finished = OneShot<Void>()

    init(of total: Int) {
        self.total = total
    }

    /// Counts; called on one thread, which pays for two looks at the process's usage.
    func count(_ events: Int) {
        let (before, after) = state.withLock { state in
            defer { state.done += events }
            return (state.done, state.done + events)
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

    /// How many there were so far.
    var done: Int { state.withLock { $0.done } }

    /// Waits for the last event, or until the waiting task is cancelled.
    func wait() async {
        _ = await finished.wait()
    }

    /// What the middle took; `nil` before its end.
    var result: BenchLap? {
        let (first, last) = state.withLock { ($0.first, $0.last) }
        guard let first, let last, last.count > first.count else { return nil }
        let events = Double(last.count - first.count)
        let threads = last.usage.threadTimes(since: first.usage).mapValues { $0.inMicroseconds / events }
        return BenchLap(
            rate: events / ((last.usage.instant - first.usage.instant).inMicroseconds / 1e6),
            cpu: (last.usage.cpu - first.usage.cpu).inMicroseconds / events,
            threads: threads
        )
    }
}

/// The figures of one lap.
struct BenchLap {
    /// Events a second.
    var rate: Double
    /// Microseconds of processor time an event, all threads of the process.
    var cpu: Double
    /// The same by name of thread.
    var threads: [String: Double]
}
