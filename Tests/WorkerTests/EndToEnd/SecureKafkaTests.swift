import NewsflashCurlTransport
import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTestSupport
import NewsflashWorker
import Testing

/// A whole worker with a broker that requires a password over TLS.
@Suite(
    .timeLimit(.minutes(3)),
    .needsRealKafka,
    .needsOpenSSL
)
struct SecureKafkaTests {
    @Test
    func `an event is sent with a password from a file, by PLAIN over TLS`() async throws {
        try await sendOneEvent(by: .plain)
    }

    @Test(
        .enabled(
            if: KafkaLibrary.speaksSCRAMWithKafka4,
            "Kafka 4 takes no SCRAM from librdkafka before 2.6.1, which repeats its nonce (librdkafka#4895)"
        )
    )
    func `an event is sent with a password from a file, by SCRAM-SHA-512 over TLS`() async throws {
        try await sendOneEvent(by: .scramSHA512)
    }

    private func sendOneEvent(by mechanism: SecureCluster.PasswordMechanism) async throws {
        let cluster = try await SecureCluster.shared()
        let passwordFile = try KeyFile(SecureCluster.password)
        defer { withExtendedLifetime(passwordFile) {} }
        try await Newsroom.open(cluster.settings(mechanism, passwordFile: passwordFile.path)) { newsroom in
            try await cluster.makeTopics(of: newsroom)
            try await newsroom.withWorker { worker in
                try await cluster.publish(Desk.event("guarded"), to: newsroom)
                let outcome = try await cluster.firstOutcome(of: newsroom)
                #expect(outcome?.event == "guarded")
                #expect(outcome?.outcome == "sent")
                #expect(worker.unreadyReasons == [])
            }
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["guarded"])
            #expect(!newsroom.logTexts.contains { $0.contains(SecureCluster.password) })
        }
    }

    @Test
    func `a worker with a wrong password waits and reports it, and the next one sends the event`() async throws {
        let wrongPassword = "open-barley-43"
        let cluster = try await SecureCluster.shared()
        let passwordFile = try KeyFile(wrongPassword)
        defer { withExtendedLifetime(passwordFile) {} }
        try await Newsroom.open(cluster.settings(.plain, passwordFile: passwordFile.path)) { newsroom in
            try await cluster.makeTopics(of: newsroom)
            try await cluster.publish(Desk.event("patient"), to: newsroom)
            let starting = Task { try await newsroom.startWorker() }
            defer { starting.cancel() }
            let answer = try await newsroom.readiness(naming: "Authentication failed")
            #expect(answer.status == 503)
            #expect(answer.text.contains(#""kafka: "#))
            starting.cancel()
            let error = await #expect(throws: WorkerStartError.self) { try await starting.value }
            #expect(error?.code == .cancelled, "it had neither started nor given up")
            let texts = newsroom.logTexts + [answer.text, String(describing: error)]
            #expect(!texts.contains { $0.contains(wrongPassword) })
            #expect(newsroom.hub.pushes.isEmpty)

            try passwordFile.write(SecureCluster.password)
            try await newsroom.withWorker { _ in
                let outcome = try await cluster.firstOutcome(of: newsroom)
                #expect(outcome?.event == "patient")
            }
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["patient"])
        }
    }
}

extension Newsroom {
    /// All log texts of the workers.
    fileprivate var logTexts: [String] { log.events.map { "\($0.message) \($0.metadata)" } }

    /// Asks a starting worker for its readiness after each log line, until it names a reason.
    fileprivate func readiness(naming reason: String) async throws -> HTTPResponse {
        let listen = try await log.wait { entries in
            entries.first { $0.message == "health and metrics are served" }?.metadata["listen"]
        }
        guard case .string(let address) = listen else { throw NoAddress() }
        let transport = try CurlTransport()
        var heard = 0
        while true {
            let answer = try await transport.send(HTTPRequest(method: .get, url: "http://\(address)/readyz"))
            if answer.text.contains(reason) { return answer }
            heard = try await log.wait { [heard] in $0.count > heard ? $0.count : nil }
        }
    }

    /// The error of a worker without an address for its health.
    private struct NoAddress: Error {}
}

extension HTTPResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
