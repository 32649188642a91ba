import CNewsflashThreadHold
import NewsflashBasics
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

/// Workers in processes of their own with one hanging thread.
@Suite(.timeLimit(.minutes(4)), .needsHeldThreads)
struct HangTests {
    private static let session = 6
    private static let drain = 1

    /// The threads by the names that `top -H` shows, each with the reason that the worker logs.
    @Test(arguments: [
        ("kafka-consumer", "the consumer's thread has been held for"), ("rdk:main", "the Kafka client hangs: "),
        ("publishing", "the publishing thread hangs: it has not run for"),
        ("kafka-reader", "the thread that reads the ledger has been blocked for"),
    ])
    func `a worker ends and logs why, whichever of its threads hangs`(thread: String, reason: String) async throws {
        try await ProgramNewsroom.open("delivery: { drain: \(Self.drain)s }\nlog: { format: json }") { newsroom in
            let worker = try await newsroom.startWorker(until: "a partition was restored")
            for number in try worker.threads(named: thread) {
                startThread(named: "hold") { test_thread_hold(number) }
            }
            let first = try await worker.line(at: "critical")
            let noticed = ContinuousClock.now
            #expect(first[member: "detail"]?.string?.contains(reason) == true)
            // The heir joins while the hanging worker is still a member. An embedded cluster does not always respond to a member
            // that joins after another one has hung.
            let heir = ConsumerRecorder()
            let consumer = try KafkaConsumer(newsroom.heir, delegate: heir)
            if KafkaTestCluster.isReal { try consumer.subscribe([newsroom.topics[0]]) }
            let status = try await worker.waitForEnd()
            let ended = ContinuousClock.now
            #expect(status == 69)
            #expect(ended - noticed < .seconds(Self.drain + 10))
            // The shell that watches over the program may print a line after it.
            let text = worker.lines.events.prefix { !$0.contains("leash.sh: ") }.last ?? ""
            let last = try #require(try? JSONReader.read(Array(text.utf8)), "\(text)")
            #expect(last[member: "level"]?.string == "critical")
            #expect(last[member: "detail"]?.string == first[member: "detail"]?.string)
            if KafkaTestCluster.isReal {
                try await heir.log.wait { events in
                    let isHeir = events.contains { event in
                        if case .assigned(let partitions) = event { !partitions.isEmpty } else { false }
                    }
                    return isHeir ? () : nil
                }
                #expect(.now - noticed < .seconds(Self.session + Self.drain + 5))
            }
            await consumer.close(deadline: .seconds(5))
        }
    }
}

extension ProgramNewsroom {
    /// The configuration of another member of the group.
    fileprivate var heir: KafkaConsumerConfiguration {
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
