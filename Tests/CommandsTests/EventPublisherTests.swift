import NewsflashKafka
import NewsflashKafkaMock
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// `newsflash publish` and brokers that do not accept its records.
@Suite(.timeLimit(.minutes(1)))
struct EventPublisherTests {
    private let mock: MockCluster
    private let publisher: EventPublisher
    private let plan = PublishPlan(raw: SampleNewsroom.records(SampleNewsroom.flash, SampleNewsroom.kill), key: "k")

    init() throws {
        mock = try MockCluster()
        try mock.createTopic("news", partitions: 1)
        var cluster = KafkaConfiguration(bootstrapServers: mock.bootstrapServers, clientID: "tests")
        cluster.log = { _ in }
        publisher = EventPublisher(topic: "news", cluster: cluster, show: { _ in }, note: { _ in })
    }

    @Test func `confirmed records have their positions`() async throws {
        let written = try await publisher.publish(plan, headers: [])
        #expect(written.map(\.offset) == [0, 1])
    }

    @Test(arguments: [
        (MockError.topicAuthorizationFailed, OperationError.Kind.unavailable), (.messageTooLarge, .badData),
    ])
    func `records that Kafka refuses are an error`(refusal: MockError, kind: OperationError.Kind) async throws {
        mock.pushErrors(Array(repeating: refusal, count: 10), to: .produce)
        let error = await #expect(throws: OperationError.self) { try await publisher.publish(plan, headers: []) }
        #expect(error?.kind == kind)
        #expect(error?.description.contains("2 of 2 records not confirmed") == true, "\(error?.description ?? "")")
    }
}
