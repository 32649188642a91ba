import Dispatch
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite("the queue of messages for the readers of a subscription", .timeLimit(.minutes(1)))
struct SubscriptionStateTests {
    private struct Message: PlacedMessage, Equatable {
        var topicPartition: TopicPartition
        var offset: Int64
    }

    /// A holder of the value, so that expectations can change it.
    private final class Queue {
        var value = MessageQueue<Message>()

        func next(_ reader: UInt64) -> MessageQueue<Message>.Step? { value.next(reader) }
        func add(_ messages: [Message]) -> [(reader: UInt64, message: Message)] { value.add(messages) }
        func leave(_ reader: UInt64) -> Bool { value.leave(reader) }
        func finish(_ error: KafkaError? = nil) -> [(reader: UInt64, step: MessageQueue<Message>.Step)] {
            value.finish(error)
        }
    }

    /// A holder of the value, so that expectations can change it.
    private final class State {
        var value = SubscriptionState<Message>()

        func next(_ reader: UInt64) -> MessageQueue<Message>.Step? { value.next(reader) }
        func beginRevocation(_ partitions: [TopicPartition]) -> DispatchSemaphore? {
            value.beginRevocation(partitions)
        }
        func endRevocation(_ partitions: [TopicPartition]) -> [TopicPartition: Int64] {
            value.endRevocation(partitions)
        }
        func ask(_ partition: TopicPartition, _ next: Int64) -> Bool { value.ledger.ask(partition, next) }
    }

    private let queue = Queue()
    private let state = State()
    private let a = TopicPartition(topic: "news", partition: 0)
    private let b = TopicPartition(topic: "news", partition: 1)

    private func messages(_ partition: TopicPartition, _ offsets: Range<Int64>) -> [Message] {
        offsets.map { Message(topicPartition: partition, offset: $0) }
    }

    private func message(_ step: MessageQueue<Message>.Step?) -> Message? {
        if case .message(let message) = step { message } else { nil }
    }

    private func isEnd(_ step: MessageQueue<Message>.Step?) -> Bool {
        if case .end = step { true } else { false }
    }

    @Test func `each message goes to one reader, in order, and first to readers that wait`() {
        #expect(queue.next(1) == nil)
        #expect(queue.next(2) == nil)
        let handed = queue.add(messages(a, 0..<4))
        #expect(handed.map(\.reader) == [1, 2])
        #expect(handed.map(\.message.offset) == [0, 1])
        #expect(message(queue.next(1))?.offset == 2)
        #expect(message(queue.next(1))?.offset == 3)
        #expect(queue.next(1) == nil)
        #expect(queue.leave(1))
        #expect(!queue.leave(1))
        #expect(queue.add(messages(a, 4..<5)).isEmpty)
        #expect(message(queue.next(2))?.offset == 4)
    }

    @Test func `messages keep their order over many batches`() {
        var read: [Int64] = []
        for batch in 0..<20 as Range<Int64> {
            _ = queue.add(messages(a, batch * 1000..<(batch + 1) * 1000))
            for _ in 0..<900 { if let message = message(queue.next(1)) { read.append(message.offset) } }
        }
        while let message = message(queue.next(1)) { read.append(message.offset) }
        #expect(read == Array(0..<20_000))
    }

    @Test func `messages of a revoked partition are not handed out`() {
        _ = state.value.add(messages(a, 0..<2) + messages(b, 0..<2))
        #expect(state.beginRevocation([a]) == nil)
        #expect(message(state.next(1)) == messages(b, 0..<1).first)
        #expect(state.endRevocation([a]).isEmpty)
    }

    @Test func `a message being processed delays the revocation until its reader asks for the next`() {
        _ = state.value.add(messages(a, 0..<2) + messages(b, 0..<2))
        #expect(message(state.next(1))?.topicPartition == a)
        #expect(message(state.next(2))?.topicPartition == a)
        let settled = state.beginRevocation([a])
        #expect(settled != nil)
        _ = state.next(1)
        #expect(settled?.wait(timeout: .now()) == .timedOut)
        #expect(state.ask(a, 1))
        _ = state.next(2)
        #expect(settled?.wait(timeout: .now()) == .success)
        #expect(state.endRevocation([a]) == [a: 1])
    }

    @Test func `a message delays no revocation once it is committed or its reader is gone`() {
        _ = state.value.add(messages(a, 0..<2) + messages(b, 0..<1))
        _ = state.next(1)
        let first = state.beginRevocation([a])
        #expect(state.ask(a, 1))
        state.value.checkRevocation()
        #expect(first?.wait(timeout: .now()) == .success)
        #expect(state.endRevocation([a]) == [a: 1])
        _ = state.next(1)
        let second = state.beginRevocation([b])
        _ = state.value.leave(1)
        #expect(second?.wait(timeout: .now()) == .success)
        #expect(state.endRevocation([b]).isEmpty)
    }

    @Test func `the sequence ends for all readers, and the first receives the error`() {
        #expect(queue.next(1) == nil)
        #expect(queue.next(2) == nil)
        let over = queue.finish(KafkaError(.fatal, "over"))
        #expect(over.map(\.reader) == [1, 2])
        if case .failed(let error)? = over.first?.step {
            #expect(error.code == .fatal)
        } else {
            Issue.record("the first reader receives no error")
        }
        #expect(isEnd(over.last?.step))
        #expect(isEnd(queue.next(3)))
        #expect(queue.add(messages(a, 0..<1)).isEmpty)
        #expect(queue.finish().isEmpty)
    }
}
