import NewsflashKafka

/// Finds out whether records may be written, with requests that every broker refuses.
///
/// Each request has two faults: it requires acknowledgements by two replicas, which Kafka does not support, and it is
/// larger than the topic's limit. A broker checks the right to write before either, so its error shows whether the right
/// exists.
enum WriteProbe {
    /// The result of testing a topic.
    enum Answer: Sendable, Equatable {
        /// The right exists: the request was refused because of its faults.
        case allowed
        case forbidden(KafkaError)
        /// The error does not show whether the right exists.
        case unclear(KafkaError)
        /// The broker accepted the record, contrary to Kafka's rules.
        case written(offset: Int64)
    }

    /// The maximum size of a record in bytes: brokers close connections that send requests of more than 100 MB.
    private static let largestRecord: Int64 = 32 << 20

    /// Tests topics.
    ///
    /// - Parameters:
    ///   - topics: The maximum record size of each topic in bytes; `nil` if unknown.
    ///   - cluster: The client settings.
    /// - Returns: The result for each topic.
    /// - Throws: ``KafkaError`` if no producer can be created from the client settings.
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
        // Without a key, because compacted topics refuse such records.
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

    /// The errors of a broker if the user has the right to write.
    private static let refusals: Set<String> = ["INVALID_REQUIRED_ACKS", "MSG_SIZE_TOO_LARGE", "INVALID_RECORD"]
}
