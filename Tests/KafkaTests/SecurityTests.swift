import FoundationEssentials
import Kafka
import KafkaTestCluster
import TestSupport
import Testing
import Timestamps

/// TLS and SASL with a real broker: who is let in, and what those are told who are not.
@Suite(
    .timeLimit(.minutes(3)),
    .needsRealKafka,
    .needsOpenSSL
)
struct SecurityTests {
    /// No one's password.
    private static let wrongPassword = "open-barley-43"

    // MARK: - TLS

    @Test
    func `a client that knows the broker's authority writes and reads`() async throws {
        let cluster = try await SecureCluster.shared()
        try await expectEntry(to: cluster, as: cluster.client(at: .tls, .tls(cluster.tls)))
    }

    @Test
    func `a broker of an unknown authority is refused, and the setting to look at is named`() async throws {
        let cluster = try await SecureCluster.shared()
        let refusal = try await refusal(of: cluster.client(at: .tls, .tls(cluster.tlsOfStranger)))
        #expect(refusal.error.code.rawValue == "_SSL")
        #expect(refusal.error.message.contains("broker certificate could not be verified"))
        #expect(refusal.error.message.contains("ssl.ca.location"))
        expectBoundedFailure(refusal)
    }

    @Test
    func `a broker under another name than its certificate's is refused, unless names do not count`() async throws {
        let cluster = try await SecureCluster.shared()
        var tls = cluster.tls
        let refusal = try await refusal(of: cluster.client(at: .tls, .tls(tls), host: "localhost"))
        #expect(refusal.error.code.rawValue == "_SSL")
        expectBoundedFailure(refusal)
        tls.verifiesHostName = false
        try await expectEntry(to: cluster, as: cluster.client(at: .tls, .tls(tls), host: "localhost"))
    }

    @Test
    func `a client shows its own certificate where the broker asks for one`() async throws {
        let cluster = try await SecureCluster.shared()
        try await expectEntry(to: cluster, as: cluster.client(at: .mutualTLS, .tls(cluster.tlsWithCertificate)))
    }

    @Test
    func `a client without a certificate hears that it is the certificate`() async throws {
        let cluster = try await SecureCluster.shared()
        let refusal = try await refusal(of: cluster.client(at: .mutualTLS, .tls(cluster.tls)))
        #expect(refusal.error.message.contains("certificate"))
        expectBoundedFailure(refusal)
    }

    // MARK: - Passwords

    @Test
    func `the right password opens by PLAIN`() async throws {
        try await expectEntry(by: .plain)
    }

    @Test(
        .enabled(
            if: KafkaLibrary.speaksSCRAMWithKafka4,
            "Kafka 4 takes no SCRAM from librdkafka before 2.6.1, which repeats its nonce (librdkafka#4895)"
        )
    )
    func `the right password opens by SCRAM-SHA-512`() async throws {
        try await expectEntry(by: .scramSHA512)
    }

    @Test(arguments: SecureCluster.PasswordMechanism.allCases)
    func `a wrong password is told as such and shown to nobody`(
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
    func `a mechanism that the broker does not know is named, with those that it knows`() async throws {
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
    func `a password that was changed after a broker refused it opens without a new client`() async throws {
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
    func `a token opens as long as it lasts`() async throws {
        let cluster = try await SecureCluster.shared()
        let token = KafkaSecret(Self.token(lasting: .seconds(3600)))
        try await expectEntry(
            to: cluster,
            as: cluster.client(at: .sasl, .sasl(.oauthBearer(token: token), tls: cluster.tls))
        )
    }

    @Test
    func `a broker takes a token with extensions`() async throws {
        let cluster = try await SecureCluster.shared()
        let sasl = KafkaSASL.oauthBearer(
            token: KafkaSecret(Self.token(lasting: .seconds(3600))),
            extensions: ["logicalCluster": "lkc-1", "identityPoolId": "pool 1"]
        )
        try await expectEntry(to: cluster, as: cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls)))
    }

    @Test
    func `a token that has expired is told as such and shown to nobody`() async throws {
        let token = Self.token(lasting: .seconds(-3600))
        let refusal = try await refusal(ofToken: token)
        #expect(refusal.error.code == .authentication)
        #expect(refusal.error.message.contains("expired"))
        expectBoundedFailure(refusal)
        #expect(!refusal.texts.contains { $0.contains(token) })
    }

    @Test
    func `a token that the broker does not take is told as such and shown to nobody`() async throws {
        let token = Self.token(of: nil, lasting: .seconds(3600))
        let refusal = try await refusal(ofToken: token)
        #expect(refusal.error.code == .authentication)
        #expect(refusal.error.message.contains("invalid_token"))
        expectBoundedFailure(refusal)
        #expect(!refusal.texts.contains { $0.contains(token) })
    }

    @Test
    func `the next token opens where the last had expired, without a new client`() async throws {
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

// MARK: - Those who are let in

extension SecurityTests {
    private func expectEntry(by mechanism: SecureCluster.PasswordMechanism) async throws {
        let cluster = try await SecureCluster.shared()
        let security = KafkaSecurity.sasl(mechanism.sasl(SecureCluster.password), tls: cluster.tls)
        try await expectEntry(to: cluster, as: cluster.client(at: .sasl, security))
    }

    /// Expects that a client writes, reads and asks.
    private func expectEntry(to cluster: SecureCluster, as client: KafkaConfiguration) async throws {
        let topic = try await cluster.makeTopic()
        let value = Array("let in".utf8)
        try await cluster.write([KafkaRecord(topic: topic, value: value)], as: client)
        let messages = try await cluster.read(1, from: topic, as: client)
        #expect(messages.map(\.value) == [value])
        #expect(try await KafkaAdmin(client).topic(topic)?.partitions.count == 1)
    }
}

// MARK: - Those who are not

/// What a client was told that was not let in.
private struct Refusal {
    /// The first error that says why.
    var error: KafkaError
    /// What became of a record.
    var report: KafkaDeliveryReport
    /// Why a question was not answered; nil if it was.
    var answer: KafkaError?
    /// Everything that people may get to see: errors, log lines, the configuration.
    var texts: [String]
}

extension SecurityTests {
    private func refusal(ofToken token: String) async throws -> Refusal {
        let cluster = try await SecureCluster.shared()
        let sasl = KafkaSASL.oauthBearer(token: KafkaSecret(token))
        return try await refusal(of: cluster.client(at: .sasl, .sasl(sasl, tls: cluster.tls)))
    }

    /// Writes and asks as a client that is not to be let in.
    private func refusal(of client: KafkaConfiguration) async throws -> Refusal {
        let lines = EventLog<KafkaLogLine>()
        var client = client
        client.log = { lines.append($0) }
        let recorder = ProducerRecorder()
        let configuration = KafkaProducerConfiguration(client: client, messageTimeout: .seconds(2))
        let producer = try KafkaProducer(configuration, delegate: recorder)
        do {
            producer.produce([KafkaRecord(topic: "behind-the-door", value: [1], id: 1)])
            // That no broker is left is said as well, and does not say why.
            let error = try await recorder.errors.wait { $0.first { $0.code != .allBrokersDown } }
            let report = try await recorder.report(on: 1)
            await producer.close(deadline: .seconds(5))
            let admin = try KafkaAdmin(client)
            let answer = await #expect(throws: KafkaError.self) { try await admin.topics(timeout: .seconds(1)) }
            let errors = recorder.errors.events + [report.error, answer].compactMap { $0 }
            let texts = errors.map(\.description) + lines.events.map(\.message) + ["\(client)"]
            return Refusal(error: error, report: report, answer: answer, texts: texts)
        } catch {
            await producer.close(deadline: .seconds(5))
            throw error
        }
    }

    /// Expects that nobody waited longer than asked for, and that nothing went out.
    private func expectBoundedFailure(_ refusal: Refusal) {
        #expect(refusal.report.error?.code == .messageTimedOut)
        #expect(!refusal.report.mayBePersisted)
        #expect(refusal.answer?.isRetriable == true)
        // librdkafka tells whoever asks no more than that nobody answered.
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
    /// A JWT that nobody signed, which only a broker for tests takes.
    ///
    /// - Parameters:
    ///   - user: For whom it speaks; nil for nobody, which no broker takes.
    ///   - time: From now on; negative for a time that is over.
    /// - Returns: The token as it goes over the wire.
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
