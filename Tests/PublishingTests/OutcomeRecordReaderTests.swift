import NewsflashEvents
import NewsflashRendering
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing

@Suite(.timeLimit(.minutes(1)))
struct OutcomeRecordReaderTests {
    private static let origin = RecordOrigin(
        partition: TopicPartition(topic: "news", partition: 3),
        offset: 41,
        timestamp: Timestamp(milliseconds: 1_772_441_999_900)
    )

    /// A record with all its members.
    private static func fullRecord() -> OutcomeRecord {
        let rejection = EventRejection(
            .schema,
            "",
            id: "event-1",
            source: "urn:desk",
            story: "urn:desk:42",
            revision: 7,
            kind: "flash"
        )
        let at = Timestamp(milliseconds: 1_772_442_000_050)
        var record = OutcomeRecord(of: rejection, origin: origin, config: "0123abcd", at: at)
        record.verdict = EventVerdict(.partial, "partial.refused", "the hub refused one of two")
        record.categories = ["world", "medtop:20000151"]
        record.group = "newsflash"
        record.isFinal = true
        record.isSecure = true
        record.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        record.timing.broker = -0.25
        record.timing.consumed = 3
        record.timing.firstSend = 4.125
        record.timing.firstAccept = 20.5
        record.timing.lastAccept = 21
        record.warnings = ["category.unknown", "time.skew"]
        var request = OutcomeRecord.Request(hub: "main", platform: "template", tags: "world && en")
        request.locale = "en"
        request.textFrom = "fr"
        request.template = "flash"
        request.bytes = 512
        request.isTruncated = true
        request.interruption = .timeSensitive
        var accepted = OutcomeRecord.Report()
        accepted.status = .accepted
        accepted.httpStatus = 201
        accepted.notificationID = "n-1"
        accepted.trackingID = "t-1"
        accepted.attempts = 2
        accepted.acceptedAt = at
        var rejected = OutcomeRecord.Report()
        rejected.status = .rejected
        rejected.error = "400: bad payload"
        record.targets = [
            OutcomeRecord.Target(request, accepted),
            OutcomeRecord.Target(OutcomeRecord.Request(hub: "main", platform: "apns", tags: "world"), rejected),
        ]
        return record
    }

    @Test func `each member is at the path documented for the topic`() {
        var record = Self.fullRecord()
        record.warnings.append("needs \"quotes\"")
        record.targets[1].request.digest = "0123456789ab"
        #expect(
            String(decoding: record.json, as: UTF8.self) == #"""
                {"v":1,"event":"event-1","source":"urn:desk","story":"urn:desk:42","revision":7,"kind":"flash",\#
                "categories":["world","medtop:20000151"],\#
                "outcome":"partial","reason":"partial.refused","detail":"the hub refused one of two","final":true,\#
                "delivery":"secure","at":"2026-03-02T09:00:00.050Z","origin":{"topic":"news","partition":3,\#
                "offset":41,"timestamp":"2026-03-02T08:59:59.900Z"},"group":"newsflash","config":"0123abcd",\#
                "traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",\#
                "timing":{"broker":-0.25,"consumed":3,"firstSend":4.125,"firstAccept":20.5,"lastAccept":21},\#
                "warn":["category.unknown","time.skew","needs \"quotes\""],"targets":[{"hub":"main",\#
                "platform":"template","tags":"world && en","locale":"en","textFrom":"fr","template":"flash",\#
                "status":"accepted","httpStatus":201,"notificationId":"n-1","trackingId":"t-1",\#
                "interruption":"timeSensitive","attempts":2,"bytes":512,"truncated":true,\#
                "acceptedAt":"2026-03-02T09:00:00.050Z"},{"hub":"main","platform":"apns","tags":"world",\#
                "status":"rejected","attempts":0,"digest":"0123456789ab","error":"400: bad payload"}]}
                """#
        )
    }

    @Test func `an object with only a late member begins without a comma`() {
        var record = Self.fullRecord()
        record.targets = []
        record.timing = OutcomeRecord.Timing()
        record.timing.firstSend = 1
        let text = String(decoding: record.json, as: UTF8.self)
        #expect(text.contains(#","timing":{"firstSend":1},"warn""#))
    }

    @Test func `an encoded outcome is decoded completely`() throws {
        let record = Self.fullRecord()
        #expect(try OutcomeRecordReader.read(record.json.span) == record)
    }

    @Test func `a request is written in the same way from its plan and from its record`() throws {
        let plan = try #require(OneSendPlanner.send("e-1", tag: "world", locale: "en", interruption: .passive))
        let send = PlannedSend(
            plan.message,
            to: plan.audience,
            textFrom: "fr",
            template: "flash",
            isTruncated: true,
            interruption: plan.interruption
        )
        var planned = Self.fullRecord()
        var noted = planned
        let report = try #require(planned.targets.first?.report)
        planned.targets = [OutcomeRecord.Target(send, report)]
        noted.targets = [OutcomeRecord.Target(OutcomeRecord.Request(send), report)]
        #expect(String(decoding: planned.json, as: UTF8.self) == String(decoding: noted.json, as: UTF8.self))
        #expect(planned == noted)
        #expect(try OutcomeRecordReader.read(planned.json.span) == planned)
    }

    @Test func `absent members stay absent`() throws {
        let rejection = EventRejection(.utf8, "no text")
        let record = OutcomeRecord(of: rejection, origin: Self.origin, config: "c", at: Timestamp(seconds: 1))
        let read = try OutcomeRecordReader.read(record.json.span)
        #expect(read == record)
        #expect(read.event.isEmpty)
        #expect(read.source == nil)
        #expect(read.timing == OutcomeRecord.Timing())
    }

    @Test(arguments: OutcomeKind.allCases)
    func `every kind of outcome is decoded, also provisional ones`(kind: OutcomeKind) throws {
        var record = Self.fullRecord()
        record.verdict = EventVerdict(kind)
        record.isFinal = kind != .held && kind != .deferred
        #expect(try OutcomeRecordReader.read(record.json.span) == record)
    }

    @Test func `members of a newer worker are ignored`() throws {
        var json = String(decoding: Self.fullRecord().json, as: UTF8.self)
        json.removeLast()
        json += #","mood":{"of":["the",1,null]}}"#
        #expect(try OutcomeRecordReader.read(Array(json.utf8).span) == Self.fullRecord())
    }

    @Test(arguments: [
        (#"[]"#, ": must be an object"),
        (#"{"v":2}"#, "/v: must be 1: other versions of the record are not supported"),
        (#"{"v":1,"origin":{"topic":"t","partition":-1,"offset":0}}"#, "/origin/partition: must be the number"),
        (#"{"v":1,"origin":{"topic":"t","partition":0,"offset":0},"at":"noon"}"#, "/at: must be a date-time"),
        (
            #"{"v":1,"origin":{"topic":"t","partition":0,"offset":0},"at":"2026-03-02T08:40:00Z","outcome":"lost"}"#,
            "/outcome: is not a word that this version supports"
        ),
        (
            #"{"v":1,"origin":{"topic":"t","partition":0,"offset":0},"at":"2026-03-02T08:40:00Z","outcome":"sent","#
                + #""final":true,"targets":[{"hub":7}]}"#,
            "/targets/0/hub: must be a text"
        ),
        (#"{"v":1"#, "at byte 6"),
    ])
    func `an invalid outcome is refused with the path`(text: String, expected: String) {
        let error = #expect(throws: OutcomeRecordError.self) {
            try OutcomeRecordReader.read(Array(text.utf8).span)
        }
        let description = error.map { "\($0.path): \($0.message)" } ?? ""
        #expect(description.contains(expected), "\(description)")
    }
}
