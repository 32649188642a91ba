import NewsflashHTTPTransport
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// A circuit that opens, because its hub may have a new address.
@Suite(.timeLimit(.minutes(1)))
struct ProbeTests {
    @Test(arguments: [503, 401, 403, 404, 410])
    func `an open circuit renews the connections once, and its probes are marked`(status: Int) async throws {
        let events = (0..<100).map { Desk.event("e\($0)", category: "World") }
        let stage = try LoopStage(waiting: events)
        stage.inbox.post(.assigned([TopicPartition(topic: "news", partition: 3)]))
        let first = try await stage.requests.wait { $0.count == 8 ? $0 : nil }
        #expect(first.allSatisfy { !$0.isProbe })
        stage.answer(first, status)

        let probe = try await stage.requests.wait { $0.first(where: \.isProbe) }
        #expect(stage.renewed.events == [probe.request.url])
        stage.answer([probe], status)
        let second = try await stage.requests.wait { $0.last { $0.isProbe && $0.id != probe.id } }
        #expect(stage.renewed.events.count == 1)
        stage.accept([second])

        let later = try await stage.requests.wait { $0.last { !$0.isProbe && $0.id > second.id } }
        #expect(later.request.url == probe.request.url)
        try await onThread { stage.thread.stop() }
    }
}
