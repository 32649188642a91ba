import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(4)))
struct FetcherWakeupTests {
    @Test
    func `fetchers are woken each time half of a queue was consumed`() {
        func wakes(_ limits: FetchLimits, bytes: Int, times: Int) -> [Bool] {
            var pace = FetcherWakeupPolicy(limits)
            return (0..<times).map { _ in pace.took(bytes: bytes) }
        }
        let limits = FetchLimits(messages: 10, bytes: 1000, fetchBytes: 1)
        #expect(wakes(limits, bytes: 1, times: 12) == (1...12).map { $0 % 5 == 0 })
        #expect(wakes(limits, bytes: 200, times: 6) == (1...6).map { $0 % 3 == 0 })
        #expect(wakes(FetchLimits(messages: 0, bytes: -1, fetchBytes: 1), bytes: 0, times: 2) == [true, true])
    }

    @Test(
        arguments: [
            ([], true),
            ([("security.protocol", "ssl")], true),
            ([("security.protocol", "SASL_SSL"), ("sasl.mechanisms", "OAUTHBEARER")], true),
            ([("security.protocol", "sasl_ssl"), ("sasl.username", "u"), ("sasl.password", "p")], true),
            // Kerberos would use a name that the configuration does not contain.
            ([("security.protocol", "sasl_ssl"), ("sasl.mechanism", "GSSAPI")], false),
        ] as [([(String, String)], Bool)]
    )
    func `the alarm uses the credentials of the client`(properties: [(String, String)], works: Bool) {
        #expect(FetcherWakeup(properties: properties).isUsable == works)
    }

    @Test(arguments: [1, 3])
    func `small queues do not make reading pause`(partitions: Int32) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic(partitions: Int(partitions))
        try await cluster.write(
            (0..<6000).map { KafkaRecord(topic: topic, partition: Int32($0) % partitions, value: [1]) }
        )
        var configuration = cluster.reader()
        configuration.queuedMessagesPerPartition = 50
        configuration.fetchBytesPerPartition = 1000
        let recorder = ReaderRecorder()
        let reader = try KafkaReader(configuration, delegate: recorder)
        let start = ContinuousClock.now
        for number in 0..<partitions {
            reader.start(TopicPartition(topic: topic, partition: number), at: .beginning)
        }
        _ = try await recorder.log.wait { $0.values.count >= 6000 ? () : nil }
        // With a pause of a second after each 50 records it would take a minute.
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(await reader.close())
    }
}
