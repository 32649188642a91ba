import NewsflashEvents
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing

/// A person resumes one event while its source stays paused.
@Suite(.timeLimit(.minutes(1)))
struct ReleasedEventTests {
    private static let desk = PauseScope.source("desk")
    private var harness = CoreHarness()

    private mutating func order(
        _ act: ControlRecord.Act,
        _ scope: PauseScope = desk,
        by author: ControlRecord.Author = .person("novak")
    ) {
        harness.order(ControlRecord(act, scope, by: author, reason: "a test", at: harness.now.wall))
    }

    private static func event(_ id: String, at offset: Int64) -> PauseScope {
        .event(ResumedEvent(id: id, story: "story-of-\(id)", partition: CoreHarness.partition, offset: offset))
    }

    private static func news(_ id: String, kind: EventKind = .alert) -> NewsEvent {
        var news = NewsEvent.sample(id, kind: kind)
        news.source = "desk"
        return news
    }

    @Test(arguments: [PauseScope.all, desk, .topic("news")], [false, true])
    mutating func `one event is sent, and the others wait on, in memory and in the ledger`(
        _ scope: PauseScope,
        isInMemory: Bool
    ) {
        order(.pause, scope)
        harness.receive(Self.news("a"), Self.news("b"), Self.news("c"))
        if !isInMemory { harness.confirmAll() }
        order(.resume, Self.event("b", at: 1))
        #expect(harness.sending == ["b"])
        harness.finishAll()
        harness.pass(.seconds(60))
        #expect(harness.verdicts == ["b: sent"])
        harness.crash()
        #expect(harness.sends.isEmpty)
        order(.resume, scope)
        harness.finishAll()
        #expect(harness.verdicts == ["b: sent", "a: sent", "c: sent"])
    }

    @Test mutating func `an event that was resumed while no worker ran is sent by the next owner`() {
        order(.pause)
        harness.receive(Self.news("a"), Self.news("b"))
        harness.confirmAll()
        harness.orders.append(
            ControlRecord(.resume, Self.event("b", at: 1), by: .person("novak"), reason: "", at: harness.now.wall)
        )
        harness.crash()
        harness.answerRecalls()
        #expect(harness.sending == ["b"])
    }

    @Test mutating func `a later pause applies to the event, too`() {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        harness.answersWaitingAtOnce = false
        order(.resume, Self.event("a", at: 0))
        order(.pause, .all)
        harness.answerRecalls()
        harness.confirmAll()
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1))
        order(.resume, Self.event("a", at: 0))
        harness.answerRecalls()
        #expect(harness.sending == ["a"])
    }

    @Test mutating func `the position names the event, not the identifier`() {
        order(.pause)
        harness.receive(Self.news("a"), Self.news("b"))
        harness.confirmAll()
        order(.resume, Self.event("b", at: 0))
        #expect(harness.sends.isEmpty)
    }

    @Test mutating func `an event that a volume limit stopped is sent, and the pause stays in force`() {
        order(.pause, by: .volumeLimit)
        harness.receive(Self.news("a"), Self.news("b"))
        harness.confirmAll()
        #expect(harness.announced.map(\.verdict.reason) == ["held.volume_limit", "held.volume_limit"])
        order(.resume, Self.event("a", at: 0))
        #expect(harness.sending == ["a"])
        #expect(harness.core.pausesInForce.map(\.scope) == [Self.desk])
    }

    @Test mutating func `an event under embargo waits on`() {
        order(.pause)
        var news = Self.news("a")
        news.embargo = harness.now.wall + .seconds(1800)
        harness.receive(news)
        harness.confirmAll()
        order(.resume, Self.event("a", at: 0))
        harness.confirmAll()
        #expect(harness.sends.isEmpty)
        harness.pass(.seconds(1800))
        #expect(harness.sending == ["a"])
    }

    @Test(arguments: [0, 1])
    mutating func `a kill reaches subscribers of an event that was resumed before a crash`(stops: Int) {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        order(.resume, Self.event("a", at: 0))
        #expect(harness.sending == ["a"])
        harness.pass(.milliseconds(1))
        harness.orders.append(
            ControlRecord(.pause, Self.desk, by: .person("novak"), reason: "", at: harness.now.wall)
        )
        harness.crash()
        for _ in 0..<stops { harness.handOver() }
        #expect(harness.sends.isEmpty)
        kill("story-of-a")
        #expect(harness.sending == ["kill"])
    }

    /// A kill by another source, which is not paused.
    private mutating func kill(_ story: String) {
        var kill = NewsEvent.sample("kill", story: story, revision: 9, kind: .kill, categories: [])
        kill.source = "wire"
        harness.receive(kill)
        harness.rememberAll()
    }

    @Test mutating func `a kill reaches them also if it comes before the next owner has read the event`() {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        order(.resume, Self.event("a", at: 0))
        #expect(harness.sending == ["a"])
        harness.answersWaitingAtOnce = false
        harness.crash()
        #expect(harness.sends.isEmpty)
        kill("story-of-a")
        harness.answerRecalls()
        harness.rememberAll()
        #expect(harness.sending == ["kill"])
    }

    @Test mutating func `a recreated control topic resumes no event, and a new release has effect`() {
        order(.pause)
        harness.receive(Self.news("a"))
        harness.confirmAll()
        harness.orders = []
        harness.core.controlled(.read(SourcePauses()), now: harness.now)
        harness.perform()
        #expect(harness.sends.isEmpty)
        order(.resume, Self.event("a", at: 0))
        #expect(harness.sending == ["a"])
    }
}

/// The release of one event in the control topic.
@Suite(.timeLimit(.minutes(1)))
struct ReleaseOfEventRecordTests {
    private static let event = ResumedEvent(
        id: "n-1",
        story: "urn:desk:1",
        partition: TopicPartition(topic: "news.v1", partition: 3),
        offset: 811
    )
    private static let record = ControlRecord(
        .resume,
        .event(event),
        by: .person("novak"),
        reason: "checked",
        at: Timestamp(seconds: 1_772_440_800)
    )

    @Test func `it is decoded as it was encoded, and its key is its position`() throws {
        let bytes = ControlOrderCodec.encode(.source(Self.record))
        #expect(try ControlOrderCodec.decode(bytes.span) == .source(Self.record))
        #expect(Self.record.key == "event news.v1[3] 811")
    }

    @Test(
        arguments: [
            (#""act":"pause","topic":"t","event":"e","story":"s","partition":0,"offset":1"#, "/event: only a resume"),
            (#""act":"resume","event":"e","story":"s","partition":0,"offset":1"#, "/topic: must be the topic"),
            (#""act":"resume","story":"s""#, "/topic: must be the topic"),
            (#""act":"resume","topic":"t","story":"s","partition":0,"offset":1"#, "/event: must be a text"),
            (#""act":"resume","topic":"t","event":"e","story":"s","partition":0"#, "/offset: "),
            (#""act":"resume","topic":"t","event":"e","story":"s","partition":-1,"offset":1"#, "/partition: must be"),
            (#""act":"resume","topic":"t","source":"d","event":"e","story":"s","partition":0,"offset":1"#, "/topic: "),
        ]
    )
    func `one without a part of its event is an error, not a release of everything`(
        _ members: String,
        _ message: String
    ) throws {
        let text = #"{"v":1,\#(members),"by":"novak","at":"2026-03-02T08:40:00Z"}"#
        let error = try #require(throws: ControlRecordError.self) {
            try ControlOrderCodec.decode(Array(text.utf8).span)
        }
        #expect(error.description.hasPrefix(message), "\(error)")
    }

    @Test func `its deletion releases nothing`() {
        #expect(ControlRecord.deletion(of: Self.record.key, at: Timestamp(seconds: 0)) == nil)
    }
}
