import NewsflashCommands
import NewsflashKafka
import NewsflashOperations

/// The Kafka of one lap: librdkafka's embedded cluster in a separate process, or the given brokers.
enum BenchKafka {
    /// Creates the topics of a worker, calls `body`, and deletes them afterwards.
    ///
    /// - Parameters:
    ///   - settings: Choose the Kafka.
    ///   - programs: The bench is started again as the embedded cluster.
    ///   - sink: The URL of the sink.
    ///   - body: Called while the topics exist.
    /// - Returns: The result of `body`.
    /// - Throws: ``OperationError`` if Kafka is unreachable or refuses the topics, and the errors of `body`.
    static func with<Result: Sendable>(
        _ settings: BenchSettings,
        programs: BenchPrograms,
        sink: String,
        _ body: (BenchNewsroom) async throws -> Result
    ) async throws -> Result {
        guard let brokers = settings.brokers else {
            return try await BenchProcess.with([programs.bench, "part", "cluster"]) { cluster in
                let newsroom = BenchNewsroom(settings: settings, brokers: try await cluster.ready(), sink: sink)
                for topic in newsroom.topics {
                    let answer = try await cluster.ask("topic \(topic.name) \(settings.sourcePartitions)")
                    guard answer == "ok" else { throw OperationError(.internalError, answer) }
                }
                return try await body(newsroom)
            }
        }
        let newsroom = BenchNewsroom(settings: settings, brokers: brokers, sink: sink)
        do {
            try await make(newsroom)
            let result = try await body(newsroom)
            await remove(newsroom)
            return result
        } catch {
            await remove(newsroom)
            throw error
        }
    }

    private static func make(_ newsroom: BenchNewsroom) async throws {
        let plan = TopicPlan(offline: newsroom.topics, partitions: newsroom.settings.sourcePartitions)
        try await TopicSetup.create(plan.creations, at: client(newsroom))
    }

    /// Deletes the topics, even if the current task is cancelled. Reports topics that cannot be deleted.
    private static func remove(_ newsroom: BenchNewsroom) async {
        let task = Task {
            do throws(KafkaError) {
                let refused = try await KafkaAdmin(client(newsroom)).deleteTopics(newsroom.topics.map(\.name))
                for (name, error) in refused where error.code != .unknownTopicOrPartition {
                    StandardError.write("topic \(name) was not deleted: \(error)")
                }
            } catch {
                StandardError.write("topics \(newsroom.name)… may not have been deleted: \(error)")
            }
        }
        await task.value
    }

    private static func client(_ newsroom: BenchNewsroom) -> KafkaConfiguration {
        KafkaConfiguration(bootstrapServers: newsroom.brokers, clientID: "newsflash-bench")
    }
}

extension BenchProcess {
    /// Waits until a process is ready.
    ///
    /// - Returns: The address on which it listens; empty if it does not listen.
    func ready() async throws -> String {
        let line = try await line()
        guard line.hasPrefix("ready") else {
            throw OperationError(.internalError, "unexpected line of a process of the bench: \(line)")
        }
        return String(line.dropFirst("ready ".count))
    }
}
