import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The comparison of hub addresses with the ledger in `newsflash check`.
@Suite(.timeLimit(.minutes(4)))
struct HubAddressCheckTests {
    private typealias LedgerRecord = (partition: Int32, key: String, value: [UInt8]?)

    private static let old = "news-old.example/newsroom"
    private static let present = "127.0.0.1:1/newsroom"

    /// Makes the topics of a newsroom, and writes its ledger.
    private func newsroom(_ records: [LedgerRecord]) async throws -> CheckedNewsroom {
        let cluster = try await KafkaTestCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client())
        for topic in newsroom.needed {
            try await cluster.makeTopic(named: topic.name, partitions: topic.fixedPartitions ?? 4)
        }
        try await newsroom.awaitTopics(at: cluster.client())
        let ledger = newsroom.configuration.source.ledger
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster.client()))
        for record in records {
            let key = Array(record.key.utf8)
            try await producer.send(
                KafkaRecord(topic: ledger, partition: record.partition, key: key, value: record.value)
            )
        }
        await producer.close()
        return newsroom
    }

    /// Returns the facts of the ledger that a check finds.
    private func facts(
        _ records: [LedgerRecord],
        _ adjust: (inout WorkerConfiguration) -> Void = { _ in }
    ) async throws -> [CheckFact] {
        var configuration = try await newsroom(records).configuration
        adjust(&configuration)
        let settings = TopicSettings(configuration)
        let checkup = KafkaCheckup(settings, hubs: HubAddresses(configuration), patience: .seconds(3))
        var facts: [CheckFact] = []
        await checkup.run { facts.append($0) }
        return facts.filter { $0.area == .ledger }
    }

    private func owner(_ address: String, of label: String = "main", in partition: Int32) -> LedgerRecord {
        let owner = LedgerOwner(hasLeft: true, isSettled: true, hubs: [label: address, "gone": Self.old])
        return (partition, LedgerOwner.key, owner.encoded)
    }

    private func story(in partition: Int32) -> LedgerRecord {
        (partition, "quake", LedgerRecordCodec.encode(.sent, of: "quake"))
    }

    @Test func `a label with another address than in the ledger is a problem, with the partitions and what to do`()
        async throws
    {
        let newsroom = try await newsroom([
            owner(Self.old, in: 0), owner(Self.old, in: 2), story(in: 2), owner(Self.present, in: 3),
        ])
        let facts = await newsroom.facts().filter { $0.area == .ledger }
        let problem = try facts.only(.hubAddressChanged)
        #expect(problem.subject == newsroom.configuration.source.ledger)
        #expect(problem.status == .problem(.configuration))
        #expect([problem].exitCode.rawValue == 78)
        #expect(
            problem.message == """
                hubs.main: the stories of partitions 0, 2 were sent to \(Self.old), but in this configuration 'main' is \
                \(Self.present), so a worker refuses to start: give the new hub a label of its own and keep 'main' with \
                \(Self.old), or restore the endpoint and name of 'main', or, if all its devices have moved to the new hub, \
                confirm it with hubs.main.replaces: \(Self.old)
                """
        )
        #expect(facts.problems == [problem])
        #expect(!facts.contains { $0.message.contains("match the configuration") })
    }

    @Test(arguments: [
        // None, equal, another label, and a later record of the same partition.
        [], [present], [present.uppercased()], [old, present],
    ])
    func `a ledger without another address fits`(addresses: [String]) async throws {
        let facts = try await facts(
            addresses.map { owner($0, in: 1) } + [owner(Self.old, of: "another", in: 1), story(in: 1)]
        )
        #expect(facts.problems.isEmpty, "\(facts)")
        #expect(facts.last?.message == "its hub addresses match the configuration (main)")
    }

    @Test func `an address whose devices have moved is accepted if the configuration confirms it`() async throws {
        let facts = try await facts([owner(Self.old, in: 1)]) { $0.hubs[0].replaces = [Self.old] }
        #expect(facts.map(\.status) == [.ok, .ok])
        #expect(facts.last?.message == "its hub addresses match the configuration (main)")
    }

    @Test func `a deleted owner record has no address`() async throws {
        let facts = try await facts([owner(Self.old, in: 1), (1, LedgerOwner.key, nil)])
        #expect(facts.problems.isEmpty, "\(facts)")
    }

    @Test func `a damaged owner record is reported once, also if newer records follow it`() async throws {
        let damaged: LedgerRecord = (1, LedgerOwner.key, Array("{".utf8))
        for records in [[damaged], [damaged, story(in: 1)]] {
            let fact = try await facts(records).only(.ledgerDamaged)
            #expect(fact.message.hasPrefix("the record at offset 0 of partition 1 is damaged"))
        }
    }

    @Test func `a hub without a connection string is not compared`() async throws {
        let facts = try await facts([owner(Self.old, in: 1)]) { $0.hubs[0].credentials = nil }
        #expect(facts.map(\.message) == ["the newest record of each partition can be decoded"])
    }
}
