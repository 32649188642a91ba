import CThreadHold
import HubEmulator
import Kafka
import KafkaTestCluster
import StrictJSON
import TestSupport
import Testing
import Threads

/// Workers in processes of their own, of which one thread hangs.
@Suite(.timeLimit(.minutes(4)), .needsHeldThreads)
struct HangTests {
    private static let session = 6
    private static let drain = 1

    /// The threads by the names that `top -H` shows, and what the log says of each.
    @Test(arguments: [
        ("kafka-consumer", "the consumer's thread has been held for"), ("rdk:main", "the Kafka client hangs: "),
        ("publishing", "the publishing thread hangs: it has not turned for"),
        ("kafka-reader", "the thread that reads the ledger has been held for"),
    ])
    func `a worker ends and says why, whichever of its threads hangs`(thread: String, reason: String) async throws {
        try await HungNewsroom.open { newsroom in
            let worker = try await newsroom.startWorker()
            for number in try worker.threads(named: thread) {
                startThread(named: "hold") { test_thread_hold(number) }
            }
            let first = try await worker.line(at: "critical")
            let noticed = ContinuousClock.now
            #expect(first[member: "detail"]?.string?.contains(reason) == true)
            // The heir joins while the worker that hangs is still a member.
            let heir = ConsumerRecorder()
            let consumer = try KafkaConsumer(newsroom.heir, delegate: heir)
            try consumer.subscribe([newsroom.topics[0]])
            let status = try await worker.waitForEnd()
            let ended = ContinuousClock.now
            #expect(status == 69)
            #expect(ended - noticed < .seconds(Self.drain + 10))
            // The shell that watches over the program may have a word after it.
            let text = worker.lines.events.prefix { !$0.contains("leash.sh: ") }.last ?? ""
            let last = try #require(try? JSONReader.read(Array(text.utf8)), "\(text)")
            #expect(last[member: "level"]?.string == "critical")
            #expect(last[member: "detail"]?.string == first[member: "detail"]?.string)
            try await heir.log.wait { events in
                let isHeir = events.contains { event in
                    if case .assigned(let partitions) = event { !partitions.isEmpty } else { false }
                }
                return isHeir ? () : nil
            }
            #expect(.now - noticed < .seconds(Self.session + Self.drain + 5))
            await consumer.close(deadline: .seconds(5))
        }
    }
}

/// Topics, a hub and a configuration in a file, for one worker.
private struct HungNewsroom {
    let topics: [String]
    private let hub = HubEmulator()
    private let cluster: KafkaTestCluster
    private let folder: TemporaryFolder
    private let group: String

    static func open(_ body: (HungNewsroom) async throws -> Void) async throws {
        let newsroom = try await HungNewsroom()
        try newsroom.hub.start()
        do {
            try newsroom.write()
            try await body(newsroom)
        } catch {
            await newsroom.hub.stop()
            throw error
        }
        await newsroom.hub.stop()
    }

    private init() async throws {
        cluster = try await KafkaTestCluster.shared()
        var topics: [String] = []
        for isCompacted in [false, false, false, true, true] {
            topics.append(try await cluster.makeTopic(isCompacted: isCompacted))
        }
        self.topics = topics
        group = cluster.uniqueName("workers")
        folder = try TemporaryFolder()
    }

    private func write() throws {
        let text = """
            version: 1
            kafka: { bootstrapServers: "\(cluster.bootstrapServers)", group: \(group), sessionTimeout: 6s }
            sources: { desk: { topic: \(topics[0]) } }
            hubs: { main: { name: newsroom, connectionStringFile: \(folder.file("hub")) } }
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            text: { flash: "Breaking: {headline}", kill: "Withdrawn: {headline}" }
            delivery: { drain: 1s }
            topics: { outcomes: \(topics[1]), deadLetters: \(topics[2]), ledger: \(topics[3]), control: \(topics[4]) }
            admin: { listen: "off" }
            log: { format: json }

            """
        try folder.write(text, to: "newsflash.yaml")
        try folder.write(try #require(hub.connectionStrings.first), to: "hub")
    }

    /// Starts a worker, and waits until it has its partition.
    func startWorker() async throws -> LeashedProgram {
        let worker = try await LeashedProgram(
            [TestProgram.path(), "run", "--config", folder.file("newsflash.yaml")],
            environment: TestProgram.environment
        )
        try await worker.lines.wait { $0.contains { $0.contains("a partition was restored") } ? () : nil }
        return worker
    }

    /// Another member of the group.
    var heir: KafkaConsumerConfiguration {
        var configuration = cluster.consumer(group: group)
        configuration.assignmentStrategy = .cooperativeSticky
        return configuration
    }
}

extension LeashedProgram {
    /// Waits for the first line of a level in a log of JSON.
    fileprivate func line(at level: String) async throws -> JSONValue {
        try await lines.wait { lines in
            lines.lazy.compactMap { try? JSONReader.read(Array($0.utf8)) }
                .first { $0[member: "level"]?.string == level }
        }
    }
}
