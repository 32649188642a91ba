import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct WithdrawalResultTests {
    private typealias Status = OutcomeRecord.Report.Status

    private static func outcome(
        _ verdict: EventVerdict,
        _ statuses: [OutcomeRecord.Report.Status] = [],
        isFinal: Bool = true
    ) -> OutcomeRecord {
        let origin = RecordOrigin(partition: TopicPartition(topic: "news", partition: 0), offset: 4)
        let kill = NewsEvent(id: "k", source: "urn:s", story: "s\u{1B}[2J", revision: 2, kind: .kill, published: at)
        var record = OutcomeRecord(of: kill, verdict: verdict, origin: origin, config: "c", at: at)
        record.isFinal = isFinal
        record.targets = statuses.enumerated().map { number, status in
            var report = OutcomeRecord.Report()
            report.status = status
            return OutcomeRecord.Target(.init(hub: "main", platform: "template", tags: "tag-\(number)"), report)
        }
        return record
    }

    private static let at = Timestamp(seconds: 1_772_442_000)

    private static func report(_ outcome: OutcomeRecord?) -> WithdrawalReport {
        WithdrawalReport(
            source: "desk",
            event: NewsEvent(id: "k", source: "urn:s", story: "s", revision: 2, kind: .kill, published: at),
            origin: LaterOutcomes.Origin(
                RecordOrigin(partition: TopicPartition(topic: "news", partition: 0), offset: 4)
            ),
            outcome: outcome,
            patience: "30s"
        )
    }

    static let cases: [(OutcomeRecord?, WithdrawalResult, String)] = [
        (outcome(EventVerdict(.sent), [.accepted, .accepted]), .withdrawn, "withdrawn at 2 of 2 audiences"),
        (outcome(EventVerdict(.sent), [.accepted, .skipped]), .incomplete, "NOT fully withdrawn at 1 of 2 audiences"),
        (outcome(EventVerdict(.sent)), .incomplete, "NOT withdrawn"),
        (
            outcome(EventVerdict(.partial, "partial.hub_removed"), [.accepted, .skipped]), .incomplete,
            "NOT fully withdrawn at 1 of 2 audiences"
        ),
        (outcome(EventVerdict(.failed, "failed.unavailable"), [.unknown]), .incomplete, "NOT withdrawn"),
        (outcome(EventVerdict(.expired, "expired.ttl")), .incomplete, "NOT withdrawn"),
        (outcome(EventVerdict(.superseded, "superseded.killed")), .incomplete, "NOT withdrawn"),
        (outcome(EventVerdict(.invalid, "invalid.schema", "/v: is missing")), .incomplete, "NOT withdrawn"),
        (outcome(EventVerdict(.suppressed, "suppressed.no_test_hub")), .incomplete, "NOT withdrawn"),
        (outcome(EventVerdict(.suppressed, "suppressed.killed")), .withdrawnBefore, "withdrawn before"),
        (outcome(EventVerdict(.suppressed, "suppressed.never_sent")), .nobodyNotified, "nobody was notified"),
        (outcome(EventVerdict(.held, "held.source"), isFinal: false), .waits, "waits"),
        (outcome(EventVerdict(.held, "held.volume_limit"), isFinal: false), .waits, "waits"),
        (outcome(EventVerdict(.held, "held.embargo"), isFinal: false), .unanswered, "written, but no worker"),
        (outcome(EventVerdict(.deferred, "deferred.hub"), isFinal: false), .unanswered, "written, but no worker"),
        (nil, .unanswered, "written, but no worker has answered for 30s"),
    ]

    private func isDone(_ reports: [WithdrawalReport]) -> Bool { (try? reports.requireSuccess()) != nil }

    @Test(arguments: cases.indices)
    func `a withdrawal is a success only if every audience has it`(_ index: Int) {
        let (outcome, result, beginning) = Self.cases[index]
        let report = Self.report(outcome)
        #expect(report.result == result)
        #expect(report.lines.first?.hasPrefix(beginning) == true, "\(report.lines)")
        let isSuccess = result == .withdrawn || result == .withdrawnBefore
        #expect(isDone([report]) == isSuccess)
        // A source in which nobody was notified does not spoil the success of another.
        let beside = [report, Self.report(Self.outcome(EventVerdict(.suppressed, "suppressed.never_sent")))]
        #expect(isDone(beside) == isSuccess)
        let done = [report, Self.report(Self.outcome(EventVerdict(.sent), [.accepted]))]
        #expect(isDone(done) == (isSuccess || result == .nobodyNotified))
    }
}
