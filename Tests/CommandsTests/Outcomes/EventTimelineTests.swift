import NewsflashEvents
import NewsflashPublishing
import NewsflashRouting
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct EventTimelineTests {
    private static let published = Timestamp(seconds: 1_772_442_000)

    private func outcome(
        _ verdict: EventVerdict,
        at milliseconds: Int64,
        isFinal: Bool = true,
        change: (inout OutcomeRecord) -> Void = { _ in }
    ) -> FoundOutcome {
        let rejection = EventRejection(
            .schema,
            "",
            id: "e-1",
            source: "urn:desk",
            story: "urn:desk:42",
            revision: 2,
            kind: "flash"
        )
        let origin = RecordOrigin(
            partition: TopicPartition(topic: "news", partition: 3),
            offset: 41,
            timestamp: Self.published + .milliseconds(20)
        )
        let at = Self.published + .milliseconds(milliseconds)
        var record = OutcomeRecord(of: rejection, origin: origin, config: "c", at: at)
        record.verdict = verdict
        record.isFinal = isFinal
        record.timing.broker = 20
        record.timing.consumed = 25
        change(&record)
        return FoundOutcome(
            partition: TopicPartition(topic: "outcomes", partition: 0),
            offset: 7,
            record: record,
            value: record.json
        )
    }

    @Test func `a journey is shown step by step with the times between`() {
        let waiting = outcome(EventVerdict(.held, "held.embargo"), at: 30, isFinal: false)
        let sent = outcome(EventVerdict(.sent), at: 60_090) { record in
            record.timing.firstSend = 60_010
            record.timing.firstAccept = 60_080
            record.timing.lastAccept = 60_080
            var request = OutcomeRecord.Request(hub: "main", platform: "template", tags: "world")
            request.locale = "fr"
            request.textFrom = "en"
            var report = OutcomeRecord.Report()
            report.status = .accepted
            report.httpStatus = 201
            report.attempts = 1
            report.trackingID = "t-1"
            record.targets = [OutcomeRecord.Target(request, report)]
            record.warnings = ["time.skew"]
        }
        #expect(
            EventTimeline([waiting, sent], []).lines == [
                "event e-1, flash, revision 2, story urn:desk:42, from urn:desk, at news[3] offset 41",
                "  2026-03-02T09:00:00.000Z  published",
                "  2026-03-02T09:00:00.020Z  written to Kafka, 20 ms after it was published",
                "  2026-03-02T09:00:00.025Z  read by a worker, 25 ms after it was published",
                "  2026-03-02T09:00:00.030Z  waits: its embargo is not over (held.embargo)",
                "  2026-03-02T09:01:00.010Z  first request sent, 60 s after it was published",
                "  2026-03-02T09:01:00.080Z  first request accepted, 60 s after it was published",
                "  2026-03-02T09:01:00.090Z  SENT: 1 of 1 request accepted",
                "    accepted: main, template, world, in fr from en, HTTP 201, 1 attempt, tracking id t-1",
                "    remarks: time.skew",
            ]
        )
    }

    @Test func `a rejected record is shown with the position of its original`() {
        let verdict = EventVerdict(.invalid, "invalid.unmapped", "/categories: storms leads nowhere")
        let lines = EventTimeline([outcome(verdict, at: 30)], []).lines
        #expect(lines.contains("    /categories: storms leads nowhere"))
        #expect(
            lines.last == "    the original record is in the dead letters: 'newsflash dead-letters show --event e-1'"
        )
    }

    @Test func `times out of range do not crash the report`() {
        let found = outcome(EventVerdict(.sent), at: 30) { record in
            record.timing.broker = .infinity
            record.timing.consumed = -1e300
        }
        #expect(EventTimeline([found], []).lines.count == 5)
    }

    @Test func `a story's facts show who was notified and what waits, without its text`() throws {
        var record = StoryFacts(
            revision: 2,
            eventID: "e-1",
            source: "urn:desk",
            kind: .flash,
            digest: ContentDigest(value: 1),
            isFinal: true,
            changedAt: Self.published
        )
        func audience(_ tags: String, isForUsers: Bool = false) throws -> Audience {
            let audience = PlannedAudience(
                expression: try TagExpression(parsing: tags),
                locale: isForUsers ? nil : "en",
                categories: [],
                isForUsers: isForUsers
            )
            return Audience(hub: "main", format: "template", planned: audience)
        }
        let act = AudienceFact.Act(id: 1, kind: .flash, revision: 2, at: Self.published)
        record.recordAccepted(try audience("world"), act)
        record.recordPossible(try audience("username:anna", isForUsers: true), act)
        record.text = [EventText(language: "en", headline: "A bridge has opened")]
        record.waiting = [
            StoryFacts.Waiting(
                offset: 44,
                timestamp: nil,
                consumedAt: Self.published,
                until: nil,
                reason: .pause,
                attempts: 0,
                key: nil,
                value: Array("A bridge".utf8)
            )
        ]
        let memory = LedgerSummary(
            partition: TopicPartition(topic: "ledger", partition: 3),
            offset: 9,
            story: "urn:desk:42",
            record: record
        )
        #expect(
            EventTimeline([], [memory]).lines == [
                "ledger record of urn:desk:42, at ledger[3] offset 9:",
                "  open, changed 2026-03-02T09:00:00.000Z",
                "  latest: event e-1 (flash), revision 2; a repeat of it is not sent",
                "  accepted: main, template, world (en), flash of revision 2, 2026-03-02T09:00:00.000Z",
                "  may have been accepted, the hub did not respond: main, template, users by name, flash of revision 2, "
                    + "2026-03-02T09:00:00.000Z",
                "  waits: offset 44, for its source to be resumed: see 'newsflash pauses', then 'newsflash resume' (one event: '--event'), "
                    + "until a person ends the wait, not tried yet",
            ]
        )
        let json = String(decoding: memory.json, as: UTF8.self)
        #expect(!json.contains("bridge"))
        #expect(json.contains(#""certainty":"accepted""#) && json.contains(#""certainty":"possible""#))
        #expect(try JSONReader.read(json)[member: "waiting"]?.array?.count == 1)
    }
}
