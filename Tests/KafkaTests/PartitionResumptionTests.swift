import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(1)))
struct PartitionResumptionTests {
    private let news = TopicPartition(topic: "news", partition: 0)
    private let log = KafkaWatermarks(low: 10, high: 20)

    private func resumption(
        at position: Int64?,
        in log: KafkaWatermarks? = nil,
        hasRead: Bool = false,
        wasMissing: Bool = false,
        _ reset: KafkaConsumerConfiguration.OffsetReset = .earliest
    ) -> PartitionResumption {
        let facts = PartitionResumption.Facts(
            news,
            position: position,
            log: log ?? self.log,
            hasRead: hasRead,
            wasMissing: wasMissing
        )
        return PartitionResumption(facts, reset: reset)
    }

    private func gap(_ offsets: Range<Int64>, _ reason: KafkaLogGap.Reason) -> KafkaLogGap {
        KafkaLogGap(partition: news, offsets: offsets, reason: reason)
    }

    @Test
    func `a partition without an offset begins by the configured rule`() throws {
        #expect(resumption(at: nil, .earliest) == .begin(at: 10))
        #expect(resumption(at: nil, .latest) == .begin(at: 20))
        guard case .wait(let error) = resumption(at: nil, .error) else {
            Issue.record("the partition does not wait")
            return
        }
        #expect(error.code == .noOffset)
    }

    @Test(arguments: [KafkaConsumerConfiguration.OffsetReset.earliest, .latest])
    func `deleted records are skipped, and no remaining record is`(reset: KafkaConsumerConfiguration.OffsetReset) {
        #expect(resumption(at: 7, reset) == .skip(gap(7..<10, .retention)))
        #expect(resumption(at: 7, hasRead: true, reset) == .skip(gap(7..<10, .retention)))
    }

    @Test
    func `a log whose offsets have gone back is read from its oldest record`() {
        #expect(resumption(at: 25) == .rewind(gap(20..<25, .truncated), to: 10))
        #expect(resumption(at: 25, wasMissing: true) == .rewind(gap(20..<25, .topicRecreated), to: 10))
        let young = KafkaWatermarks(low: 0, high: 3)
        #expect(resumption(at: 5, in: young) == .rewind(gap(3..<5, .topicRecreated), to: 0))
        #expect(resumption(at: 5, in: young, hasRead: true) == .rewind(gap(3..<5, .truncated), to: 0))
        // The new log has already grown beyond the position.
        #expect(resumption(at: 15, hasRead: true) == .rewind(gap(15..<15, .truncated), to: 10))
    }

    @Test(arguments: [7, 25] as [Int64])
    func `a partition with a missing offset waits for a person if so configured`(position: Int64) {
        guard case .wait(let error) = resumption(at: position, .error) else {
            Issue.record("the partition does not wait")
            return
        }
        #expect(error.code == .offsetOutOfRange)
        #expect(error.message == "reading news[0]: the offset \(position) is not in its log, which has 10 to 20")
    }
}
