import Observability
import TestSupport
import Testing
import Timestamps

@testable import Publishing
@testable import Worker

/// The log lines of reports.
@Suite(.timeLimit(.minutes(1)))
struct ReportLogTests {
    @Test
    func `a failed write is logged with its event, and without one if the record cannot be read`() {
        let log = EventLog<LogEntry>()
        let observer = PublishingObserver(
            logger: Logger(label: "", handler: log),
            metrics: WorkerMetrics(),
            follower: nil
        )
        for event in ["one", ""] { observer.tell(.writeFailed(event: event, detail: "late", at: Timestamp.now())) }
        #expect(log.events.map { $0.metadata[LogKey.event] } == [.string("one"), nil])
    }
}
