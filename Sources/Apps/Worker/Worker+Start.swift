import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing

extension Worker {
    /// Waits until the topics exist and are usable. A worker may be started before the topics or the brokers.
    func waitForTopics() async throws(WorkerStartError) {
        let needed =
            configuration.sources.map(\.topic) + [configuration.topics.outcomes, configuration.topics.deadLetters]
        let keepsLedger = configuration.core.keepsLedger
        var logged: String?
        while true {
            do throws(KafkaError) {
                try await kafka.producer.warm(topics: needed, timeout: .seconds(5))
                if keepsLedger {
                    try await kafka.ledgerProducer.warm(
                        topics: configuration.sources.map(\.ledger),
                        timeout: .seconds(5)
                    )
                }
                startFault.withLock { $0 = nil }
                return
            } catch {
                let text = "\(error). Brokers: \(configuration.kafka.bootstrapServers). \(Self.remedy(for: error))"
                startFault.withLock { $0 = text }
                guard !error.isFatal, error.code != .invalidArgument else { throw WorkerStartError(.kafka, text) }
                if logged != text {
                    logger.warning(
                        "the worker waits for Kafka and its topics",
                        metadata: [LogKey.detail: .string(text)]
                    )
                }
                logged = text
            }
            do {
                try await Task.sleep(for: .seconds(1))
            } catch {
                throw WorkerStartError(.cancelled, "stopped while waiting for Kafka and its topics: \(logged ?? "")")
            }
            if isStopping.withLock({ $0 }) { throw WorkerStartError(.cancelled, "stopped before it had started") }
        }
    }

    /// Waits until all commands in force are known: events of a paused source must not be sent at the start.
    func waitForOrders() async throws(WorkerStartError) {
        // On the consumer's connection, which is idle: on the reader's, the response would wait behind fetches.
        let asking = Task { [consumer = kafka.consumer, reader = control.reader] in
            guard let ends = try? await consumer.watermarks(of: reader.partition, timeout: .seconds(5)) else { return }
            reader.learn(ends)
        }
        let noting = Task { [logger, reader = control.reader] in
            var pause = Duration.seconds(10)
            while (try? await Task.sleep(for: pause)) != nil {
                let remedy = "check that the brokers run and the topic has a leader: newsflash topics plan"
                logger.warning(
                    "the worker waits for the commands in the control topic",
                    metadata: [LogKey.detail: .string(reader.fault ?? ""), LogKey.remedy: .string(remedy)]
                )
                pause = .seconds(60)
            }
        }
        defer {
            asking.cancel()
            noting.cancel()
        }
        guard await control.reader.areOrdersKnown.wait() != true else { return }
        throw WorkerStartError(
            .cancelled,
            "stopped before the commands in the control topic were read: \(control.reader.fault ?? "")"
        )
    }

    private static func remedy(for error: KafkaError) -> String {
        if error.meansUnreachable {
            return "Check that the brokers run, and that kafka.tls and kafka.sasl match their listeners"
        }
        if error.code == .clusterForbidden {
            return "Give the worker's user the right \(KafkaError.rightToWriteIdempotently)"
        }
        if error.meansForbidden {
            return
                "Give the worker's user the right Read on the source and the ledger, and Write on the ledger, the outcomes "
                + "and the dead letters"
        }
        return "If a topic is missing, create it with 'newsflash topics apply'"
    }

    /// Refuses topics from which Kafka deletes records that the worker needs.
    ///
    /// Nothing is checked if brokers do not describe topics, or not to this user.
    func checkRetention() async throws(WorkerStartError) {
        let refusal: String?
        do throws(KafkaError) {
            refusal = try await refusalOfTopics()
        } catch {
            // The embedded cluster of the demo has no admin API.
            guard error.code != .unsupported else { return }
            logger.warning(
                "cannot check the cleanup.policy of the ledger and the control topic",
                metadata: [
                    LogKey.detail: .string(error.description),
                    LogKey.remedy: .string(
                        "run 'newsflash topics plan' to see that it is compact; for a check at each start give the worker's "
                            + "user the right DescribeConfigs on both topics"
                    ),
                ]
            )
            return
        }
        if let refusal { throw WorkerStartError(.configuration, refusal) }
    }

    private func refusalOfTopics() async throws(KafkaError) -> String? {
        let ledgers = configuration.core.keepsLedger ? Set(configuration.sources.map(\.ledger)).sorted() : []
        let topics = ledgers.map { ($0, RememberingTopic.ledger) } + [(configuration.topics.control, .control)]
        let admin = try KafkaAdmin(configuration.kafka.logging(to: observation.faultLog))
        for (name, kind) in topics {
            guard let settings = try await settings(ofTopic: name, by: admin) else { continue }
            if let refusal = kind.refusal(of: name, policy: settings["cleanup.policy"]) { return refusal }
        }
        return nil
    }

    /// Returns the settings of a topic; `nil` if it does not exist.
    private func settings(ofTopic name: String, by admin: KafkaAdmin) async throws(KafkaError) -> [String: String]? {
        do throws(KafkaError) {
            return try await admin.configuration(ofTopic: name, timeout: .seconds(5))
        } catch {
            guard error.code == .unknownTopicOrPartition || error.code == .unknownTopic else { throw error }
            return nil
        }
    }
}

/// A topic from which Kafka must not delete records, because a worker reads its whole content.
enum RememberingTopic {
    case ledger
    case control

    /// Returns why a topic cannot be used, and what to do.
    ///
    /// - Parameters:
    ///   - name: The topic.
    ///   - policy: Its `cleanup.policy`, such as `compact,delete`; `nil` if the broker does not return it.
    /// - Returns: `nil` if nothing is deleted.
    func refusal(of name: String, policy: String?) -> String? {
        let words = policy?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
        guard let policy, words.contains("delete") else { return nil }
        let harm =
            switch self {
            case .ledger: "sent notifications would be forgotten, and waiting events would be lost"
            case .control: "commands to pause a source would be forgotten"
            }
        return "topics.\(self): Kafka deletes old records of \(name) (cleanup.policy=\(policy)): \(harm). Set it to "
            + "compact and nothing else: kafka-configs.sh --bootstrap-server ... --alter --topic \(name) "
            + "--add-config cleanup.policy=compact"
    }
}
