import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(1)))
struct PartitionOwnershipTests {
    private let now = ContinuousClock.now
    private let first = TopicPartition(topic: "t", partition: 0)
    private let second = TopicPartition(topic: "t", partition: 1)

    private func owner(isCooperative: Bool) -> PartitionOwnership {
        var ownership = PartitionOwnership(patience: .seconds(10))
        ownership.assign([first, second], isCooperative: isCooperative, at: now)
        return ownership
    }

    @Test
    func `only offsets of owned partitions are committed`() {
        var ownership = owner(isCooperative: false)
        #expect(ownership.release([second], isLost: false, at: now).isEmpty)
        #expect(ownership.admit([first: 1, second: 2]) == [second])
        #expect(ownership.dequeueOffsets(at: now) == [first: 1])
        #expect(ownership.partitions == [first])
    }

    @Test
    func `an eager group commits at once, whatever commit was refused before`() {
        var ownership = owner(isCooperative: false)
        _ = ownership.admit([first: 1])
        #expect(ownership.dequeueOffsets(at: now) == [first: 1])
        ownership.commitWasAnswered([first: 1], isRefused: true, sentIn: ownership.epoch, at: now)
        for offset in 2...3 as ClosedRange<Int64> {
            _ = ownership.admit([first: offset])
            #expect(ownership.dequeueOffsets(at: now) == [first: offset])
        }
    }

    @Test
    func `a cooperative group has one commit in flight and one second between commits`() {
        var ownership = owner(isCooperative: true)
        _ = ownership.admit([first: 1])
        #expect(ownership.dequeueOffsets(at: now) == [first: 1])
        _ = ownership.admit([first: 2, second: 1])
        #expect(ownership.dequeueOffsets(at: now + .seconds(2)).isEmpty)
        ownership.commitWasAnswered([first: 1], isRefused: false, sentIn: ownership.epoch, at: now + .seconds(3))
        #expect(ownership.delay(from: now + .seconds(3)) == .seconds(1))
        _ = ownership.admit([first: 3])
        #expect(ownership.dequeueOffsets(at: now + .seconds(3.9)).isEmpty)
        #expect(ownership.dequeueOffsets(at: now + .seconds(4)) == [first: 3, second: 1])
        #expect(ownership.dequeueOffsets(at: now + .seconds(4)).isEmpty)
        #expect(ownership.delay(from: now + .seconds(4)) == nil)
    }

    @Test
    func `an answer that never arrives is waited for at most ten seconds`() {
        var ownership = owner(isCooperative: true)
        _ = ownership.admit([first: 1])
        _ = ownership.dequeueOffsets(at: now)
        _ = ownership.admit([first: 2])
        #expect(ownership.dequeueOffsets(at: now + .seconds(9)).isEmpty)
        #expect(ownership.dequeueOffsets(at: now + .seconds(10)) == [first: 2])
    }

    @Test
    func `while a cooperative group changes, the newest offset waits`() {
        var ownership = owner(isCooperative: true)
        #expect(ownership.release([second], isLost: false, at: now).isEmpty)
        _ = ownership.admit([first: 1])
        _ = ownership.admit([first: 5])
        #expect(ownership.dequeueOffsets(at: now).isEmpty)
        #expect(ownership.delay(from: now) == nil)
        ownership.assign([], isCooperative: true, at: now)
        #expect(ownership.dequeueOffsets(at: now).isEmpty)
        ownership.assign([], isCooperative: true, at: now)
        #expect(ownership.dequeueOffsets(at: now) == [first: 5])
    }

    @Test
    func `a refused commit waits, unless a newer one exists or the partition is gone`() {
        var ownership = owner(isCooperative: true)
        let epoch = ownership.epoch
        _ = ownership.admit([first: 1, second: 1])
        #expect(ownership.dequeueOffsets(at: now).count == 2)
        _ = ownership.admit([first: 9])
        ownership.commitWasAnswered([first: 1, second: 1], isRefused: true, sentIn: epoch, at: now)
        #expect(ownership.release([second], isLost: true, at: now) == [second: 1])
        ownership.assign([second], isCooperative: true, at: now)
        #expect(ownership.dequeueOffsets(at: now + .seconds(1)) == [first: 9])
    }

    @Test
    func `a refusal from before the partition was assigned again is discarded`() {
        var ownership = owner(isCooperative: true)
        let epoch = ownership.epoch
        #expect(ownership.release([first], isLost: true, at: now).isEmpty)
        ownership.assign([first], isCooperative: true, at: now)
        ownership.commitWasAnswered([first: 3, second: 4], isRefused: true, sentIn: epoch, at: now)
        ownership.assign([], isCooperative: true, at: now)
        #expect(ownership.dequeueOffsets(at: now + .seconds(1)) == [second: 4])
    }

    @Test
    func `a waiting offset is returned when its partition is revoked`() {
        var ownership = owner(isCooperative: true)
        #expect(ownership.release([first], isLost: false, at: now).isEmpty)
        _ = ownership.admit([second: 7])
        #expect(ownership.dequeueOffsets(at: now).isEmpty)
        #expect(ownership.release([first, second], isLost: false, at: now) == [second: 7])
        #expect(ownership.release([second], isLost: true, at: now).isEmpty)
    }

    @Test
    func `a waiting offset is committed if no assignment comes within ten seconds`() {
        var ownership = owner(isCooperative: true)
        ownership.commitWasAnswered([first: 3], isRefused: true, sentIn: ownership.epoch, at: now)
        #expect(ownership.dequeueOffsets(at: now + .seconds(9)).isEmpty)
        #expect(ownership.dequeueOffsets(at: now + .seconds(10)) == [first: 3])
    }
}
