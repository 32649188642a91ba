import CNewsflashRDKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(4)))
struct HealthTests {
    private let now = ContinuousClock.now

    private func verdict(
        _ phase: KafkaGroupState.Phase,
        since: Int = 0,
        served: Int = 0,
        confirmed: Int = 0,
        coordinated: Int? = 9999
    ) -> KafkaConsumerHealth.Verdict {
        let health = KafkaConsumerHealth(
            group: KafkaGroupState(
                phase: phase,
                since: now - .seconds(since),
                step: "wait-sync",
                coordinatorSince: coordinated.map { now - .seconds($0) }
            ),
            lastServed: now - .seconds(served),
            membershipConfirmed: now - .seconds(confirmed)
        )
        return health.verdict(at: now, longestJoin: .seconds(60), longestSilence: .seconds(20))
    }

    @Test
    func `a working member is healthy, and a joining member is waited for`() {
        #expect(verdict(.steady, since: 9999) == .fine)
        #expect(verdict(.steady, served: 20, confirmed: 20) == .fine)
        #expect(verdict(.joining, since: 60) == .waiting("joining the group for 60 s (wait-sync)"))
    }

    @Test
    func `a member, thread or client that makes no progress for too long is hung`() {
        #expect(verdict(.joining, since: 61) == .hung("joining the group for 61 s (wait-sync)"))
        #expect(verdict(.steady, served: 21, confirmed: 25) == .hung("the consumer's thread has been held for 21 s"))
        #expect(verdict(.steady, confirmed: 25) == .hung("librdkafka has not answered for 25 s"))
    }

    @Test
    func `an outage of Kafka is not a hang, however long it lasts`() {
        let outage = "joining the group for 9999 s (wait-sync), without a coordinator"
        #expect(verdict(.joining, since: 9999, coordinated: nil) == .waiting(outage))
        #expect(verdict(.joining, since: 9999, coordinated: 60) == .waiting("joining the group for 9999 s (wait-sync)"))
        #expect(verdict(.joining, since: 9999, coordinated: 61) == .hung("joining the group for 9999 s (wait-sync)"))
    }

    @Test
    func `a join with unknown steps is not a hang`() {
        var group = KafkaGroupState(
            phase: .joining,
            since: now - .seconds(9999),
            step: "init",
            coordinatorSince: now - .seconds(9999)
        )
        group.isReported = false
        let health = KafkaConsumerHealth(group: group, lastServed: now, membershipConfirmed: now)
        let verdict = health.verdict(at: now, longestJoin: .seconds(60), longestSilence: .seconds(20))
        #expect(verdict == .waiting("joining the group for 9999 s, in unknown steps"))
    }

    @Test(arguments: [KafkaGroupState.Phase.outside, .leaving])
    func `a consumer outside the group need not show signs of life`(phase: KafkaGroupState.Phase) {
        #expect(verdict(phase, since: 99, served: 99, confirmed: 99) == .fine)
    }

    @Test
    func `one liveness question is asked a second, and at most one is unanswered`() {
        let asker = Asker(at: now)
        #expect(asker.asks(at: now))
        #expect(!asker.asks(at: now + .seconds(100)))
        asker.isAnswered()
        #expect(!asker.asks(at: now + .seconds(0.8)))
        #expect(asker.asks(at: now + .seconds(1)))
    }

    @Test
    func `only the second answer after a suspension confirms the membership`() {
        let asker = Asker(at: now)
        #expect(asker.asks(at: now))
        // The process is suspended for a minute, and the answer was given before librdkafka has checked.
        let after = now + .seconds(60)
        asker.isAnswered()
        #expect(asker.confirmed == now)
        #expect(asker.asks(at: after))
        asker.isAnswered()
        #expect(asker.confirmed == now)
        #expect(asker.asks(at: after + .milliseconds(1)))
        asker.isAnswered()
        #expect(asker.confirmed == after)
        #expect(!asker.asks(at: after + .milliseconds(2)))
    }

    @Test
    func `a cooperative member commits also if librdkafka reports nothing about its membership`()
        async throws
    {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let partition = TopicPartition(topic: topic, partition: 0)
        let lines = EventLog<KafkaLogLine>()
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.assignmentStrategy = .cooperativeSticky
        configuration.client.log = { lines.append($0) }
        try await cluster.write([KafkaRecord(topic: topic, value: [1])])
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        // No debug lines from here on, as if their wording had changed.
        rd_kafka_set_log_level(try consumer.openClient().pointer, KafkaLogLine.Level.info.rawValue)
        try consumer.subscribe([topic])
        _ = try await recorder.messages(atLeast: 1)
        #expect(consumer.groupState.phase == .steady)
        #expect(!consumer.groupState.isReported)
        #expect(consumer.commit([partition: 1]).isEmpty)
        try await recorder.commit(of: [partition: 1])
        #expect(lines.events.count { $0.facility == "CGRP" && $0.level == .warning } == 1)
        #expect(await consumer.close(deadline: .seconds(15)))
    }

    @Test
    func `the group's state shows a stalled coordinator, and librdkafka continues to answer`() async throws {
        let mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        let configuration = KafkaTestCluster(of: mock).consumer(group: "g")
        let recorder = ConsumerRecorder()
        let consumer = try KafkaConsumer(configuration, delegate: recorder)
        #expect(consumer.groupState.phase == .outside)
        try consumer.subscribe(["news"])
        #expect(consumer.groupState.phase == .joining)
        let joining = consumer.groupState.since
        _ = try await recorder.log.wait { events in
            events.contains { if case .assigned = $0 { true } else { false } } ? () : nil
        }
        #expect(consumer.groupState.since >= joining)
        let confirmed = consumer.membershipConfirmed
        #expect(confirmed > joining)
        try mock.setRoundTripTime(.seconds(600), ofBroker: 1)
        _ = try await recorder.log.wait { events in
            events.contains { if case .lost = $0 { true } else { false } } ? () : nil
        }
        #expect(consumer.groupState.phase == .joining)
        #expect(consumer.membershipConfirmed > confirmed)
        #expect(
            consumer.health.verdict(at: .now, longestJoin: .seconds(60), longestSilence: .seconds(20)) != .fine
        )
        await consumer.close(deadline: .milliseconds(500))
        #expect(consumer.groupState.phase == .outside)
    }
}

/// Holds the mutable value, so that an expectation can change it.
private final class Asker {
    private var liveness: Liveness

    init(at now: ContinuousClock.Instant) {
        self.liveness = Liveness(at: now)
    }

    var confirmed: ContinuousClock.Instant { liveness.confirmed }

    func asks(at now: ContinuousClock.Instant) -> Bool { liveness.shouldAsk(at: now) }

    func isAnswered() { liveness.wasAnswered() }
}
