import Dispatch
import Glibc
import Kafka
import Locks
import StructuredLog
import TestSupport
import Testing
import Threads

@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct WorkerPartsTests {
    private let log = EventLog<LogEntry>()
    private let ended = EventLog<String>()

    private func parts() -> WorkerParts { WorkerParts(Logger(label: "", handler: log)) }

    private func add(_ name: String, _ stage: WorkerParts.Stage, to parts: WorkerParts, isClean: Bool = true) {
        parts.add(stage) { [ended] _ in
            ended.append(name)
            return isClean
        }
    }

    @Test(arguments: [true, false])
    func `parts stop once, in the order of their stages, and the consumer reports a clean stop`(
        isClean: Bool
    ) async {
        let parts = parts()
        add("port", .port, to: parts)
        add("producer", .producers, to: parts, isClean: false)
        add("control", .readers, to: parts)
        add("consumer", .consumer, to: parts, isClean: isClean)
        add("transport", .transport, to: parts)
        parts.add(.publishing, blocking: { [ended] in ended.append("publishing") })
        #expect(await parts.end(drain: .seconds(20), rest: .seconds(20)) == isClean)
        #expect(ended.events == ["consumer", "publishing", "transport", "control", "producer", "port"])
        #expect(await parts.end(drain: .seconds(20), rest: .seconds(20)))
        #expect(ended.events.count == 6)
        #expect(log.events.isEmpty)
    }

    @Test
    func `a part that hangs is abandoned and logged, and the others stop`() async throws {
        let parts = parts()
        let gate = EventLog<Bool>()
        parts.add(.transport, blocking: gate.blockingWait)
        add("producer", .producers, to: parts)
        #expect(await parts.end(drain: .zero, rest: .milliseconds(10)))
        try await ended.wait { $0 == ["producer"] ? () : nil }
        #expect(log.events.first?.metadata["part"] == "the transport")
        gate.append(true)
    }

    @Test
    func `a stop by a cancelled task waits like any other`() async {
        let parts = parts()
        let gate = EventLog<Bool>()
        parts.add(.consumer) { [ended] _ in
            _ = try? await gate.wait { $0.first }
            ended.append("consumer")
            return true
        }
        let stopping = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await parts.end(drain: .seconds(20), rest: .seconds(1))
        }
        gate.append(true)
        #expect(await stopping.value)
        #expect(ended.events == ["consumer"])
        #expect(log.events.isEmpty)
    }

    @Test
    func `a start that fails halfway stops the clients that it has created`() async throws {
        let broker = try SilentBroker()
        let reads = Locked(0)
        // The two producers get the password, and the consumer does not.
        let password = KafkaSecret(reading: {
            let count = reads.withLock { reads in
                reads += 1
                return reads
            }
            guard count > 2 else { return "secret" }
            // Both producers are connected.
            _ = broker.taken.wait(timeout: .now() + .seconds(50))
            throw CancellationError()
        })
        let folder = try KeyFile("Endpoint=sb://a.example/;SharedAccessKeyName=c;SharedAccessKey=a2V5")
        var configuration = try SoundConfiguration.read()
        configuration.hubs[0].credentials = .file(folder.path)
        configuration.kafka = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:\(broker.port)",
            clientID: "tests",
            security: .sasl(.plain(user: "news", password: password), tls: nil),
            // With these timeouts only the worker closes connections.
            properties: [
                "api.version.request.timeout.ms": "300000", "socket.connection.setup.timeout.ms": "300000",
                "socket.timeout.ms": "300000",
            ]
        )
        let logger = Logger(label: "", handler: log)
        await #expect(throws: WorkerStartError.self) { try await Worker.start(configuration, logger: logger) }
        try await broker.lost.wait { $0.count >= 2 ? () : nil }
    }
}

/// Accepts connections, answers nothing, and records when clients close them.
private final class SilentBroker: Sendable {
    let port: UInt16
    /// Signalled when the second connection was accepted.
    let taken = DispatchSemaphore(value: 0)
    let lost = EventLog<Int32>()
    private let listener: LoopbackListener

    init() throws {
        let listener = try LoopbackListener()
        port = listener.port
        self.listener = listener
        startThread(named: "silent-broker") { [taken, lost] in
            var count = 0
            while let connection = listener.acceptConnection() {
                count += 1
                if count == 2 { taken.signal() }
                startThread(named: "silent-broker") {
                    var bytes = [UInt8](repeating: 0, count: 4096)
                    while recv(connection, &bytes, bytes.count, 0) > 0 {}
                    close(connection)
                    lost.append(connection)
                }
            }
        }
    }

    deinit { listener.shutDown() }
}
