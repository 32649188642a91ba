import NewsflashKafka
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct OrderCatchUpTests {
    @Test func `a topic without commands is read completely at once`() {
        var progress = OrderCatchUp()
        #expect(!progress.isOver)
        progress.learn(KafkaWatermarks(low: 0, high: 0))
        #expect(progress.isOver)
    }

    @Test func `existing commands are read, whenever the end becomes known`() {
        var progress = OrderCatchUp()
        progress.reach(3)
        progress.learn(KafkaWatermarks(low: 0, high: 5))
        #expect(!progress.isOver)
        progress.reach(4)
        #expect(!progress.isOver)
        progress.reach(5)
        #expect(progress.isOver)
    }

    @Test func `deleted records are not waited for`() {
        var progress = OrderCatchUp()
        progress.learn(KafkaWatermarks(low: 7, high: 7))
        #expect(progress.isOver)
    }

    @Test func `without a known end, only the reader's end finishes reading`() {
        var progress = OrderCatchUp()
        progress.reach(1_000_000)
        #expect(!progress.isOver)
    }
}
