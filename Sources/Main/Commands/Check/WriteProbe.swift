import Kafka

/// Finds out whether records may be written, with requests that no broker carries out.
///
/// Each is refused twice over: it asks for a confirmation by two replicas, which Kafka does not know, and it is larger than
/// the topic takes. A broker looks at the right to write before either, so its refusal tells which it was.
enum WriteProbe {
    /// What a broker said.
    enum Answer: Sendable, Equatable {
        /// The right is there: the request was refused for what is wrong with it.
        case allowed
        case forbidden(KafkaError)
        /// Neither can be told.
        case unclear(KafkaError)
        /// Against all rules the record was taken.
        case written(offset: Int64)
    }

    /// The most that is sent: brokers cut the connection of who sends more than a hundred megabytes.
    private static let largestRecord: Int64 = 32 << 20

    /// Asks for topics.
    ///
    /// - Parameters:
    ///   - topics: Each with the most bytes that a record of it may have; `nil` where that is not known.
    ///   - cluster: Where they are.
    /// - Returns: The answer of each topic.
    /// - Throws: ``KafkaError`` where the configuration makes no producer.
    static func ask(
        _ topics: [String: Int64?],
        in cluster: KafkaConfiguration
    ) async throws(KafkaError) -> [String: Answer] {
        let sizes = topics.mapValues { limit in
            min(max(limit ?? 0, Int64(NeededTopic.largestRecord)) + 1024, largestRecord)
        }
        var configuration = KafkaProducerConfiguration(
            client: cluster,
            messageTimeout: .seconds(10),
            compression: .none
        )
        configuration.client.properties.merge([
            "enable.idempotence": "false",
            "request.required.acks": "2",
            "message.max.bytes": "\((sizes.values.max() ?? 0) + 65_536)",
        ]) { $1 }
        let producer = try KafkaProducer(configuration)
        let names = topics.keys.sorted()
        // Without a key, which a compacted topic takes no record without.
        let records = names.map { name in
            KafkaRecord(topic: name, partition: 0, value: [UInt8](repeating: 0x20, count: Int(sizes[name] ?? 0)))
        }
        let results = await producer.send(records)
        await producer.close(deadline: .seconds(2))
        return Dictionary(zip(names, results.map(answer)), uniquingKeysWith: { $1 })
    }

    private static func answer(_ result: Result<KafkaDelivery, KafkaError>) -> Answer {
        switch result {
        case .success(let delivery): .written(offset: delivery.offset)
        case .failure(let error) where error.meansForbidden: .forbidden(error)
        case .failure(let error) where refusals.contains(error.code.rawValue): .allowed
        case .failure(let error): .unclear(error)
        }
    }

    /// What a broker says to such a record of one who may write.
    private static let refusals: Set<String> = ["INVALID_REQUIRED_ACKS", "MSG_SIZE_TOO_LARGE", "INVALID_RECORD"]
}
