import FoundationEssentials
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTopicPartitions
import Testing

@Suite("the article about reading and writing", .timeLimit(.minutes(4)))
struct ArticleTests {
    @Test func `the first lines of the article work`() async throws {
        let cluster = try await KafkaTestCluster.shared()
        let (source, target) = (try await cluster.makeTopic(), try await cluster.makeTopic())
        let (servers, group) = (cluster.bootstrapServers, cluster.uniqueName("group"))
        let last: [UInt8]? = Array("three".utf8)
        func upper(_ value: [UInt8]?) -> [UInt8]? { value?.map { $0 & ~0x20 } }
        try await cluster.write(
            ["one", "two", "three"].map { KafkaRecord(topic: source, key: [1], value: Array($0.utf8)) }
        )
        // From here on as it stands in the article.
        let client = KafkaConfiguration(bootstrapServers: servers, clientID: "upper")
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: client))
        let reading = KafkaConsumerConfiguration(client: client, groupID: group, offsetReset: .earliest)
        let news = try KafkaSubscription(reading, topics: [source])
        for try await message in news {
            try await producer.send(KafkaRecord(topic: target, key: message.key, value: upper(message.value)))
            news.commit(message)
            if message.value == last { break }
        }
        await news.close()
        await producer.close()
        // To here.
        try await cluster.withConsumer(assigned: [.init(topic: target, partition: 0): .beginning]) { _, recorder in
            let values = try await recorder.messages(atLeast: 3).map {
                $0.value.map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(values == ["ONE", "TWO", "THREE"])
        }
    }

    @Test func `the article shows the tested lines`() throws {
        let here = "\(#filePath)"
        let folder = here.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        let article = try text(folder + "/Sources/Adapters/Kafka/NewsflashKafka.docc/ReadAndWrite.md")
        let shown = try #require(article.firstRange(of: "```swift\n").map { article[$0.upperBound...] })
        let lines = shown.split(separator: "\n").prefix { $0 != "```" }.map(String.init)
        let test = try text(here).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let begin = try #require(test.firstIndex { $0.hasSuffix("// From here on as it stands in the article.") })
        let end = try #require(test.firstIndex { $0.hasSuffix("// To here.") })
        #expect(lines == test[(begin + 1)..<end].map { String($0.dropFirst(8)) })
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }
}
