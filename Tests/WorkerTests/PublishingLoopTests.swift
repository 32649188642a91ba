import Dispatch
import HTTPTransport
import NewsEvents
import Publishing
import StructuredLog
import Testing
import Threads

@testable import Worker

/// Assignments, losses and drains that meet in one turn of the loop, as when its thread was kept for long.
@Suite(.timeLimit(.minutes(1)))
struct PublishingLoopTests {
    private let partition = SourcePartition(topic: "news", number: 3)

    @Test
    func `a partition that was lost and came back at once is ours`() async throws {
        let loop = PublishingLoop()
        loop.assign([partition])
        loop.lose([partition])
        loop.assign([partition])
        #expect(try await partitionsAfterOneTurn(of: loop) == [partition])
    }

    @Test
    func `a partition that was lost last is not ours`() async throws {
        let loop = PublishingLoop()
        loop.assign([partition])
        loop.lose([partition])
        #expect(try await partitionsAfterOneTurn(of: loop) == [])
    }

    @Test
    func `a drain that nobody waits for any more takes nothing from a new assignment`() async throws {
        let loop = PublishingLoop()
        loop.assign([partition])
        let offsets = await blocking { loop.drain([partition], within: .zero) }
        #expect(offsets == [:])
        loop.assign([partition])
        #expect(try await partitionsAfterOneTurn(of: loop) == [partition])
    }

    @Test
    func `a drain of nothing is answered at once`() async throws {
        let loop = PublishingLoop()
        let observer = try start(loop)
        let offsets = await blocking { loop.drain([partition], within: .seconds(30)) }
        #expect(offsets == [:])
        await blocking { loop.stop() }
        #expect(observer.snapshot.status?.partitions.isEmpty == true)
    }

    /// Lets the loop take up all that waits for it, and ends it.
    private func partitionsAfterOneTurn(of loop: PublishingLoop) async throws -> [SourcePartition]? {
        let observer = try start(loop)
        await blocking { loop.stop() }
        return observer.snapshot.status?.partitions.map(\.source)
    }

    private func start(_ loop: PublishingLoop) throws -> PublishingObserver {
        let logger = Logger(label: "", handler: DiscardingLogHandler())
        let configuration = try SoundConfiguration.read()
        let connection = "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
        let hub = try HubGateway(hub: "news", credentials: .variable("V", value: connection), logger: logger)
        let observer = PublishingObserver(logger: logger, metrics: WorkerMetrics(), follower: nil)
        startThread(named: "publishing") {
            let outlets = Outlets(
                decode: { _ in .tombstone },
                hub: hub,
                transport: NoTransport(),
                ledger: EmptyLedger(),
                produce: { _ in },
                commit: { _ in },
                flow: { _ in },
                membershipConfirmed: { .now },
                sessionTimeout: .seconds(10),
                observer: observer
            )
            let core = PublishingCore(
                configuration: configuration.core,
                planner: EventPlanner(hub: "news", news: configuration.news),
                seed: 1
            )
            let writer = RecordWriter(topics: configuration.topics, group: "", worker: "", instance: "")
            loop.run(PublishingEdge(core: core, outlets: outlets, writer: writer))
        }
        return observer
    }

    /// Runs what blocks on a thread that may.
    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}

/// Nothing is restored in these tests.
private struct EmptyLedger: LedgerReading {
    var emptyTable: StoryLedgerTable { StoryLedgerTable(byteLimit: 0) }
    func restore(_ source: SourcePartition, as id: PartitionID, assignment: UInt32) {}
    func stop(_ sources: [SourcePartition]) {}
    func recall(_ order: RecallOrder, of source: SourcePartition) {}
    func timePassed(now: ContinuousClock.Instant) {}
}

/// Nothing is sent in these tests.
private struct NoTransport: HTTPTransport {
    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        Issue.record("a request goes out though there is no event")
    }
}
