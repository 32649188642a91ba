import CommandLineArguments
import Kafka
import KafkaMock

/// `newsflash bench-part cluster`: librdkafka's embedded cluster of one broker.
///
/// Lines: `topic NAME PARTITIONS` makes a topic, and is answered `ok` or with what is wrong.
struct ClusterPart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "An embedded Kafka cluster."
    )

    func run() async throws {
        let cluster = try MockCluster()
        await PartLines.serve("ready \(cluster.bootstrapServers)") { words in
            guard words.count == 3, words[0] == "topic", let partitions = Int(words[2]) else { return "what?" }
            do throws(KafkaError) {
                try cluster.createTopic(words[1], partitions: partitions)
                return "ok"
            } catch {
                return error.description
            }
        }
    }
}
