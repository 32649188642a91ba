import NewsflashCommandLineArguments
import NewsflashKafka
import NewsflashKafkaMock

/// `newsflash-bench part cluster`: librdkafka's embedded cluster of one broker.
///
/// Lines: `topic NAME PARTITIONS` creates a topic; the answer is `ok` or an error.
struct ClusterPart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "An embedded Kafka cluster."
    )

    func run() async throws {
        let cluster = try MockCluster()
        await PartLines.serve("ready \(cluster.bootstrapServers)") { words in
            guard words.count == 3, words[0] == "topic", let partitions = Int(words[2]) else { return "unknown line" }
            do throws(KafkaError) {
                try cluster.createTopic(words[1], partitions: partitions)
                return "ok"
            } catch {
                return error.description
            }
        }
    }
}
