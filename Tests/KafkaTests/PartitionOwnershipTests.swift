import Testing

@testable import Kafka

@Suite(.timeLimit(.minutes(1)))
struct PartitionOwnershipTests {
    private let now = ContinuousClock.now
    private let first = KafkaTopicPartition(topic: "t", partition: 0)
    private let second = KafkaTopicPartition(topic: "t", partition: 1)

    private func owner(isCooperative: Bool) -> PartitionOwnership {
        var ownership = PartitionOwnership(patience: .seconds(10))
        ownership.assign([first, second], isCooperative: isCooperative, at: now)
        return ownership
    }

    @Test
    func `only what is ours is committed`() {
        var ownership = owner(isCooperative: false)
        ownership.release([second], isLost: false, at: now)
        let admission = ownership.admit([first: 1, second: 2])
        #expect(admission == .init(now: [first: 1], refused: [second]))
        #expect(ownership.partitions == [first])
    }

    @Test
    func `while a cooperative group changes, the newest offset waits`() {
        var ownership = owner(isCooperative: true)
        ownership.release([second], isLost: false, at: now)
        #expect(ownership.admit([first: 1]) == .init())
        #expect(ownership.admit([first: 5]) == .init())
        ownership.assign([], isCooperative: true, at: now)
        #expect(ownership.takeHeld(at: now).isEmpty)
        ownership.assign([], isCooperative: true, at: now)
        #expect(ownership.takeHeld(at: now) == [first: 5])
        #expect(ownership.takeHeld(at: now).isEmpty)
    }

    @Test
    func `an eager group needs no gate`() {
        var ownership = owner(isCooperative: false)
        ownership.commitWasRefused([first: 1], sentIn: ownership.epoch, at: now)
        #expect(ownership.admit([first: 2]).now == [first: 2])
    }

    @Test
    func `a refused commit waits, unless a newer one does or the partition went`() {
        var ownership = owner(isCooperative: true)
        let epoch = ownership.epoch
        ownership.commitWasRefused([first: 1, second: 1], sentIn: epoch, at: now)
        _ = ownership.admit([first: 9])
        ownership.commitWasRefused([first: 2], sentIn: epoch, at: now)
        ownership.release([second], isLost: true, at: now)
        ownership.assign([second], isCooperative: true, at: now)
        #expect(ownership.takeHeld(at: now) == [first: 9])
    }

    @Test
    func `a refusal from before the partition came back is forgotten`() {
        var ownership = owner(isCooperative: true)
        let epoch = ownership.epoch
        ownership.release([first], isLost: true, at: now)
        ownership.assign([first], isCooperative: true, at: now)
        ownership.commitWasRefused([first: 3], sentIn: epoch, at: now)
        ownership.assign([], isCooperative: true, at: now)
        #expect(ownership.takeHeld(at: now).isEmpty)
    }

    @Test
    func `what waits goes out when no assignment comes`() {
        var ownership = owner(isCooperative: true)
        ownership.commitWasRefused([first: 3], sentIn: ownership.epoch, at: now)
        #expect(ownership.takeHeld(at: now + .seconds(9)).isEmpty)
        #expect(ownership.takeHeld(at: now + .seconds(10)) == [first: 3])
    }
}
