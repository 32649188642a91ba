import FoundationEssentials
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// TLS and SASL with a real broker: accepted clients, and the errors of refused ones.
@Suite(
    .timeLimit(.minutes(3)),
    .needsRealKafka,
    .needsOpenSSL
)
struct SecurityTests {
    /// A password that no user has.
    private static let wrongPassword = "open-barley-43"

    // MARK: - TLS

    @Test
    func `a client that trusts the broker's authority writes and reads`() async throws {
        let cluster = try await SecureCluster.shared()
        try await expectEntry(to: cluster, as: cluster.client(at: .tls, .tls(cluster.tls)))
    }

    @Test
    func `a broker of an unknown authority is refused, and the setting to check is named`() async throws {
        let cluster = try await SecureCluster.shared()
        let refusal = try await refusal(of: cluster.client(at: .tls, .tls(cluster.tlsOfStranger)))
        #expect(refusal.error.code.rawValue == "_SSL")
        #expect(refusal.error.message.contains("broker certificate could not be verified"))
        #expect(refusal.error.message.contains("ssl.ca.location"))
        expectBoundedFailure(refusal)
    }

    @Test
    func `a broker whose name is not in its certificate is refused unless names are not checked`() async throws {
        let cluster = try await SecureCluster.shared()
        var tls = cluster.tls
        let refusal = try await refusal(of: cluster.client(at: .tls, .tls(tls), host: "localhost"))
        #expect(refusal.error.code.rawValue == "_SSL")
        expectBoundedFailure(refusal)
        tls.verifiesHostName = false
        try await expectEntry(to: cluster, as: cluster.client(at: .tls, .tls(tls), host: "localhost"))
    }

    @Test
    func `a client sends its certificate if the broker asks for one`() async throws {
        let cluster = try await SecureCluster.shared()
        try await expectEntry(to: cluster, as: cluster.client(at: .mutualTLS, .tls(cluster.tlsWithCertificate)))
    }

    @Test
    func `the error of a client without a certificate names the certificate`() async throws {
        let cluster = try await SecureCluster.shared()
        let refusal = try await refusal(of: cluster.client(at: .mutualTLS, .tls(cluster.tls)))
        #expect(refusal.error.message.contains("certificate"))
        expectBoundedFailure(refusal)
    }

    // MARK: - Passwords

    @Test
    func `the right password is accepted by PLAIN`() async throws {
        try await expectEntry(by: .plain)
    }

    @Test(
        .enabled(
            if: KafkaLibrary.speaksSCRAMWithKafka4,
            "Kafka 4 takes no SCRAM from librdkafka before 2.6.1, which repeats its nonce (librdkafka#4895)"
        )
    )
    func `the right password is accepted by SCRAM-SHA-512`() async throws {
        try await expectEntry(by: .scramSHA512)
    }

    @Test(arguments: SecureCluster.PasswordMechanism.allCases)
    func `a wrong password is reported as wrong and never shown`(
        mechanism: SecureCluster.PasswordMechanism
    ) async throws {
        let cluster = try await SecureCluster.shared()
        let security = KafkaSecurity.sasl(mechanism.sasl(Self.wrongPassword), tls: cluster.tls)
        let refusal = try await refusal(of: cluster.client(at: .sasl, security))
        #expect(refusal.error.code == .authentication)
        #expect(refusal.error.message.contains("Authentication failed"))
        expectBoundedFailure(refusal)
        #expect(!refusal.texts.contains { $0.contains(Self.wrongPassword) })
    }

    @Test
    func `an unsupported mechanism is named with the ones that the broker supports`() async throws {
        let cluster = try await SecureCluster.shared()
        let password = KafkaSecret(SecureCluster.password)
        let sasl = KafkaSASL.scramSHA256(user: SecureCluster.user, password: password)
        let refusal = try await refusal(of: cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls)))
        #expect(refusal.error.code == .authentication)
        #expect(refusal.error.message.contains("SCRAM-SHA-256"))
        #expect(refusal.error.message.contains("PLAIN,SCRAM-SHA-512,OAUTHBEARER"))
        expectBoundedFailure(refusal)
        #expect(!refusal.texts.contains { $0.contains(SecureCluster.password) })
    }

    @Test
    func `a password that was changed after a refusal is used without a new client`() async throws {
        let cluster = try await SecureCluster.shared()
        let topic = try await cluster.makeTopic()
        let asked = EventLog<String>()
        let password = KafkaSecret(reading: {
            asked.append("asked")
            return asked.events.count == 1 ? Self.wrongPassword : SecureCluster.password
        })
        let sasl = KafkaSASL.plain(user: SecureCluster.user, password: password)
        let client = cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls))
        try await cluster.write([KafkaRecord(topic: topic, value: [1])], as: client)
        #expect(asked.events.count == 2)
    }

    // MARK: - Tokens

    @Test
    func `a token is accepted until it expires`() async throws {
        let cluster = try await SecureCluster.shared()
        let token = KafkaSecret(Self.token(lasting: .seconds(3600)))
        try await expectEntry(
            to: cluster,
            as: cluster.client(at: .sasl, .sasl(.oauthBearer(token: token), tls: cluster.tls))
        )
    }

    @Test
    func `a broker accepts a token with extensions`() async throws {
        let cluster = try await SecureCluster.shared()
        let sasl = KafkaSASL.oauthBearer(
            token: KafkaSecret(Self.token(lasting: .seconds(3600))),
            extensions: ["logicalCluster": "lkc-1", "identityPoolId": "pool 1"]
        )
        try await expectEntry(to: cluster, as: cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls)))
    }

    @Test
    func `an expired token is reported as expired and never shown`() async throws {
        let token = Self.token(lasting: .seconds(-3600))
        let refusal = try await refusal(ofToken: token)
        #expect(refusal.error.code == .authentication)
        #expect(refusal.error.message.contains("expired"))
        expectBoundedFailure(refusal)
        #expect(!refusal.texts.contains { $0.contains(token) })
    }

    @Test
    func `a token that the broker refuses is reported as refused and never shown`() async throws {
        let token = Self.token(of: nil, lasting: .seconds(3600))
        let refusal = try await refusal(ofToken: token)
        #expect(refusal.error.code == .authentication)
        #expect(refusal.error.message.contains("invalid_token"))
        expectBoundedFailure(refusal)
        #expect(!refusal.texts.contains { $0.contains(token) })
    }

    @Test
    func `the next token is used after the last one expired, without a new client`() async throws {
        let cluster = try await SecureCluster.shared()
        let topic = try await cluster.makeTopic()
        let (old, new) = (Self.token(lasting: .seconds(-3600)), Self.token(lasting: .seconds(3600)))
        let asked = EventLog<String>()
        let token = KafkaSecret(reading: {
            asked.append("asked")
            return asked.events.count == 1 ? old : new
        })
        let client = cluster.client(at: .sasl, .sasl(.oauthBearer(token: token), tls: cluster.tls))
        try await cluster.write([KafkaRecord(topic: topic, value: [1])], as: client)
        #expect(asked.events.count == 2)
    }
}

// MARK: - Accepted clients

extension SecurityTests {
    private func expectEntry(by mechanism: SecureCluster.PasswordMechanism) async throws {
        let cluster = try await SecureCluster.shared()
        let security = KafkaSecurity.sasl(mechanism.sasl(SecureCluster.password), tls: cluster.tls)
        try await expectEntry(to: cluster, as: cluster.client(at: .sasl, security))
    }

    /// Expects that a client can write, read and query.
    private func expectEntry(to cluster: SecureCluster, as client: KafkaConfiguration) async throws {
        let topic = try await cluster.makeTopic()
        let value = Array("let in".utf8)
        try await cluster.write([KafkaRecord(topic: topic, value: value)], as: client)
        let messages = try await cluster.read(1, from: topic, as: client)
        #expect(messages.map(\.value) == [value])
        #expect(try await KafkaAdmin(client).topic(topic)?.partitions.count == 1)
    }
}

// MARK: - Refused clients

/// The errors of a refused client.
private struct RefusedClient {
    /// The first error with the reason.
    var error: KafkaError
    /// The report on a record.
    var report: KafkaDeliveryReport
    /// The error of a query; `nil` if it was answered.
    var answer: KafkaError?
    /// All texts that people may see: errors, log lines, the configuration.
    var texts: [String]
}

extension SecurityTests {
    private func refusal(ofToken token: String) async throws -> RefusedClient {
        let cluster = try await SecureCluster.shared()
        let sasl = KafkaSASL.oauthBearer(token: KafkaSecret(token))
        return try await refusal(of: cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls)))
    }

    /// Writes and queries as a client that must be refused.
    private func refusal(of client: KafkaConfiguration) async throws -> RefusedClient {
        let lines = EventLog<KafkaLogLine>()
        var client = client
        client.log = { lines.append($0) }
        let recorder = ProducerRecorder()
        let configuration = KafkaProducerConfiguration(client: client, messageTimeout: .seconds(2))
        let producer = try KafkaProducer(configuration, delegate: recorder)
        do {
            producer.produce([KafkaRecord(topic: "behind-the-door", value: [1], id: 1)])
            // The error that no broker is left is reported as well, without the reason.
            let error = try await recorder.errors.wait { $0.first { $0.code != .allBrokersDown } }
            let report = try await recorder.report(on: 1)
            await producer.close(deadline: .seconds(5))
            let admin = try KafkaAdmin(client)
            let answer = await #expect(throws: KafkaError.self) { try await admin.topics(timeout: .seconds(1)) }
            let errors = recorder.errors.events + [report.error, answer].compactMap { $0 }
            let texts = errors.map(\.description) + lines.events.map(\.message) + ["\(client)"]
            return RefusedClient(error: error, report: report, answer: answer, texts: texts)
        } catch {
            await producer.close(deadline: .seconds(5))
            throw error
        }
    }

    /// Expects that no call took longer than its timeout, and that nothing was written.
    private func expectBoundedFailure(_ refusal: RefusedClient) {
        #expect(refusal.report.error?.code == .messageTimedOut)
        #expect(!refusal.report.mayBePersisted)
        #expect(refusal.answer?.isRetriable == true)
        // librdkafka returns to a caller only that nobody answered.
        #expect(refusal.answer?.message.contains("; the connection says: ") == true)
    }
}

extension KafkaDeliveryReport {
    fileprivate var error: KafkaError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

// MARK: - Tokens without a signature

extension SecurityTests {
    /// An unsigned JWT, which only a test broker accepts.
    ///
    /// - Parameters:
    ///   - user: The principal; `nil` for none, which no broker accepts.
    ///   - time: The lifetime from now on; negative for an expired token.
    /// - Returns: The encoded token.
    private static func token(of user: String? = SecureCluster.user, lasting time: Duration) -> String {
        let now = Timestamp.now()
        let subject = user.map { #""sub":"\#($0)","# } ?? ""
        let claims = #"{\#(subject)"iat":\#((now - .seconds(7200)).seconds),"exp":\#((now + time).seconds)}"#
        return [#"{"alg":"none"}"#, claims, ""].map(inAlphabetOfURLs).joined(separator: ".")
    }

    private static func inAlphabetOfURLs(_ text: String) -> String {
        let encoded = Data(text.utf8).base64EncodedString()
        return encoded.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
