import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// Assignments, losses and drains in one turn of the thread, for example because its thread was blocked for long.
@Suite(.timeLimit(.minutes(4)))
struct PublishingThreadTests {
    private let partition = TopicPartition(topic: "news", partition: 3)

    @Test
    func `a partition that was lost and assigned again at once is owned`() async throws {
        let stage = try LoopStage()
        stage.inbox.post(.assigned([partition]))
        stage.inbox.post(.lost([partition]))
        stage.inbox.post(.assigned([partition]))
        #expect(try await stage.partitionsAtEnd() == [partition])
    }

    @Test
    func `a partition that was lost last is not owned`() async throws {
        let stage = try LoopStage()
        stage.inbox.post(.assigned([partition]))
        stage.inbox.post(.lost([partition]))
        #expect(try await stage.partitionsAtEnd() == [])
    }

    @Test
    func `a drain that nobody waits for any more does not affect a new assignment`() async throws {
        let stage = try LoopStage()
        stage.inbox.post(.assigned([partition]))
        let offsets = try await onThread { stage.inbox.drain([partition], within: .zero) }
        #expect(offsets == [:])
        stage.inbox.post(.assigned([partition]))
        #expect(try await stage.partitionsAtEnd() == [partition])
    }

    @Test
    func `a drain of a partition that is not owned is answered at once`() async throws {
        let stage = try LoopStage()
        let offsets = try await onThread { stage.inbox.drain([partition], within: .seconds(30)) }
        #expect(offsets == [:])
        #expect(try await stage.partitionsAtEnd() == [])
    }
}
