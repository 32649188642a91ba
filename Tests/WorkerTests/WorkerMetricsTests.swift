import NewsEvents
import OpenMetrics
import Publishing
import Testing
import Timestamps

@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct WorkerMetricsTests {
    @Test
    func `every metric can be written, whatever ends an event`() {
        let metrics = WorkerMetrics()
        let origin = RecordOrigin(partition: SourcePartition(topic: "news", number: 0), offset: 7)
        for kind in OutcomeKind.allCases {
            var outcome = OutcomeRecord(
                of: Desk.event("one"),
                verdict: EventVerdict(kind),
                origin: origin,
                config: "",
                at: Timestamp.now()
            )
            outcome.timing.firstAccept = 12
            metrics.ended(outcome)
        }
        metrics.retried("server_error")
        metrics.passedTombstone()
        metrics.writeFailed()
        #expect(metrics.registry.refusedNames == [])
        let text = metrics.registry.text()
        for kind in OutcomeKind.allCases {
            #expect(text.contains(#"newsflash_outcomes_total{outcome="\#(kind.rawValue)"} 1"#))
        }
        #expect(text.contains(#"newsflash_retries_total{error="server_error"} 1"#))
        #expect(text.contains("newsflash_tombstones_total 1"))
    }
}
