import Locks
import Publishing

#if TESTABLE
@testable import StructuredLog
@testable import Worker
#endif

extension Benchmark {
    #if TESTABLE
    /// What people are told of an event's end.
    static var observing: [Benchmark] {
        [
            each("metrics", of: { try $0.outcomes() }) { _ in
                let metrics = WorkerMetrics()
                return { metrics.ended($0) }
            },
            each("log.text", of: { try $0.entries() }) { _ in { blackHole(TextLogHandler.line($0)) } },
            each("log.json", of: { try $0.entries() }) { _ in { blackHole(JSONLogHandler.line($0)) } },
            each("observe", of: { try $0.outcomes() }) { workload in
                let observer = workload.observer(TextLines())
                return { observer.observe(.ended($0)) }
            },
        ]
    }
    #else
    /// None where the modules' inner parts are out of reach: see `.ci/benchmark`.
    static var observing: [Benchmark] { [] }
    #endif
}

#if TESTABLE
extension Workload {
    fileprivate func observer(_ handler: any LogHandler) -> PublishingObserver {
        let now = now.wall
        let logger = Logger(label: "newsflash.worker", handler: handler, now: { now })
        return PublishingObserver(logger: logger, metrics: WorkerMetrics(), follower: nil)
    }

    /// What is logged of the ends of all events.
    fileprivate func entries() throws -> [LogEntry] {
        let kept = KeptEntries()
        let observer = observer(kept)
        for outcome in try outcomes() { observer.observe(.ended(outcome)) }
        return kept.entries.withLock { $0 }
    }
}

/// Makes lines and forgets them.
private struct TextLines: LogHandler {
    func log(_ entry: LogEntry) { blackHole(TextLogHandler.line(entry)) }
}

private final class KeptEntries: LogHandler {
    let entries = Locked<[LogEntry]>([])

    func log(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
}
#endif
