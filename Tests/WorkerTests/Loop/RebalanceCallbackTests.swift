import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

/// How long the delegate blocks the consumer's thread while the publishing thread hangs or waits for a hub.
/// The group gets no answer meanwhile.
@Suite(.timeLimit(.minutes(4)))
struct RebalanceCallbackTests {
    private static let drain = Duration.milliseconds(300)
    private let place = TopicPartition(topic: "news", partition: 3)

    @Test
    func `a hung publishing thread delays a revocation by the drain and a second, nothing else`()
        async throws
    {
        let hold = EventLog<Void>()
        let isHeld = EventLog<Void>()
        let stage = try LoopStage {
            isHeld.append(())
            hold.blockingWait()
            return .now
        }
        let forwarder = try forwarder(of: stage)
        let consumer = try idleConsumer(of: forwarder)
        // The publishing thread calls it in each turn, and hangs there.
        stage.inbox.post(.assigned([place]))
        try await isHeld.wait { $0.isEmpty ? nil : () }
        let times = try await onThread { [place] in
            let clock = ContinuousClock()
            let others = clock.measure {
                forwarder.kafkaConsumer(consumer, didAssign: [place])
                forwarder.kafkaConsumer(consumer, didReceive: [])
                forwarder.kafkaConsumer(consumer, didCommit: [place: 7], error: nil)
                forwarder.kafkaConsumer(consumer, didReachEndOf: place, offset: 7)
                forwarder.kafkaConsumer(consumer, didLose: [place])
                _ = forwarder.presentFaults(at: .now())
            }
            var offsets: [TopicPartition: Int64] = [place: -1]
            let revocation = clock.measure {
                offsets = forwarder.kafkaConsumer(consumer, willRevoke: [place], deadline: .seconds(60))
            }
            return (others: others, revocation: revocation, offsets: offsets)
        }
        #expect(times.others < .milliseconds(250), "nothing else waits for the publishing thread")
        #expect(times.revocation >= Self.drain)
        #expect(times.revocation < Self.drain + .seconds(1.75))
        #expect(times.offsets == [:], "unfinished events are not committed")
        hold.append(())
        #expect(try await stage.partitionsAtEnd() == [], "the drain is obsolete by then")
        #expect(await consumer.close(deadline: .seconds(5)))
    }

    @Test
    func `a hub that does not answer delays a revocation at most until the consumer's deadline`() async throws {
        let stage = try LoopStage(waiting: [Desk.event("a", category: "World")])
        let forwarder = try forwarder(of: stage, drain: .seconds(60))
        let consumer = try idleConsumer(of: forwarder)
        stage.inbox.post(.assigned([place]))
        _ = try await stage.requests.wait { $0.first }
        let time = try await onThread { [place] in
            ContinuousClock().measure {
                _ = forwarder.kafkaConsumer(consumer, willRevoke: [place], deadline: Self.drain)
            }
        }
        #expect(time < Self.drain + .seconds(1.75))
        try await waitUntil { stage.observer.snapshot.status?.partitions.isEmpty == true }
        try await onThread { stage.thread.stop() }
        #expect(await consumer.close(deadline: .seconds(5)))
    }

    private func forwarder(of stage: LoopStage, drain: Duration = Self.drain) throws -> KafkaEventForwarder {
        KafkaEventForwarder(try WorkerContext(inbox: stage.inbox) { $0.drain = drain })
    }

    /// A consumer that reaches no broker, because nobody listens on the port of tcpmux.
    private func idleConsumer(of forwarder: KafkaEventForwarder) throws -> KafkaConsumer {
        let client = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests")
        return try KafkaConsumer(KafkaConsumerConfiguration(client: client, groupID: "workers"), delegate: forwarder)
    }
}
