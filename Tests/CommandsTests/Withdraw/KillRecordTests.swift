import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashRouting
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct KillRecordTests {
    private static let now = Timestamp(seconds: 1_772_442_000)
    private static let highest: Int64 = (1 << 53) - 1

    private func known(_ facts: StoryFacts?, mode: EventMode = .live) throws -> KnownStory {
        let yaml =
            SampleNewsroom.yaml + """

                sources: { wire: { topic: wire.ninjs.v1, format: ninjs, id: "urn:wire" } }
                """
        let configuration = try ConfigurationReader(environment: [:]).read(text: yaml, source: "a").configuration
        return KnownStory(
            source: try configuration.sources.named("wire", in: "a"),
            partition: TopicPartition(topic: "ledger", partition: 5),
            mode: mode,
            facts: facts
        )
    }

    private func facts(revision: Int64 = 3, changedAt: Timestamp = Self.now) -> StoryFacts {
        StoryFacts(
            revision: revision,
            eventID: "e",
            source: "urn:other",
            kind: .alert,
            digest: ContentDigest(value: 1),
            isFinal: true,
            changedAt: changedAt
        )
    }

    private func kill(_ facts: StoryFacts?, mode: EventMode = .live) throws -> KillRecord {
        let order = KillRecord.Order(
            reason: "because",
            person: "ed:novak",
            text: [EventText(language: "en", headline: "H")]
        )
        return KillRecord(of: try known(facts, mode: mode), story: "s", by: order, number: 1, now: Self.now)
    }

    @Test func `the record is the event in its partition, for the decoder of a feed too`() throws {
        let kill = try kill(facts())
        #expect(kill.fault == nil)
        #expect(kill.record.topic == "wire.ninjs.v1" && kill.record.partition == 5)
        let headers = kill.record.headers.map { EventHeader(name: $0.name, value: $0.value) }
        let outcome = try known(nil).source.decoder.decode(bytes: kill.record.value, headers: headers)
        #expect(outcome == .event(kill.event, warnings: []))
        #expect(kill.event.source == "urn:other")
        #expect(kill.event.approvedBy == ["ed:novak"] && kill.event.note == "because")
        #expect(try self.kill(facts()).event.id != kill.event.id)
    }

    @Test func `the revision is above all known revisions`() throws {
        #expect(try kill(facts(revision: 3)).event.revision == 4)
        var passed = facts()
        passed.passedRevision = 9
        #expect(try kill(passed).event.revision == 10)
        var notified = facts()
        let audience = PlannedAudience(
            expression: try TagExpression(parsing: "world"),
            locale: "en",
            categories: [],
            isForUsers: false
        )
        notified.recordAccepted(
            Audience(hub: "main", format: "template", planned: audience),
            AudienceFact.Act(id: 1, kind: .flash, revision: 20, at: Self.now)
        )
        #expect(try kill(notified).event.revision == 21)
        #expect(try kill(facts(revision: Self.highest)).event.revision == Self.highest)
        #expect(try kill(facts(revision: .max)).fault == nil)
        #expect(try kill(nil).event.revision == Self.now.milliseconds)
        #expect(try kill(nil).event.source == "urn:wire")
    }

    @Test func `a clock that is behind does not make a withdrawal expire`() throws {
        #expect(try kill(facts(changedAt: Self.now + .seconds(60))).event.published == Self.now + .seconds(60))
        #expect(try kill(facts(changedAt: Self.now - .seconds(60))).event.published == Self.now)
    }

    @Test func `a story of a test is withdrawn as a test`() throws {
        #expect(try kill(facts(), mode: .test).event.mode == .test)
    }
}
