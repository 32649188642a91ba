import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The facts of `newsflash check` about a broker that requires authentication, and about missing rights.
@Suite(.timeLimit(.minutes(3)), .needsRealKafka, .needsOpenSSL)
struct SecureKafkaCheckTests {
    private func facts(
        _ newsroom: CheckedNewsroom,
        as user: CheckedUser = .worker,
        hasVolumeLimit: Bool = true
    ) async -> [CheckFact] {
        var facts: [CheckFact] = []
        let settings = TopicSettings(newsroom.configuration)
        await KafkaCheckup(settings, as: user, hasVolumeLimit: hasVolumeLimit).run { facts.append($0) }
        return facts
    }

    private static func signedIn(_ cluster: SecureCluster, password: String = SecureCluster.password)
        -> KafkaConfiguration
    {
        let sasl = SecureCluster.PasswordMechanism.plain.sasl(password)
        return cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls))
    }

    // MARK: - Connections

    @Test func `a certificate of an unknown authority is a problem`() async throws {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client(at: .tls, .tls(cluster.tlsOfStranger)))
        let fact = try await facts(newsroom).only(.tlsFailed)
        #expect(fact.status == .problem(.refused))
        #expect(fact.message.contains("kafka.caFile"))
    }

    @Test func `a missing client certificate is a problem if the broker asks for one`() async throws {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(cluster.client(at: .mutualTLS, .tls(cluster.tls)))
        #expect(try await facts(newsroom).only(.tlsFailed).message.contains("kafka.certificateFile"))
    }

    @Test func `a wrong password is a problem, and the password is not shown`() async throws {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(Self.signedIn(cluster, password: "open-barley-43"))
        let facts = await facts(newsroom)
        #expect(try facts.only(.signInRefused).message.contains("kafka.sasl"))
        #expect(!facts.contains { $0.message.contains("open-barley-43") })
    }

    @Test func `TLS to a plain port and plain text to a TLS port are problems`() async throws {
        let cluster = try await SecureCluster.shared()
        let open = cluster.client().bootstrapServers
        var newsroom = try CheckedNewsroom(cluster.client(at: .tls, .tls(cluster.tls)))
        newsroom.configuration.kafka.bootstrapServers = open
        #expect(try await facts(newsroom).only(.wrongProtocol).message.contains("kafka.tls"))
        newsroom = try CheckedNewsroom(cluster.client(at: .tls, .plaintext))
        #expect(try await facts(newsroom).only(.wrongProtocol).status == .problem(.refused))
    }

    // MARK: - Rights

    /// Creates a newsroom's topics, takes rights away, checks, and expects that nothing was written.
    private func check(
        as user: CheckedUser = .worker,
        leaving operations: [AccessList.Operation] = [],
        hasVolumeLimit: Bool = true,
        with resource: ((CheckedNewsroom) -> AccessList)? = nil
    ) async throws -> (newsroom: CheckedNewsroom, facts: [CheckFact]) {
        let cluster = try await SecureCluster.shared()
        let newsroom = try CheckedNewsroom(Self.signedIn(cluster))
        let plan = TopicPlan(offline: newsroom.needed, partitions: 2, replicationFactor: 1)
        try await TopicSetup.create(plan.creations, at: cluster.client())
        try await newsroom.awaitTopics(at: cluster.client())
        let before = try await newsroom.traces(at: cluster.client())
        let resource = resource.map { $0(newsroom) }
        if let resource { try await cluster.allowOnly(operations, with: resource) }
        let facts = await facts(newsroom, as: user, hasVolumeLimit: hasVolumeLimit)
        if let resource { try await cluster.allowEverything(with: resource) }
        #expect(try await newsroom.traces(at: cluster.client()) == before)
        return (newsroom, facts)
    }

    @Test func `a user with all rights has no problem`() async throws {
        let (newsroom, facts) = try await check()
        #expect(facts.problems.isEmpty, "\(facts.problems)")
        let rights = facts.filter { $0.area == .rights }.map { "\($0.subject) \($0.message)" }
        let settings = newsroom.configuration
        #expect(
            rights == [
                "\(settings.source.topic) may be read", "\(settings.topics.outcomes) may be written",
                "\(settings.topics.deadLetters) may be written", "\(settings.topics.control) may be read and written",
                "\(settings.source.ledger) may be read and written", "\(settings.group) our user may join the group",
            ]
        )
    }

    @Test func `a source that may be seen and not read is a problem`() async throws {
        let (newsroom, facts) = try await check(leaving: [.describe]) { .topic($0.configuration.source.topic) }
        let topic = newsroom.configuration.source.topic
        let message = try facts.only(.rightMissing).message
        #expect(message == "forbidden for our user: give it the right Read on the topic \(topic)")
    }

    @Test func `a source that may not be seen is a problem`() async throws {
        let (newsroom, facts) = try await check(leaving: [.alterConfigs]) { .topic($0.configuration.source.topic) }
        let fact = try facts.only(.topicMissing)
        #expect(fact.subject == newsroom.configuration.source.topic)
        #expect(fact.message.contains("or our user may not see it (right Describe)"))
    }

    @Test func `outcomes that may be read and not written are a problem`() async throws {
        let (newsroom, facts) = try await check(leaving: [.read]) { .topic($0.configuration.topics.outcomes) }
        let fact = try facts.only(.rightMissing)
        #expect(fact.message.hasSuffix("the right Write on the topic \(newsroom.configuration.topics.outcomes)"))
    }

    @Test(arguments: [true, false])
    func `only a volume limit needs the right to write commands`(hasVolumeLimit: Bool) async throws {
        let (newsroom, facts) = try await check(leaving: [.read], hasVolumeLimit: hasVolumeLimit) {
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

    @Test func `a ledger that may be written and not read is a problem`() async throws {
        let (newsroom, facts) = try await check(leaving: [.write]) { .topic($0.configuration.source.ledger) }
        let fact = try facts.only(.rightMissing)
        #expect(fact.message.hasSuffix("the right Read on the topic \(newsroom.configuration.source.ledger)"))
        #expect(facts.contains(.ok(.rights, newsroom.configuration.source.ledger, "may be written")))
    }

    @Test func `a group that may be seen and not joined is a problem`() async throws {
        let (newsroom, facts) = try await check(leaving: [.describe]) { .group($0.configuration.group) }
        let fact = try facts.only(.rightMissing)
        #expect(fact.message.hasSuffix("the right Read on the group \(newsroom.configuration.group)"))
    }

    // MARK: - Rights of people on call

    @Test func `people on call read all topics, and write to the source and the control topic`() async throws {
        let (newsroom, facts) = try await check(as: .operator)
        #expect(facts.problems.isEmpty, "\(facts.problems)")
        let rights = facts.filter { $0.area == .rights }.map { "\($0.subject) \($0.message)" }
        let settings = newsroom.configuration
        #expect(
            rights == [
                "\(settings.source.topic) may be read and written", "\(settings.topics.outcomes) may be read",
                "\(settings.topics.deadLetters) may be read", "\(settings.topics.control) may be read and written",
                "\(settings.source.ledger) may be read", "\(settings.group) our user may see the group",
            ]
        )
    }

    @Test func `people on call need no right to write the ledger`() async throws {
        let (_, facts) = try await check(as: .operator, leaving: [.read]) { .topic($0.configuration.source.ledger) }
        #expect(facts.problems.isEmpty, "\(facts.problems)")
    }

    @Test func `a source that people on call may read and not write is a problem`() async throws {
        let (newsroom, facts) = try await check(as: .operator, leaving: [.read]) {
            .topic($0.configuration.source.topic)
        }
        let topic = newsroom.configuration.source.topic
        #expect(try facts.only(.rightMissing).message.hasSuffix("the right Write on the topic \(topic)"))
    }

    @Test func `dead letters that people on call may write and not read are a problem`() async throws {
        let (newsroom, facts) = try await check(as: .operator, leaving: [.write]) {
            .topic($0.configuration.topics.deadLetters)
        }
        let topic = newsroom.configuration.topics.deadLetters
        #expect(try facts.only(.rightMissing).message.hasSuffix("the right Read on the topic \(topic)"))
    }

    @Test func `a group that people on call may not see is a problem, and need not be joined`() async throws {
        let (newsroom, facts) = try await check(as: .operator, leaving: [.alterConfigs]) {
            .group($0.configuration.group)
        }
        let message = try facts.only(.rightMissing).message
        #expect(message.hasSuffix("the right Describe on the group \(newsroom.configuration.group)"))
        let (_, seen) = try await check(as: .operator, leaving: [.describe]) { .group($0.configuration.group) }
        #expect(seen.problems.isEmpty, "\(seen.problems)")
    }
}
