import Kafka
import KafkaTestCluster
import TestSupport
import Testing
import Worker

@testable import Commands

/// What `newsflash check` says of a broker that lets in only who shows himself, and of rights that are missing.
@Suite(
    .serialized,
    .timeLimit(.minutes(3)),
    .needsRealKafka,
    .needsOpenSSL
)
struct SecureKafkaCheckTests {
    private func facts(_ newsroom: CheckedNewsroom, hasVolumeLimit: Bool = true) async -> [CheckFact] {
        var facts: [CheckFact] = []
        await KafkaCheckup(TopicSettings(newsroom.configuration), hasVolumeLimit: hasVolumeLimit).run { facts.append($0) }
        return facts
    }

    private static func signedIn(_ cluster: SecureCluster, password: String = SecureCluster.password)
        -> KafkaConfiguration
    {
        let sasl = SecureCluster.PasswordMechanism.plain.sasl(password)
        return cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls))
    }

    // MARK: - The door

    @Test func `a certificate of an unknown authority`() async throws {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client(at: .tls, .tls(cluster.tlsOfStranger)))
        let fact = try await facts(newsroom).only(.tlsFailed)
        #expect(fact.status == .problem(.refused))
        #expect(fact.message.contains("kafka.caFile"))
    }

    @Test func `no certificate where the broker asks for one`() async throws {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client(at: .mutualTLS, .tls(cluster.tls)))
        #expect(try await facts(newsroom).only(.tlsFailed).message.contains("kafka.certificateFile"))
    }

    @Test func `a wrong password, which is not shown`() async throws {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(Self.signedIn(cluster, password: "open-barley-43"))
        let facts = await facts(newsroom)
        #expect(try facts.only(.signInRefused).message.contains("kafka.sasl"))
        #expect(!facts.contains { $0.message.contains("open-barley-43") })
    }

    @Test func `TLS where none is spoken, and none where it is`() async throws {
        let cluster = try await SecureCluster.shared()
        let open = cluster.client().bootstrapServers
        var newsroom = try CheckedNewsroom(cluster.client(at: .tls, .tls(cluster.tls)))
        newsroom.configuration.kafka.bootstrapServers = open
        #expect(try await facts(newsroom).only(.wrongProtocol).message.contains("kafka.tls"))
        newsroom = try CheckedNewsroom(cluster.client(at: .tls, .plaintext))
        #expect(try await facts(newsroom).only(.wrongProtocol).status == .problem(.refused))
    }

    // MARK: - Rights

    /// Makes a newsroom's topics, takes rights away, checks, and sees that nothing was written.
    private func check(
        leaving operations: [String] = [],
        hasVolumeLimit: Bool = true,
        with resource: ((CheckedNewsroom) -> SecureCluster.Resource)? = nil
    ) async throws -> (newsroom: CheckedNewsroom, facts: [CheckFact]) {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(Self.signedIn(cluster))
        _ = try await TopicMaker(cluster: cluster.client(), partitions: 2, replicationFactor: 1).make(newsroom.needed)
        try await newsroom.awaitTopics(at: cluster.client())
        let before = try await newsroom.traces(at: cluster.client())
        let resource = resource.map { $0(newsroom) }
        if let resource { try await cluster.allowOnly(operations, with: resource) }
        let facts = await facts(newsroom, hasVolumeLimit: hasVolumeLimit)
        if let resource { try await cluster.allowEverything(with: resource) }
        #expect(try await newsroom.traces(at: cluster.client()) == before)
        return (newsroom, facts)
    }

    @Test func `all rights are there`() async throws {
        let (newsroom, facts) = try await check()
        #expect(facts.problems.isEmpty, "\(facts.problems)")
        let rights = facts.filter { $0.area == .rights }.map { "\($0.subject) \($0.message)" }
        let settings = newsroom.configuration
        #expect(
            rights == [
                "\(settings.source.topic) may be read", "\(settings.topics.outcomes) may be written",
                "\(settings.topics.deadLetters) may be written", "\(settings.topics.control) may be read and written",
                "\(settings.source.ledger) may be read and written", "\(settings.group) the group may be joined",
            ]
        )
    }

    @Test func `the source may be seen and not read`() async throws {
        let (newsroom, facts) = try await check(leaving: ["Describe"]) { .topic($0.configuration.source.topic) }
        let topic = newsroom.configuration.source.topic
        #expect(
            try facts.only(.rightMissing).message == "our user may not: give it the right Read on the topic \(topic)"
        )
    }

    @Test func `the source may not even be seen`() async throws {
        let (newsroom, facts) = try await check(leaving: ["AlterConfigs"]) { .topic($0.configuration.source.topic) }
        let fact = try facts.only(.topicMissing)
        #expect(fact.subject == newsroom.configuration.source.topic)
        #expect(fact.message.contains("or may not be seen by our user (right Describe)"))
    }

    @Test func `outcomes may be read and not written`() async throws {
        let (newsroom, facts) = try await check(leaving: ["Read"]) { .topic($0.configuration.topics.outcomes) }
        let fact = try facts.only(.rightMissing)
        #expect(fact.message.hasSuffix("the right Write on the topic \(newsroom.configuration.topics.outcomes)"))
    }

    @Test(arguments: [true, false])
    func `only a volume limit needs to write orders`(hasVolumeLimit: Bool) async throws {
        let (newsroom, facts) = try await check(leaving: ["Read"], hasVolumeLimit: hasVolumeLimit) {
            .topic($0.configuration.topics.control)
        }
        let control = newsroom.configuration.topics.control
        guard hasVolumeLimit else {
            #expect(facts.problems.isEmpty, "\(facts.problems)")
            #expect(facts.contains(.ok(.rights, control, "may be read")))
            return
        }
        #expect(try facts.only(.rightMissing).message.hasSuffix("the right Write on the topic \(control)"))
    }

    @Test func `the ledger may be written and not read`() async throws {
        let (newsroom, facts) = try await check(leaving: ["Write"]) { .topic($0.configuration.source.ledger) }
        let fact = try facts.only(.rightMissing)
        #expect(fact.message.hasSuffix("the right Read on the topic \(newsroom.configuration.source.ledger)"))
        #expect(facts.contains(.ok(.rights, newsroom.configuration.source.ledger, "may be written")))
    }

    @Test func `the group may be seen and not joined`() async throws {
        let (newsroom, facts) = try await check(leaving: ["Describe"]) { .group($0.configuration.group) }
        let fact = try facts.only(.rightMissing)
        #expect(fact.message.hasSuffix("the right Read on the group \(newsroom.configuration.group)"))
    }
}
