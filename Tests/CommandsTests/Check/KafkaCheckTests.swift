import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The facts of `newsflash check` about a cluster, which it does not change.
@Suite(.timeLimit(.minutes(4)))
struct KafkaCheckTests {
    /// Creates the topics as `newsflash topics apply` does, within the limits of the cluster.
    private func make(_ newsroom: CheckedNewsroom, partitions: Int = 3, ledger: Int? = nil) async throws {
        let cluster = try await KafkaTestCluster.shared()
        for topic in newsroom.needed {
            var count = topic.fixedPartitions ?? partitions
            if topic.role == .ledger, let ledger { count = ledger }
            if KafkaTestCluster.isReal {
                let new = topic.new(partitions: count, replicationFactor: nil)
                let admin = try KafkaAdmin(newsroom.configuration.kafka)
                if let error = try await admin.createTopics([new])[topic.name] { throw error }
                try await cluster.awaitTopic(topic.name, partitions: count)
            } else {
                try await cluster.makeTopic(named: topic.name, partitions: count)
            }
        }
    }

    private func facts(_ newsroom: CheckedNewsroom) async -> [CheckFact] {
        var facts: [CheckFact] = []
        await KafkaCheckup(TopicSettings(newsroom.configuration), patience: .seconds(3)).run { facts.append($0) }
        return facts
    }

    @Test func `a cluster with everything that a worker needs is fine, and nothing is written to it`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client())
        try await make(newsroom)
        let before = try await newsroom.traces(at: cluster.client())
        #expect(before.count == 13)
        let facts = await facts(newsroom)
        #expect(facts.problems.isEmpty, "\(facts.problems)")
        #expect(facts.contains { $0.area == .kafka && $0.status == .ok })
        for topic in newsroom.needed {
            #expect(facts.contains { $0.area == .topic && $0.subjects.contains(topic.name) })
            #expect(facts.contains { $0.area == .rights && $0.subject == topic.name })
        }
        #expect(facts.contains(.ok(.rights, newsroom.configuration.group, "our user may join the group")))
        #expect(try await newsroom.traces(at: cluster.client()) == before)
    }

    @Test func `a check for people on call asks no hub`() async throws {
        let nowhere = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
        let newsroom = try CheckedNewsroom(nowhere)
        #expect(await newsroom.facts().contains { $0.area == .hub })
        let facts = await newsroom.facts(as: .operator)
        #expect(!facts.contains { $0.area == .hub })
        #expect(facts.contains { $0.area == .kafka })
    }

    @Test func `a port without a listener and a name without an address are problems`() async throws {
        var newsroom = try CheckedNewsroom(KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests"))
        #expect(try await facts(newsroom).only(.portClosed).status == .problem(.unreachable))
        newsroom.configuration.kafka.bootstrapServers = "no-broker.invalid:9092"
        let unknown = await facts(newsroom)
        #expect(try unknown.only(.nameUnknown).message.contains("no-broker.invalid"))
        #expect(unknown.count == 1)
    }

    @Test func `one unreachable broker of several is advice`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        var newsroom = try CheckedNewsroom(cluster.client())
        try await make(newsroom)
        newsroom.configuration.kafka.bootstrapServers += ",127.0.0.1:1"
        let facts = await facts(newsroom)
        #expect(try facts.only(.portClosed).status == .advice)
        #expect(facts.problems.isEmpty)
    }

    @Test func `missing topics are named, and the check does not create them`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client())
        let facts = await facts(newsroom)
        #expect(facts.filter { $0.code == .topicMissing }.flatMap(\.subjects) == newsroom.needed.map(\.name))
        #expect(facts.problems.allSatisfy { $0.message.contains("newsflash topics apply") })
        let topics = try await KafkaAdmin(cluster.client()).topics().map(\.name)
        #expect(!newsroom.needed.contains { topics.contains($0.name) })
    }

    @Test func `a ledger with fewer partitions than the events is a problem`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client())
        try await make(newsroom, ledger: 2)
        let unfit = await facts(newsroom).problems
        #expect(unfit.map(\.subject) == [newsroom.configuration.source.ledger])
        #expect(unfit.first?.message.contains("has 2 partitions and the topic of events 3") == true)
    }

    @Test func `a ledger with a damaged newest record is a problem, one that can be decoded is not`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client())
        try await make(newsroom)
        let ledger = newsroom.configuration.source.ledger
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()))
        let good = LedgerRecordCodec.encode(.sent, of: "good")
        let owner = LedgerOwner(hasLeft: true, isSettled: true, hubs: [:]).encoded
        let records = [
            (0, "good", good), (0, LedgerOwner.key, owner), (1, "good", Array("{}".utf8)), (1, "good", good),
            (2, "good", Array("{}".utf8)),
        ]
        for (partition, key, value) in records {
            let record = KafkaRecord(topic: ledger, partition: Int32(partition), key: Array(key.utf8), value: value)
            try await producer.send(record)
        }
        await producer.close()
        let damaged = try await facts(newsroom).only(.ledgerDamaged)
        #expect(damaged.subject == ledger)
        #expect(damaged.message.hasPrefix("the record at offset 0 of partition 2 is damaged"))
        let remedy = "ledger.damaged: ignore and write a tombstone for its key (runbook NewsflashPartitionStuck)"
        #expect(damaged.message.hasSuffix(remedy))
    }
}
