import Publishing
import Testing

@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct ProgressWatchTests {
    private let news = SourcePartition(topic: "news", number: 0)

    private func work(_ orders: UInt64, position: Int64 = 0) -> ProgressWatch.Work {
        ProgressWatch.Work(orders: orders, positions: [news: position])
    }

    /// What a watch says after so many looks at the same work, the first one beside.
    private func verdict(after looks: Int, of watch: inout ProgressWatch) -> ProgressWatch.Verdict {
        var verdict = ProgressWatch.Verdict.fine
        for _ in 0..<looks { verdict = watch.look(at: work(1), isDue: true) }
        return verdict
    }

    @Test func `work that waits for a minute without a reason is a stall, and after five only a new start helps`() {
        var watch = ProgressWatch()
        #expect(watch.look(at: work(1), isDue: true) == .fine)
        #expect(verdict(after: 11, of: &watch) == .fine)
        #expect(verdict(after: 1, of: &watch) == .stalled(.seconds(60)))
        #expect(verdict(after: 47, of: &watch) == .stalled(.seconds(295)))
        #expect(verdict(after: 1, of: &watch) == .lost(.seconds(300)))
    }

    @Test func `any step, of the reader or of an event, begins the minute anew`() {
        for next in [work(2), work(1, position: 1)] {
            var watch = ProgressWatch()
            _ = verdict(after: 12, of: &watch)
            #expect(watch.look(at: next, isDue: true) == .fine)
            #expect(verdict(after: 12, of: &watch) == .fine)
            #expect(verdict(after: 1, of: &watch) == .stalled(.seconds(60)))
        }
    }

    @Test func `where nothing is to be done, or a reason is known, time does not count`() {
        var watch = ProgressWatch()
        _ = verdict(after: 12, of: &watch)
        #expect(watch.look(at: work(1), isDue: false) == .fine)
        #expect(verdict(after: 11, of: &watch) == .fine)
        #expect(verdict(after: 1, of: &watch) == .stalled(.seconds(60)))
    }
}
