import Kafka
import Locks
import Publishing
import StructuredLog

extension Worker {
    /// Waits until the topics are there and fit: a worker may well be started before them, or before the brokers.
    func waitForTopics() async throws(WorkerStartError) {
        let needed =
            configuration.sources.map(\.topic) + [configuration.topics.outcomes, configuration.topics.deadLetters]
        let keepsLedger = configuration.core.keepsLedger
        var told: String?
        while true {
            do throws(KafkaError) {
                try await producer.warm(topics: needed, timeout: .seconds(5))
                if keepsLedger {
                    try await ledgerProducer.warm(topics: configuration.sources.map(\.ledger), timeout: .seconds(5))
                }
                startFault.withLock { $0 = nil }
                return
            } catch {
                let text = "\(error). Brokers: \(configuration.kafka.bootstrapServers). \(Self.remedy(for: error))"
                startFault.withLock { $0 = text }
                guard !error.isFatal, error.code != .invalidArgument else { throw WorkerStartError(.kafka, text) }
                if told != text {
                    logger.warning(
                        "the worker waits for Kafka and its topics",
                        metadata: [LogKey.detail: .string(text)]
                    )
                }
                told = text
            }
            do {
                try await Task.sleep(for: .seconds(1))
            } catch {
                throw WorkerStartError(.cancelled, "stopped while waiting for Kafka and its topics: \(told ?? "")")
            }
            if isStopping.withLock({ $0 }) { throw WorkerStartError(.cancelled, "stopped before it had started") }
        }
    }

    /// Waits until the orders in force are known: what is paused must not slip through at a start.
    func waitForOrders() async throws(WorkerStartError) {
        // By the consumer's connection, which has nothing to do yet: behind the reader's fetches an answer waits.
        let asking = Task { [consumer, control] in
            guard let ends = try? await consumer.watermarks(of: control.partition, timeout: .seconds(5)) else { return }
            control.learn(ends)
        }
        defer { asking.cancel() }
        guard await control.areOrdersKnown.wait() != true else { return }
        throw WorkerStartError(.cancelled, "stopped before the orders in force were known: \(control.fault ?? "")")
    }

    private static func remedy(for error: KafkaError) -> String {
        if error.meansUnreachable {
            return "See that the brokers run, and that kafka.tls and kafka.sasl are what their listeners expect"
        }
        if error.code == .clusterForbidden {
            return "Give the worker's user the right \(KafkaError.rightToWriteIdempotently)"
        }
        if error.meansForbidden {
            return
                "Give the worker's user the right Read on the source and the ledger, and Write on the ledger, the outcomes "
                + "and the dead letters"
        }
        return "If a topic is missing, make it with 'newsflash topics create'"
    }

    /// Refuses to work with topics from which Kafka deletes what the worker must remember.
    ///
    /// Brokers that do not describe topics, or not for this user, are trusted.
    func checkRetention() async throws(WorkerStartError) {
        let refusal: String?
        do throws(KafkaError) {
            refusal = try await refusalOfTopics()
        } catch {
            // The embedded cluster of demonstrations has no administration.
            guard error.code != .unsupported else { return }
            logger.warning(
                "the cleanup.policy of the ledger and the control topic is not known",
                metadata: [
                    LogKey.detail: .string(error.description),
                    LogKey.remedy: .string(
                        "see that it is compact with 'newsflash topics check'; for a check at each start give the worker's "
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
        let admin = try KafkaAdmin(configuration.kafka.logging(to: faultLog))
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

/// A topic from which Kafka must not delete: a worker reads it to remember.
enum RememberingTopic {
    case ledger
    case control

    /// Why a topic cannot be used, and what to do.
    ///
    /// - Parameters:
    ///   - name: The topic.
    ///   - policy: Its `cleanup.policy`, such as `compact,delete`; `nil` if the broker does not name it.
    /// - Returns: `nil` if nothing is deleted.
    func refusal(of name: String, policy: String?) -> String? {
        let words = policy?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
        guard let policy, words.contains("delete") else { return nil }
        let harm =
            switch self {
            case .ledger: "what was sent would be forgotten, and events that wait would be lost"
            case .control: "orders to pause a source would be forgotten"
            }
        return "topics.\(self): Kafka deletes old records of \(name) (cleanup.policy=\(policy)): \(harm). Set it to "
            + "compact, and nothing else: kafka-configs.sh --bootstrap-server ... --alter --topic \(name) "
            + "--add-config cleanup.policy=compact"
    }
}
