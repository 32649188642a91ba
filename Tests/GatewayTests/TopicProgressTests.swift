import NewsflashTopicPartitions
import Testing

@testable import NewsflashGateway

/// Which records must be read before a follower of topics is caught up.
@Suite(.timeLimit(.minutes(1)))
struct TopicProgressTests {
    private static func partition(_ topic: String, _ number: Int32 = 0) -> TopicPartition {
        TopicPartition(topic: topic, partition: number)
    }

    @Test func `it is caught up when each partition of the first check is read to its end`() {
        var progress = TopicProgress(of: ["news", "outcomes"])
        #expect(!progress.isCaughtUp && !progress.isComplete, "nothing was checked yet")
        let partitions = [Self.partition("news", 0), Self.partition("news", 1), Self.partition("outcomes")]
        #expect(progress.found(partitions, existing: ["news", "outcomes"]).isEmpty)
        for partition in partitions {
            #expect(!progress.isCaughtUp)
            progress.reachedEnd(of: partition)
        }
        #expect(progress.isCaughtUp && progress.isComplete)
        #expect(progress.partitions(of: "news") == 2)
        #expect(progress.partitions(of: "other") == 0)
    }

    @Test func `a topic that was missing at the first check is read before it is caught up again`() {
        var progress = TopicProgress(of: ["news", "late"])
        #expect(progress.found([Self.partition("news")], existing: ["news"]) == ["late"])
        progress.reachedEnd(of: Self.partition("news"))
        #expect(progress.isCaughtUp, "the topics that exist are read")
        #expect(!progress.isComplete, "a topic is missing")
        #expect(progress.found([Self.partition("late")], existing: ["news", "late"]).isEmpty)
        #expect(!progress.isCaughtUp, "the last record of the new topic may be a kill")
        progress.reachedEnd(of: Self.partition("late"))
        #expect(progress.isCaughtUp && progress.isComplete)
    }

    @Test func `while no topic exists it is not complete`() {
        var progress = TopicProgress(of: ["news"])
        #expect(progress.found([], existing: []) == ["news"])
        #expect(progress.isCaughtUp && !progress.isComplete)
    }

    @Test func `a partition that is added to a known topic need not be read first, because it is empty`() {
        var progress = TopicProgress(of: ["news"])
        #expect(progress.found([Self.partition("news")], existing: ["news"]).isEmpty)
        progress.reachedEnd(of: Self.partition("news"))
        #expect(progress.found([Self.partition("news", 1)], existing: ["news"]).isEmpty)
        #expect(progress.isCaughtUp && progress.isComplete)
        #expect(progress.partitions(of: "news") == 2)
    }

    @Test func `a missing topic is reported once each time that it goes missing`() {
        var progress = TopicProgress(of: ["a", "b"])
        #expect(progress.found([], existing: []) == ["a", "b"])
        #expect(progress.found([], existing: []).isEmpty)
        #expect(progress.found([Self.partition("a")], existing: ["a"]).isEmpty)
        #expect(progress.missing == ["b"])
        #expect(progress.found([], existing: []) == ["a"])
    }
}
