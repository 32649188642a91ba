import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

/// Topics from which Kafka would delete records that a worker needs.
@Suite(.timeLimit(.minutes(3)))
struct RetentionTests {
    @Test(arguments: ["delete", "compact,delete"])
    func `a ledger or control topic whose records are deleted is refused, with a remedy`(policy: String) {
        for topic in [RememberingTopic.ledger, .control] {
            let refusal = topic.refusal(of: "some-topic", policy: policy) ?? ""
            #expect(refusal.hasPrefix("topics.\(topic): Kafka deletes old records of some-topic"))
            #expect(refusal.contains("(cleanup.policy=\(policy))"))
            #expect(refusal.hasSuffix("--alter --topic some-topic --add-config cleanup.policy=compact"))
            #expect(topic.refusal(of: "some-topic", policy: "compact") == nil)
            #expect(topic.refusal(of: "some-topic", policy: nil) == nil)
        }
    }

    @Test(.needsRealKafka)
    func `a worker does not start with a ledger or control topic whose records are deleted`() async throws {
        try await Newsroom.open { newsroom in
            // Kafka's default policy is to delete.
            let topic = try await newsroom.cluster.makeTopic()
            var ledger = newsroom.configuration
            ledger.sources[0].ledger = topic
            var control = newsroom.configuration
            control.topics.control = topic
            for (key, configuration) in [("ledger", ledger), ("control", control)] {
                let error = await #expect(throws: WorkerStartError.self) {
                    try await newsroom.startWorker(configuration)
                }
                #expect(error?.code == .configuration)
                #expect(error?.description.hasPrefix("topics.\(key): Kafka deletes old records of \(topic) ") == true)
            }
            try await newsroom.withWorker { _ in }
            #expect(!newsroom.log.events.contains { $0.message.contains("cleanup.policy") })
        }
    }

    @Test(.needsRealKafka, .needsOpenSSL)
    func `a worker whose user may not see the policy logs a warning and works`() async throws {
        let cluster = try await SecureCluster.shared()
        let password = try KeyFile(SecureCluster.password)
        defer { withExtendedLifetime(password) {} }
        try await Newsroom.open(cluster.settings(.plain, passwordFile: password.path)) { newsroom in
            try await cluster.makeTopics(of: newsroom)
            try await cluster.allowOnly([.read, .write], with: .topic(newsroom.names.ledger))
            try await newsroom.withWorker { _ in
                try await cluster.publish(Desk.event("sent"), to: newsroom)
                _ = try await cluster.read(1, from: newsroom.names.outcomes)
            }
            let warning = newsroom.log.events.first {
                $0.message.hasPrefix("cannot check the cleanup.policy of the ledger")
            }
            #expect(warning?.level == .warning)
            let remedy = warning.map { "\($0.metadata)" } ?? ""
            #expect(remedy.contains("the right DescribeConfigs on both topics"))
        }
    }
}
