import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct GrowthPlanTests {
    private func record(waiting: Int = 0) -> StoryFacts {
        var record = StoryFacts.sent
        record.processed.finish(4711, begun: [], frontier: 4712)
        record.wordsOffset = 4711
        record.withdrawalOffset = 4712
        for offset in 0..<waiting {
            record.waiting.append(
                StoryFacts.Waiting(
                    offset: Int64(offset),
                    timestamp: nil,
                    consumedAt: .now(),
                    until: nil,
                    reason: .embargo,
                    attempts: 0,
                    key: nil,
                    value: []
                )
            )
        }
        return record
    }

    private func place(_ story: String, among count: Int) -> Int32 {
        KafkaPartitioner.partition(ofKey: Array(story.utf8), among: count)
    }

    private func plan(
        _ stories: [(story: String, record: StoryFacts, partition: Int32)],
        from: Int = 2,
        to count: Int = 4
    ) -> GrowthPlan {
        GrowthPlan(
            source: "news",
            ledger: "memory",
            sourceCount: from,
            ledgerCount: from,
            count: count,
            stories: stories
        )
    }

    @Test func `keys have the same partitions as with Java's producers`() {
        // From Kafka's own tests: org.apache.kafka.common.utils.UtilsTest.testMurmur2, made positive.
        for (key, hash) in [("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536)]
        {
            #expect(place(key, among: 1000) == Int32((hash & 0x7FFF_FFFF) % 1000))
        }
    }

    @Test func `stories move to the partitions of their keys, and stay if they are there`() {
        let names = (0..<100).map { "story-\($0)" }
        let plan = plan(names.map { ($0, record(), place($0, among: 2)) })
        #expect(plan.moves.count + plan.staying == 100)
        #expect(!plan.moves.isEmpty && plan.staying > 0)
        #expect(plan.moves.allSatisfy { $0.to == place($0.story, among: 4) && $0.from != $0.to })
        #expect(plan.strangers.isEmpty)
        #expect(!plan.isDone)
    }

    @Test func `a rehearsed story moves with the key of its events`() throws {
        let name = try #require((0..<100).map { "s-\($0)" }.first { place($0, among: 2) != place($0, among: 4) })
        let plan = plan([("test:" + name, record(), place(name, among: 2))])
        #expect(plan.moves.map(\.to) == [place(name, among: 4)])
    }

    @Test(arguments: ["replay 2026-11-23.a ", "replay r1 test:"])
    func `a story that was sent again to a tag moves with the key of its events`(mark: String) throws {
        let name = try #require((0..<100).map { "s-\($0)" }.first { place($0, among: 2) != place($0, among: 4) })
        let plan = plan([(mark + name, record(), place(name, among: 2))])
        #expect(plan.moves.map(\.to) == [place(name, among: 4)])
    }

    @Test func `a record in a partition that is not its key's is reported as foreign`() {
        let wrong: Int32 = place("story", among: 2) == 0 ? 1 : 0
        let plan = plan([("story", record(), wrong)])
        #expect(plan.strangers == ["story"] || plan.staying == 1)
    }

    @Test func `an interrupted run goes on with the rest`() throws {
        let name = try #require((0..<100).map { "s-\($0)" }.first { place($0, among: 2) != place($0, among: 4) })
        let stories = [(name, record(), place(name, among: 2)), (name, record(), place(name, among: 4))]
        let plan = plan(stories, from: 4)
        #expect(plan.moves.map(\.from) == [place(name, among: 2)])
        #expect(plan.moves.first?.known != nil)
        #expect(self.plan([stories[1]], from: 4).isDone)
    }

    @Test func `moved facts contain who was notified and no positions`() {
        let moved = record(waiting: 2).moved(words: [])
        #expect(moved.processed == ProcessedOffsets())
        #expect(moved.waiting.isEmpty)
        #expect(moved.wordsOffset == nil)
        #expect(moved.withdrawalOffset == nil)
        #expect(moved.isFinal)
        #expect(moved.revision == 1)
    }

    /// Names of stories that change their partition if the number grows from 2 to 4.
    private var movers: [String] {
        (0..<100).map { "s-\($0)" }.filter { place($0, among: 2) != place($0, among: 4) }
    }

    @Test func `records that no number of partitions explains are not moved as if a growth was interrupted`() {
        let moved = movers.prefix(8).map { ($0, record(), place($0, among: 2)) }
        #expect(plan(moved, from: 4).moves.count == 8)
        // The last partition has no record if there were fewer before.
        let elsewhere = (0..<100).map { "s-\($0)" }.filter { place($0, among: 4) != 3 }.prefix(8).map {
            ($0, record(), Int32(3))
        }
        let other = plan(elsewhere, from: 4)
        #expect(other.isDone && other.moves.isEmpty)
        #expect(other.findings.map(\.weight) == [.advice])
        let growing = plan(elsewhere, from: 4, to: 8)
        #expect(!growing.isDone)
        #expect(growing.findings.map(\.weight) == [.problem])
        #expect(growing.obstacles(ignoringUnread: true).count == 1)
    }

    @Test func `the moves are printed, and what must be done first`() throws {
        var plan = plan([(movers[0], record(waiting: 2), place(movers[0], among: 2))])
        #expect(
            plan.lines == [
                "memory: 1 of 1 story, 2 waiting events in them written to news again with their own keys"
            ]
        )
        #expect(plan.conditions == [])
        (plan.unread, plan.members, plan.group) = (3, 2, "desk")
        #expect(plan.conditions.count == 2)
        #expect(plan.conditions.first?.hasPrefix("let the workers read all: 3 events of news not read yet") == true)
        #expect(plan.conditions.last == "stop all workers of the group desk: 2 run")
        #expect(plan.obstacles(ignoringUnread: false) == Array(plan.conditions.prefix(1)))
        #expect(plan.obstacles(ignoringUnread: true) == [])
    }
}
