import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct PriorityScanPlanTests {
    private let start = Instant.now
    private let news = TopicPartition(topic: "news", partition: 0)
    private let other = TopicPartition(topic: "news", partition: 1)

    private func near(_ position: Int64 = 100) -> [TopicPartition: PriorityScanPlan.Progress] {
        [news: PriorityScanPlan.Progress(position: position, end: position)]
    }

    /// A plan that scans one partition.
    private func plan(at position: Int64 = 100) -> PriorityScanPlan {
        var plan = PriorityScanPlan()
        _ = plan.update(with: near(position), isFull: true, now: start)
        _ = plan.update(with: near(position), isFull: true, now: start)
        return plan
    }

    @Test func `a consumer that keeps up needs no priority scan`() {
        var plan = PriorityScanPlan()
        for _ in 0..<3 { #expect(plan.update(with: near(), isFull: false, now: start) == []) }
    }

    @Test func `a consumer counts as behind when its room is full twice in a row, not once`() {
        var plan = PriorityScanPlan()
        #expect(plan.update(with: near(), isFull: true, now: start) == [])
        #expect(plan.update(with: near(), isFull: false, now: start) == [])
        #expect(plan.update(with: near(), isFull: true, now: start) == [])
        #expect(plan.update(with: near(), isFull: true, now: start) == [.open, .follow(news)])
    }

    @Test func `a consumer that is thousands of records away is behind at once`() {
        var plan = PriorityScanPlan()
        let far = [news: PriorityScanPlan.Progress(position: 100, end: 5101)]
        #expect(plan.update(with: far, isFull: false, now: start) == [.open, .follow(news)])
    }

    @Test func `the records between the consumer and the end are searched once`() {
        var plan = plan(at: 100)
        #expect(plan.joined(news, at: 500) == [.search(news, from: 100)])
        #expect(plan.joined(news, at: 510) == [])
        #expect(plan.searched(news, upTo: 499) == [])
        #expect(plan.searched(news, upTo: 500) == [.stopSearching(news)])
        #expect(plan.searched(news, upTo: 600) == [])
    }

    @Test func `nothing is searched if the consumer is at the end or its position is unknown`() {
        var plan = plan(at: 100)
        #expect(plan.joined(news, at: 100) == [])
        var other = PriorityScanPlan()
        let unknown = [news: PriorityScanPlan.Progress(position: nil, end: nil)]
        _ = other.update(with: unknown, isFull: true, now: start)
        _ = other.update(with: unknown, isFull: true, now: start)
        #expect(other.joined(news, at: 100) == [])
    }

    @Test func `the search ends at the consumer's position, or if nothing more can be read`() {
        var plan = plan(at: 100)
        _ = plan.joined(news, at: 500)
        #expect(plan.update(with: near(500), isFull: true, now: start) == [.stopSearching(news)])
        var other = self.plan(at: 100)
        _ = other.joined(news, at: 500)
        #expect(other.searched(news, upTo: nil) == [.stopSearching(news)])
    }

    @Test func `assigned partitions are followed, and revoked ones are stopped`() {
        var plan = plan()
        let both = near().merging([other: PriorityScanPlan.Progress(position: 7, end: 7)]) { $1 }
        #expect(plan.update(with: both, isFull: true, now: start) == [.follow(other)])
        #expect(plan.update(with: near(), isFull: true, now: start) == [.stop(other)])
        #expect(plan.joined(other, at: 9) == [])
    }

    @Test func `a lost end is joined again, and the records before it are searched`() {
        var plan = plan(at: 100)
        _ = plan.joined(news, at: 500)
        #expect(plan.lost(news) == [.stop(news)])
        #expect(plan.update(with: near(200), isFull: true, now: start) == [.follow(news)])
        #expect(plan.joined(news, at: 700) == [.search(news, from: 200)])
    }

    @Test func `the priority scan stays open for a while after the consumer has caught up`() {
        var plan = plan()
        let end = start + PriorityScanPlan.patience
        #expect(plan.update(with: near(), isFull: false, now: end - .seconds(1)) == [])
        #expect(plan.update(with: near(), isFull: true, now: end - .seconds(1)) == [])
        #expect(plan.update(with: near(), isFull: false, now: end) == [])
        #expect(plan.isReading)
        #expect(plan.update(with: near(), isFull: false, now: end + .seconds(9)) == [.close])
        #expect(!plan.isReading)
        #expect(plan.joined(news, at: 1) == [])
    }
}
