import NewsflashHTTPTransport
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTestSupport
import NewsflashWorker
import Testing

/// A broker that accepts connections and answers nothing. A connection does not mean that Kafka works.
@Suite(.timeLimit(.minutes(4)))
struct SilentBrokerTests {
    @Test
    func `a worker is not ready as long as a broker accepts connections and never answers`() async throws {
        try await Newsroom.open { newsroom in
            let broker = try LoopbackListener()
            defer { broker.close() }
            var configuration = newsroom.configuration
            configuration.kafka.bootstrapServers = "127.0.0.1:\(broker.port)"
            let changed = configuration
            let starting = Task { try await newsroom.startWorker(changed) }
            let served = try await newsroom.log.wait { entries in
                entries.first { $0.message == "health and metrics are served" }
            }
            let address = "\(served.metadata["listen"].map { "\($0)" } ?? "")"
            let admin = AdminClient(port: try #require(address.split(separator: ":").last.flatMap { UInt16($0) }))
            // Before the first answer of the broker, and after it has not answered.
            #expect(try await admin.get("/readyz").status == 503)
            let complaint = try await newsroom.log.wait { entries in
                entries.first { $0.message == "the worker waits for Kafka and its topics" }
            }
            #expect("\(complaint.metadata["detail"].map { "\($0)" } ?? "")".contains(":\(broker.port)"))
            let ready = try await admin.get("/readyz")
            #expect(ready.status == 503)
            let text = String(decoding: ready.body, as: UTF8.self)
            #expect(text.contains("starting: ") && text.contains(":\(broker.port)"), "\(text)")
            #expect(try await admin.get("/livez").status == 200, "a restart would not help")
            #expect(broker.hasConnection, "the broker has accepted a connection")
            starting.cancel()
            let error = await #expect(throws: WorkerStartError.self) { try await starting.value }
            #expect(error?.code == .cancelled)
        }
    }
}
