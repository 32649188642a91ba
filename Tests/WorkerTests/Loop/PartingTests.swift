import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// Partitions that are lost while a request is in flight. Its response must not be lost with them.
@Suite(.timeLimit(.minutes(4)))
struct PartingTests {
    private let partition = TopicPartition(topic: "news", partition: 3)
    private let event = Desk.event("a", category: "World")

    @Test
    func `a response that arrives after its partition was lost is written to the ledger`() async throws {
        let stage = try LoopStage(waiting: [event])
        stage.inbox.post(.assigned([partition]))
        let request = try await stage.requests.wait { $0.first }
        stage.inbox.post(.lost([partition]))
        stage.accept([request])
        let written = try await stage.ledgers.wait { $0.first }
        #expect(written.records.map(\.partition) == [3])
        #expect(stage.batches.events.isEmpty, "no outcome is written before the ledger confirms")
        #expect(stage.cancelled.events == [])
        // Nobody confirms the records, so the drain ends when its time is over.
        #expect(try await stage.partitionsAtEnd() == [])
    }

    @Test
    func `a request without an answer in time is cancelled, and a returned partition is adopted then`()
        async throws
    {
        let stage = try LoopStage(waiting: [event])
        stage.inbox.post(.assigned([partition]))
        let first = try await stage.requests.wait { $0.first }
        stage.inbox.post(.lost([partition]))
        stage.inbox.post(.assigned([partition]))
        let second = try await stage.requests.wait { $0.dropFirst().first }
        #expect(stage.cancelled.events == [first.id])
        stage.accept([second])
        #expect(try await stage.partitionsAtEnd() == [partition])
    }

    @Test
    func `a decision from before a suspension is not sent after its partition is lost`() async throws {
        let confirmed = Locked(ContinuousClock.now - .seconds(60))
        let stage = try LoopStage(waiting: [event]) { confirmed.withLock { $0 } }
        stage.inbox.post(.assigned([partition]))
        // Its answer shows that the thread has received the assignment and the ledger.
        let other = TopicPartition(topic: "news", partition: 4)
        _ = try await onThread { stage.inbox.drain([other], within: .seconds(30)) }
        stage.inbox.post(.lost([partition]))
        _ = try await onThread { stage.inbox.drain([other], within: .seconds(30)) }
        confirmed.withLock { $0 = .now + .seconds(60) }
        _ = try await stage.partitionsAtEnd()
        #expect(stage.requests.events.isEmpty)
        #expect(stage.ledgers.events.isEmpty)
        #expect(stage.batches.events.isEmpty)
    }
}
