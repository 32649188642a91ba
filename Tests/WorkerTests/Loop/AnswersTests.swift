import Dispatch
import NewsflashBasics
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// Responses that arrive in a burst, for example from a slow hub.
@Suite(.timeLimit(.minutes(4)))
struct AnswersTests {
    private let partition = TopicPartition(topic: "news", partition: 3)
    private let events = (0..<100).map { Desk.event("e\($0)", category: "World") }

    @Test
    func `the requests that a burst of responses permits are not sent as a burst`() async throws {
        let stage = try LoopStage(waiting: events)
        stage.inbox.post(.assigned([partition]))
        // A hub receives few requests at first, and twice as many with each round.
        let first = try await stage.requests.wait { $0.count == 8 ? $0 : nil }
        stage.accept(first)
        let second = try await stage.requests.wait { $0.count == 24 ? Array($0[8...]) : nil }
        let before = stage.starts.events.count
        stage.accept(second)
        _ = try await stage.requests.wait { $0.count == 56 ? $0 : nil }
        let starts = stage.starts.events[before...]
        #expect(starts.count >= 2)
        #expect(starts.allSatisfy { $0 <= 16 }, "at most two requests for each of eight responses")
        try await onThread { stage.thread.stop() }
    }

    @Test
    func `responses permit no request of a partition that is revoked in the same turn`() async throws {
        let turnstile = Turnstile()
        let stage = try LoopStage(waiting: events) {
            turnstile.pass()
            return .now
        }
        stage.inbox.post(.assigned([partition]))
        let first = try await stage.requests.wait { $0.count == 8 ? $0 : nil }
        turnstile.close()
        stage.inbox.post(.commit([], succeeded: true))
        try await turnstile.waitUntilHeld()
        stage.accept(first)
        stage.inbox.post(.lost([partition]))
        turnstile.open()
        // The accepted requests are written to the ledger, and the partition is revoked when its drain time is over.
        _ = try await stage.ledgers.wait { $0.first }
        #expect(try await stage.partitionsAtEnd() == [])
        #expect(stage.requests.events.count == 8)
    }
}

/// Blocks a thread while it is closed, half a minute at most.
private final class Turnstile: Sendable {
    private let isClosed = Locked(false)
    private let held = EventLog<Bool>()
    private let opened = DispatchSemaphore(value: 0)

    func pass() {
        guard isClosed.withLock({ $0 }) else { return }
        held.append(true)
        _ = opened.wait(timeout: .now() + 30)
    }

    func close() { isClosed.withLock { $0 = true } }

    func waitUntilHeld() async throws { _ = try await held.wait { $0.first } }

    func open() {
        isClosed.withLock { $0 = false }
        opened.signal()
    }
}
