import NewsflashKafka
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct RemovedPartitionsTests {
    private let partition = TopicPartition(topic: "news", partition: 0)

    private func gap(_ offsets: Range<Int64>) -> KafkaLogGap {
        KafkaLogGap(partition: partition, offsets: offsets, reason: .partitionRemoved)
    }

    @Test
    func `unread records of a removed partition are returned once`() {
        var removed = RemovedPartitions()
        #expect(removed.recordRound(ends: [partition: 9], positions: [partition: 2]) == [])
        #expect(removed.recordRound(ends: [:], positions: [partition: 4]) == [partition])
        #expect(removed.isRemoved(partition) == gap(4..<9))
        #expect(removed.recordRound(ends: [:], positions: [partition: 4]) == [])
        #expect(removed.isRemoved(partition) == nil)
        // The topic was created again, and deleted again.
        #expect(removed.recordRound(ends: [partition: 1], positions: [partition: 0]) == [])
        #expect(removed.recordRound(ends: [:], positions: [partition: 0]) == [partition])
        #expect(removed.isRemoved(partition) == gap(0..<1))
    }

    @Test
    func `a partition that was read to its end is not checked`() {
        var removed = RemovedPartitions()
        #expect(removed.recordRound(ends: [partition: 9], positions: [partition: 9]) == [])
        #expect(removed.recordRound(ends: [:], positions: [partition: 9]) == [])
        #expect(removed.recordRound(ends: [:], positions: [:]) == [])
    }

    @Test
    func `a revoked partition is checked until it is confirmed to exist`() {
        var removed = RemovedPartitions()
        #expect(removed.recordRound(ends: [partition: 9], positions: [partition: 2]) == [])
        #expect(removed.recordRound(ends: [:], positions: [:]) == [partition])
        #expect(removed.recordRound(ends: [:], positions: [:]) == [partition])
        removed.exists(partition, isOurs: false)
        #expect(removed.recordRound(ends: [:], positions: [:]) == [])
        #expect(removed.isRemoved(partition) == nil)
    }

    @Test
    func `a partition whose leader is silent for a while is not forgotten`() {
        var removed = RemovedPartitions()
        #expect(removed.recordRound(ends: [partition: 9], positions: [partition: 2]) == [])
        #expect(removed.recordRound(ends: [:], positions: [partition: 2]) == [partition])
        removed.exists(partition, isOurs: true)
        #expect(removed.recordRound(ends: [:], positions: [partition: 3]) == [partition])
        #expect(removed.isRemoved(partition) == gap(3..<9))
    }
}
