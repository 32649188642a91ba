import NewsflashKafka
import NewsflashKafkaMock
import NewsflashTestSupport
import NewsflashTopicPartitions
import Testing

@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct PacedWriterTests {
    private let cluster: MockCluster
    private let client: KafkaConfiguration
    private let records = (0..<30).map { KafkaRecord(topic: "copies", partition: 0, value: [UInt8($0)]) }

    init() throws {
        cluster = try MockCluster(brokers: 1)
        try cluster.createTopic("copies", partitions: 1)
        client = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "tests")
    }

    @Test func `records are written in order at the rate, and slow writing is noted`() async {
        let notes = EventLog<String>()
        let beginning = ContinuousClock.now
        let receiver = ProgressNotes(delay: .milliseconds(100)) { notes.append($0) }
        let result = await ProgressNotes.$current.withValue(receiver) {
            await PacedWriter(client, rate: 50).write(records)
        }
        // Six batches of five: the last one is due after half a second.
        #expect(beginning.duration(to: .now) >= .milliseconds(500))
        #expect(result.failure == nil)
        #expect(result.written.sorted { $0.key < $1.key }.map(\.value.offset) == Array(0..<30))
        #expect(notes.events.contains { $0.hasPrefix("written ") && $0.hasSuffix(" of 30 …") })
    }

    @Test func `nothing is written after a record that is refused`() async {
        cluster.pushErrors([.none, .topicAuthorizationFailed], to: .produce)
        // At this rate each record has its own request.
        let result = await PacedWriter(client, rate: 10).write(Array(records.prefix(4)))
        #expect(result.written.keys.sorted() == [0])
        #expect(result.failure?.code == .topicForbidden)
    }
}
