import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct BrokerMonitorTests {
    @Test func `a reader that waits logs that the brokers do not answer, and that they answer again`() async throws {
        let mock = try MockCluster(brokers: 1)
        try mock.createTopic("outcomes", partitions: 1)
        var cluster = KafkaConfiguration(bootstrapServers: mock.bootstrapServers, clientID: "watch")
        cluster.log = { _ in }
        let notes = EventLog<String>()
        try await BrokerMonitor.noting(cluster, topic: "outcomes", pause: .milliseconds(300)) {
            notes.append($0)
        } while: { () async -> Result<Void, any Error> in
            do {
                try await mock.withoutBroker {
                    try await notes.wait { $0.contains { $0.contains("does not answer") } ? () : nil }
                }
                try await notes.wait { $0.contains { $0.hasSuffix("answers again") } ? () : nil }
                return .success(())
            } catch {
                return .failure(error)
            }
        }.get()
        #expect(notes.events.count == 2, "\(notes.events)")
    }
}
