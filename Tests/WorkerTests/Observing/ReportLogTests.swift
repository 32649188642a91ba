import NewsflashObservability
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing
@testable import NewsflashWorker

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

    @Test func `the log says whether a source or an event was resumed`() {
        let log = EventLog<LogEntry>()
        let observer = PublishingObserver(
            logger: Logger(label: "", handler: log),
            metrics: WorkerMetrics(),
            follower: nil
        )
        let place = TopicPartition(topic: "news", partition: 1)
        let event = ResumedEvent(id: "n-1", story: "s", partition: place, offset: 7)
        for scope in [PauseScope.source("desk"), .event(event)] {
            let order = ControlRecord(.resume, scope, by: .person("novak"), reason: "", at: .now())
            observer.tell(.controlled(order))
        }
        let messages = ["a source was resumed", "an event was resumed; its source stays as it is"]
        #expect(log.events.map(\.message) == messages)
        #expect(log.events.map { $0.metadata["source"] } == [.string("desk"), nil])
        #expect(log.events.map { $0.metadata[LogKey.event] } == [nil, .string("n-1")])
    }
}
