import NewsflashPublishing
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct StallDetectorTests {
    private let news = TopicPartition(topic: "news", partition: 0)

    private func work(_ orders: UInt64, position: Int64 = 0) -> StallDetector.Work {
        StallDetector.Work(orders: orders, positions: [news: position])
    }

    /// The verdict after a number of checks of the same work, not counting the first one.
    private func verdict(after looks: Int, of watch: inout StallDetector) -> StallDetector.Verdict {
        var verdict = StallDetector.Verdict.fine
        for _ in 0..<looks { verdict = watch.check(work(1), isDue: true) }
        return verdict
    }

    @Test func `work that waits a minute without a reason is stalled, and after five needs a restart`() {
        var watch = StallDetector()
        #expect(watch.check(work(1), isDue: true) == .fine)
        #expect(verdict(after: 11, of: &watch) == .fine)
        #expect(verdict(after: 1, of: &watch) == .stalled(.seconds(60)))
        #expect(verdict(after: 47, of: &watch) == .stalled(.seconds(295)))
        #expect(verdict(after: 1, of: &watch) == .lost(.seconds(300)))
    }

    @Test func `any progress of the consumer or of an event restarts the minute`() {
        for next in [work(2), work(1, position: 1)] {
            var watch = StallDetector()
            _ = verdict(after: 12, of: &watch)
            #expect(watch.check(next, isDue: true) == .fine)
            #expect(verdict(after: 12, of: &watch) == .fine)
            #expect(verdict(after: 1, of: &watch) == .stalled(.seconds(60)))
        }
    }

    @Test func `time does not count without work or if a reason for the wait is known`() {
        var watch = StallDetector()
        _ = verdict(after: 12, of: &watch)
        #expect(watch.check(work(1), isDue: false) == .fine)
        #expect(verdict(after: 11, of: &watch) == .fine)
        #expect(verdict(after: 1, of: &watch) == .stalled(.seconds(60)))
    }
}
