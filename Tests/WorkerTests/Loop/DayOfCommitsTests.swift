import NewsflashEvents
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs
import Testing

@testable import NewsflashKafka
@testable import NewsflashWorker

/// A day with one commit a second, in virtual time. The memory for commits must not grow with their number.
@Suite(.timeLimit(.minutes(4)))
struct DayOfCommitsTests {
    private static let day = 86_400

    @Test func `a day with one commit a second keeps no more state than two hours`() {
        var books = Books()
        var early = 0
        for second in 1...Self.day {
            books.commit(Int64(second), isRefused: second % 3600 == 1800)
            if second == 7260 { early = parts(of: books) }
        }
        #expect(early > 20)
        #expect(parts(of: books) == early)
        #expect(books.processed.through == Int64(Self.day))
        #expect(books.tracker.openCount == 0 && books.tracker.watermark == Int64(Self.day) + 1)
    }

    @Test func `metrics have no more lines after ten thousand events and commits than after one`() {
        let metrics = WorkerMetrics(hubs: ["main"])
        var early = 0
        for number in 1...10_000 {
            let event = Desk.event("event-\(number)")
            let origin = RecordOrigin(partition: TopicPartition(topic: "news", partition: 0), offset: Int64(number))
            var outcome = OutcomeRecord(of: event, verdict: EventVerdict(.sent), origin: origin, config: "", at: .now())
            outcome.timing.firstAccept = Double(number % 500)
            metrics.ended(outcome)
            metrics.hubs[0].ended(.accepted, took: .milliseconds(20))
            let lag = PartitionLag(source: origin.partition, records: Int64(number), age: .milliseconds(number))
            metrics.lag.set([lag])
            if number == 1 { early = lines(of: metrics) }
        }
        #expect(early > 100)
        #expect(lines(of: metrics) == early)
    }

    private func lines(of metrics: WorkerMetrics) -> Int { metrics.registry.text().split(separator: "\n").count }

    /// The number of values in a value, including the elements of collections.
    private func parts(of value: Any) -> Int {
        let children = Mirror(reflecting: value).children
        return children.isEmpty ? 1 : children.reduce(0) { $0 + parts(of: $1.value) }
    }
}

/// The state that a worker and the library keep for one partition's commits.
private struct Books {
    let partition = TopicPartition(topic: "news", partition: 0)
    var tracker = OffsetTracker()
    var processed = ProcessedOffsets()
    var ownership = PartitionOwnership(patience: .seconds(20))
    var progress = ReadProgress(from: 1)
    var ledger = CommitTracker()
    var faults = KafkaHealth(group: "workers")
    var now = ContinuousClock.now

    init() { ownership.assign([partition], isCooperative: true, at: now) }

    /// Reads, processes and commits one record.
    mutating func commit(_ offset: Int64, isRefused: Bool) {
        now += .seconds(1)
        _ = tracker.begin(offset)
        tracker.complete(offset)
        processed.finish(offset, begun: [], frontier: offset + 1)
        progress.handedOver(upTo: offset + 1)
        ledger.handOut(partition, offset)
        _ = ledger.ask(partition, offset + 1)
        guard let next = tracker.beginCommit() else { return }
        _ = ownership.admit([partition: progress.processed(upTo: next)])
        let epoch = ownership.epoch
        let sent = ownership.dequeueOffsets(at: now)
        if isRefused { faults.failed(.committing, KafkaError(.rebalanceInProgress, "the group changes")) }
        ownership.commitWasAnswered(sent, isRefused: isRefused, sentIn: epoch, at: now)
        ledger.wereAnswered(ledger.beginCommit(), isCommitted: !isRefused)
        if !isRefused { faults.succeeded(.committing) }
    }
}
