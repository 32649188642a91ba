import Kafka

/// The Kafka of one lap: librdkafka's embedded cluster in a process of its own, or brokers that were given.
enum BenchKafka {
    /// Lets a worker have its topics, which are gone afterwards.
    ///
    /// - Parameters:
    ///   - settings: Say which Kafka.
    ///   - program: This one, to be started as a cluster.
    ///   - sink: Where the sink is.
    ///   - body: Has the topics.
    /// - Returns: What the body returns.
    /// - Throws: ``CommandError`` where there is no Kafka or it refuses the topics, and what the body throws.
    static func with<Result: Sendable>(
        _ settings: BenchSettings,
        program: String,
        sink: String,
        _ body: (BenchNewsroom) async throws -> Result
    ) async throws -> Result {
        guard let brokers = settings.brokers else {
            return try await BenchProcess.with([program, "bench-part", "cluster"]) { cluster in
                let newsroom = BenchNewsroom(settings: settings, brokers: try await cluster.ready(), sink: sink)
                for topic in newsroom.topics {
                    let answer = try await cluster.ask("topic \(topic.name) \(settings.sourcePartitions)")
                    guard answer == "ok" else { throw CommandError(.internalError, answer) }
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
        let maker = TopicMaker(
            cluster: client(newsroom),
            partitions: newsroom.settings.sourcePartitions,
            replicationFactor: nil
        )
        for answer in try await maker.make(newsroom.topics) {
            if let error = answer.error { throw CommandError(.unavailable, client(newsroom), error) }
        }
    }

    /// Also where the task that asks for it was cancelled; what cannot be deleted is told of.
    private static func remove(_ newsroom: BenchNewsroom) async {
        let task = Task {
            do throws(KafkaError) {
                let refused = try await KafkaAdmin(client(newsroom)).deleteTopics(newsroom.topics.map(\.name))
                for (name, error) in refused where error.code != .unknownTopicOrPartition {
                    StandardError.write("topic \(name) is left behind: \(error)")
                }
            } catch {
                StandardError.write("topics \(newsroom.name)… may be left behind: \(error)")
            }
        }
        await task.value
    }

    private static func client(_ newsroom: BenchNewsroom) -> KafkaConfiguration {
        KafkaConfiguration(bootstrapServers: newsroom.brokers, clientID: "newsflash-bench")
    }
}

extension BenchProcess {
    /// Waits until a part is ready.
    ///
    /// - Returns: Where it listens, if it does.
    func ready() async throws -> String {
        let line = try await line()
        guard line.hasPrefix("ready") else {
            throw CommandError(.internalError, "a process of the bench said: \(line)")
        }
        return String(line.dropFirst("ready ".count))
    }
}
