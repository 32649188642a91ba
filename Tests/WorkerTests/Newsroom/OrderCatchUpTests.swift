import Kafka
import Testing

@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct OrderCatchUpTests {
    @Test func `a topic without orders is read at once`() {
        var progress = OrderCatchUp()
        #expect(!progress.isOver)
        progress.learn(KafkaWatermarks(low: 0, high: 0))
        #expect(progress.isOver)
    }

    @Test func `orders that were there are read, whenever the end is known`() {
        var progress = OrderCatchUp()
        progress.reach(3)
        progress.learn(KafkaWatermarks(low: 0, high: 5))
        #expect(!progress.isOver)
        progress.reach(4)
        #expect(!progress.isOver)
        progress.reach(5)
        #expect(progress.isOver)
    }

    @Test func `what is gone from the topic is not waited for`() {
        var progress = OrderCatchUp()
        progress.learn(KafkaWatermarks(low: 7, high: 7))
        #expect(progress.isOver)
    }

    @Test func `without an answer only the reader's end ends it`() {
        var progress = OrderCatchUp()
        progress.reach(1_000_000)
        #expect(!progress.isOver)
    }
}
