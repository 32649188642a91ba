import NewsflashBasics
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(4)))
struct ReadAheadTests {
    private func account(limit: Int, beside: Int = 0) -> (ReadAheadAccount, wakeUps: EventLog<Bool>) {
        let wakeUps = EventLog<Bool>()
        let readAhead = KafkaReadAhead(byteLimit: limit, bytesBesideMessage: beside)
        return (ReadAheadAccount(readAhead) { wakeUps.append(true) }, wakeUps)
    }

    @Test
    func `credit is granted up to the limit, and again below three quarters of it`() {
        let (account, wakeUps) = account(limit: 100)
        for _ in 0..<5 { #expect(account.reserve(20)) }
        #expect(account.mayHaveCredit)
        #expect(!account.reserve(20))
        #expect(!account.mayHaveCredit)
        account.release(20)
        #expect(!account.reserve(20))
        #expect(wakeUps.events.isEmpty)
        account.release(20)
        #expect(wakeUps.events.count == 1)
        #expect(account.mayHaveCredit)
        #expect(account.reserve(20))
        #expect(account.inUse == 80)
        account.release(20)
        #expect(wakeUps.events.count == 1)
    }

    @Test
    func `a large message waits until it fits`() {
        let (account, wakeUps) = account(limit: 100)
        #expect(account.reserve(30))
        #expect(account.reserve(30))
        #expect(!account.reserve(90))
        account.release(30)
        #expect(wakeUps.events.isEmpty)
        account.release(30)
        #expect(wakeUps.events.count == 1)
        #expect(account.reserve(90))
    }

    @Test(arguments: [0, 100, Int.max])
    func `a message larger than the limit is granted alone`(limit: Int) {
        let (account, wakeUps) = account(limit: limit, beside: .max)
        let cost = account.cost(ofBytes: 1000)
        #expect(account.reserve(cost))
        let hasMoreRoom = limit == .max
        #expect(account.reserve(cost) == hasMoreRoom)
        account.release(cost)
        #expect(wakeUps.events.count == (hasMoreRoom ? 0 : 1))
        #expect(account.reserve(cost))
    }

    /// A topic of 300 records of 1000 bytes, whose values begin with their number.
    private func makeTopic(_ cluster: KafkaTestCluster, partitions: Int) async throws -> [TopicPartition] {
        let topic = try await cluster.makeTopic(partitions: partitions)
        try await cluster.write(
            (0..<300).map { number in
                let value = [UInt8(number / 256), UInt8(number % 256)] + [UInt8](repeating: 7, count: 998)
                return KafkaRecord(topic: topic, partition: Int32(number % partitions), value: value)
            }
        )
        return (0..<partitions).map { TopicPartition(topic: topic, partition: Int32($0)) }
    }

    @Test(arguments: [1, 3])
    func `messages in use never exceed the limit, and released ones allow more`(partitions: Int) async throws {
        let cluster = try await KafkaTestCluster.shared()
        let places = try await makeTopic(cluster, partitions: partitions)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.readAhead = KafkaReadAhead(byteLimit: 20_000, bytesBesideMessage: 1000)
        let owner = HoldingOwner()
        let consumer = try KafkaConsumer(configuration, delegate: owner)
        consumer.assign(Dictionary(places.map { ($0, .beginning) }) { $1 })
        var seen: [TopicPartition: [Int64]] = [:]
        while seen.values.map(\.count).reduce(0, +) < 300 {
            // Ten may be in use. Reading continues below three quarters of that, so at least eight more arrive.
            let missing = 300 - seen.values.map(\.count).reduce(0, +)
            try await owner.log.wait { [owner] _ in owner.count >= min(8, missing) ? () : nil }
            #expect(owner.count <= 10)
            #expect(consumer.readAheadInUse <= 20_000)
            for (place, offset) in owner.removeAll().map({ ($0.topicPartition, $0.offset) }) {
                seen[place, default: []].append(offset)
            }
        }
        for place in places { #expect(seen[place] == Array(0..<Int64(300 / partitions))) }
        // The consumer's thread also held the last batch until the delegate had returned.
        #expect(await consumer.close(deadline: .seconds(5)))
        #expect(consumer.readAheadInUse == 0)
    }

    @Test
    func `a message larger than the limit is delivered when no other is in use`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let sizes = [10, 5000, 10, 5000, 5000, 10]
        try await cluster.write(
            sizes.map { KafkaRecord(topic: topic, value: [UInt8](repeating: 1, count: $0)) }
        )
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.readAhead = KafkaReadAhead(byteLimit: 1000)
        let owner = HoldingOwner()
        let consumer = try KafkaConsumer(configuration, delegate: owner)
        consumer.assign([TopicPartition(topic: topic, partition: 0): .beginning])
        for size in sizes {
            try await owner.log.wait { [owner] _ in owner.count == 0 ? nil : () }
            #expect(owner.removeAll().map(\.byteCount) == [size])
        }
        #expect(await consumer.close(deadline: .seconds(5)))
    }

    @Test
    func `the position stays before a message that waits for credit`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let places = try await makeTopic(cluster, partitions: 1)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.readAhead = KafkaReadAhead(byteLimit: 5000)
        let owner = HoldingOwner()
        let consumer = try KafkaConsumer(configuration, delegate: owner)
        consumer.assign([places[0]: .at(100)])
        try await owner.log.wait { [owner] _ in owner.count == 5 ? () : nil }
        try await waitUntil { consumer.isReadAheadUsedUp }
        try await waitUntil { consumer.position(of: places[0]) != 100 }
        #expect(consumer.position(of: places[0]) == 105)
        #expect(owner.removeAll().map(\.offset) == Array(100..<105))
        // Reading continues below three quarters of the limit. If that is reached while the test still releases messages, the
        // last free quarter is not used.
        try await waitUntil {
            let count = owner.count
            return count >= 4 && consumer.isReadAheadUsedUp && consumer.position(of: places[0]) == 105 + Int64(count)
        }
        let held = owner.removeAll().map(\.offset)
        #expect(held == Array(105..<105 + Int64(held.count)))
        #expect(await consumer.close(deadline: .seconds(5)))
    }

    @Test
    func `headers count against the limit, too`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let topic = try await cluster.makeTopic()
        let value = [UInt8](repeating: 1, count: 596)
        let headers = [KafkaHeader(name: "name", value: value), KafkaHeader(name: "", value: nil)]
        try await cluster.write((0..<3).map { _ in KafkaRecord(topic: topic, value: [], headers: headers) })
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.readAhead = KafkaReadAhead(byteLimit: 1000)
        let owner = HoldingOwner()
        let consumer = try KafkaConsumer(configuration, delegate: owner)
        consumer.assign([TopicPartition(topic: topic, partition: 0): .beginning])
        for _ in 0..<3 {
            try await owner.log.wait { [owner] _ in owner.count == 0 ? nil : () }
            #expect(consumer.readAheadInUse == 600)
            #expect(owner.removeAll().map(\.byteCount) == [600])
        }
        #expect(await consumer.close(deadline: .seconds(5)))
    }

    @Test
    func `messages outlive a consumer that closes with its read-ahead used up`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let places = try await makeTopic(cluster, partitions: 2)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.readAhead = KafkaReadAhead(byteLimit: 5000)
        let owner = HoldingOwner()
        let consumer = try KafkaConsumer(configuration, delegate: owner)
        consumer.assign(Dictionary(places.map { ($0, .beginning) }) { $1 })
        try await owner.log.wait { [owner] _ in owner.count == 5 ? () : nil }
        #expect(await consumer.close(deadline: .seconds(5)))
        #expect(consumer.readAheadInUse == 5000)
        #expect(owner.removeAll().allSatisfy { $0.value?.count == 1000 })
        #expect(consumer.readAheadInUse == 0)
    }

    @Test
    func `a revoked partition drops its message that waits for credit`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let places = try await makeTopic(cluster, partitions: 2)
        var configuration = cluster.consumer(group: cluster.uniqueName("group"))
        configuration.readAhead = KafkaReadAhead(byteLimit: 5000)
        let owner = HoldingOwner()
        let consumer = try KafkaConsumer(configuration, delegate: owner)
        consumer.assign([places[0]: .beginning])
        try await owner.log.wait { [owner] _ in owner.count == 5 ? () : nil }
        consumer.assign([places[1]: .at(100)])
        try await owner.log.wait { events in events.contains { $0 == "assigned \(places[1])" } ? () : nil }
        #expect(owner.removeAll().map(\.offset) == Array(0..<5))
        try await owner.log.wait { [owner] _ in owner.count == 5 ? () : nil }
        #expect(owner.removeAll().map(\.offset) == Array(100..<105))
        #expect(await consumer.close(deadline: .seconds(5)))
    }
}

/// Keeps messages until the test releases them.
private final class HoldingOwner: KafkaConsumerDelegate {
    /// One entry for each call.
    let log = EventLog<String>()
    private let held = Locked<[KafkaMessage]>([])

    var count: Int { held.withLock { $0.count } }

    func removeAll() -> [KafkaMessage] {
        held.withLock { held in
            defer { held = [] }
            return held
        }
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didReceive messages: [KafkaMessage]) {
        held.withLock { $0 += messages }
        log.append("\(messages.count) messages")
    }

    func kafkaConsumer(_ consumer: KafkaConsumer, didAssign partitions: [TopicPartition]) {
        for partition in partitions { log.append("assigned \(partition)") }
    }

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        willRevoke partitions: [TopicPartition],
        deadline: Duration
    ) -> [TopicPartition: Int64] { [:] }

    func kafkaConsumer(_ consumer: KafkaConsumer, didLose partitions: [TopicPartition]) {}

    func kafkaConsumer(
        _ consumer: KafkaConsumer,
        didCommit offsets: [TopicPartition: Int64],
        error: KafkaError?
    ) {}

    func kafkaConsumer(_ consumer: KafkaConsumer, didFail error: KafkaError) {}
}
