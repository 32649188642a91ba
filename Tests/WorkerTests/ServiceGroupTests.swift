import Dispatch
import Glibc
import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct ServiceGroupTests {
    private let log = EventLog<LogEntry>()
    private let events = EventLog<String>()

    private func group() -> ServiceGroup { ServiceGroup(Logger(label: "", handler: log)) }

    /// A service for each stage, in another order than that of the stages. One of them fails to start.
    private func group(failing: ServiceGroup.Stage? = nil, isClean: Bool = true) -> ServiceGroup {
        let group = group()
        for stage in [.consumer, .transport, .port, .publishing, .readers, .producers] as [ServiceGroup.Stage] {
            let service = TestService { [events] in
                if stage == failing { throw KafkaError(.transport, "away") }
                events.append("\(stage)")
            } end: { [events] _ in
                events.append("-\(stage)")
                return stage == .consumer && isClean
            }
            group.add(stage, service)
        }
        return group
    }

    @Test(arguments: [true, false])
    func `services start in the order of their stages and end once in reverse, and the consumer reports a clean end`(
        isClean: Bool
    ) async throws {
        let group = group(isClean: isClean)
        try group.start()
        let started = ["port", "producers", "readers", "transport", "publishing", "consumer"]
        #expect(events.events == started)
        #expect(await group.shutDown(drain: .seconds(20), rest: .seconds(20)) == isClean)
        #expect(events.events == started + started.reversed().map { "-" + $0 })
        #expect(await group.shutDown(drain: .seconds(20), rest: .seconds(20)))
        #expect(events.events.count == 12)
        #expect(log.events.isEmpty)
    }

    /// Clients of Kafka have connections before they are started, so services that did not start end too.
    @Test
    func `no service starts after one that fails, and all of them end`() async {
        let group = group(failing: .readers)
        let error = #expect(throws: WorkerStartError.self) { try group.start() }
        #expect(error?.description.contains("away") == true)
        #expect(events.events == ["port", "producers"])
        _ = await group.shutDown(drain: .seconds(20), rest: .seconds(20))
        let ended = ["consumer", "publishing", "transport", "readers", "producers", "port"].map { "-" + $0 }
        #expect(events.events == ["port", "producers"] + ended)
    }

    @Test
    func `a publishing thread that did not start ends at once`() async throws {
        let stage = try LoopStage(isStarted: false)
        #expect(await stage.thread.shutDown(within: .seconds(20)))
    }

    @Test
    func `services of one stage end concurrently and get its limit`() async {
        let group = group()
        let limits = EventLog<Duration>()
        for _ in 0..<2 {
            let service = TestService { limit in
                limits.append(limit)
                return (try? await limits.atLeast(3)) != nil
            }
            group.add(.readers, service)
        }
        group.add(
            .consumer,
            TestService { limit in
                limits.append(limit)
                return true
            }
        )
        #expect(await group.shutDown(drain: .seconds(7), rest: .seconds(20)))
        #expect(limits.events == [.seconds(27), .seconds(20), .seconds(20)])
        #expect(log.events.isEmpty)
    }

    @Test
    func `a service that hangs is abandoned and logged, and the others end`() async throws {
        let group = group()
        let gate = EventLog<Bool>()
        let hung = TestService { _ in
            await runBlocking(gate.blockingWait)
            return true
        }
        group.add(.transport, hung)
        group.add(
            .producers,
            TestService { [events] _ in
                events.append("producer")
                return true
            }
        )
        #expect(await group.shutDown(drain: .zero, rest: .milliseconds(10)))
        try await events.wait { $0 == ["producer"] ? () : nil }
        #expect(log.events.first?.metadata["part"] == "the transport")
        gate.append(true)
    }

    @Test
    func `a shutdown by a cancelled task waits like any other`() async {
        let group = group()
        let gate = EventLog<Bool>()
        group.add(
            .consumer,
            TestService { [events] _ in
                _ = try? await gate.wait { $0.first }
                events.append("consumer")
                return true
            }
        )
        let stopping = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await group.shutDown(drain: .seconds(20), rest: .seconds(1))
        }
        gate.append(true)
        #expect(await stopping.value)
        #expect(events.events == ["consumer"])
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

/// A service that a test controls.
private struct TestService: WorkerService {
    var begin: @Sendable () throws -> Void = {}
    let end: @Sendable (_ limit: Duration) async -> Bool

    func start() throws { try begin() }
    func shutDown(within limit: Duration) async -> Bool { await end(limit) }
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
