import CNewsflashRDKafka
import Dispatch
package import NewsflashKafka

/// A transactional producer, like that of an outbox with exactly-once semantics.
package final class TransactionalWriter: Sendable {
    // librdkafka's instances are thread safe, and the pointer never changes.
    private nonisolated(unsafe) let client: OpaquePointer
    private let queue = DispatchQueue(label: "transactional-writer")

    /// Creates a producer.
    ///
    /// - Parameters:
    ///   - bootstrapServers: The addresses of real brokers: a mock writes no control records.
    ///   - id: The transactional id.
    /// - Throws: ``Failure`` if librdkafka or the broker refuses.
    package init(bootstrapServers: String, id: String) async throws {
        let configuration = rd_kafka_conf_new()
        for (name, value) in [("bootstrap.servers", bootstrapServers), ("transactional.id", id)] {
            rd_kafka_conf_set(configuration, name, value, nil, 0)
        }
        guard let client = rd_kafka_new(RD_KAFKA_PRODUCER, configuration, nil, 0) else {
            rd_kafka_conf_destroy(configuration)
            throw Failure(description: "cannot create a transactional producer")
        }
        self.client = client
        try await onQueue { try Self.check(rd_kafka_init_transactions(self.client, 30_000)) }
    }

    deinit {
        // This blocks, and the last reference may be released in a task.
        nonisolated(unsafe) let client = client
        queue.async { rd_kafka_destroy(client) }
    }

    /// Writes records in one transaction.
    ///
    /// - Parameters:
    ///   - records: The records, each with its partition.
    ///   - isCommitted: Whether the transaction is committed; otherwise, it is aborted when the broker has the records.
    /// - Throws: ``Failure`` if the broker refuses.
    package func write(_ records: [KafkaRecord], isCommitted: Bool = true) async throws {
        try await begin(records)
        try await end(isCommitted: isCommitted)
    }

    /// Begins a transaction and writes records, which the broker has when this returns.
    package func begin(_ records: [KafkaRecord]) async throws {
        try await onQueue { try self.send(records) }
    }

    /// Ends the transaction.
    package func end(isCommitted: Bool) async throws {
        try await onQueue { [self] in
            let end = isCommitted ? rd_kafka_commit_transaction : rd_kafka_abort_transaction
            try Self.check(end(client, 30_000))
        }
    }

    private func onQueue(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    private func send(_ records: [KafkaRecord]) throws {
        try Self.check(rd_kafka_begin_transaction(client))
        for record in records {
            let topic = rd_kafka_topic_new(client, record.topic, nil)
            defer { rd_kafka_topic_destroy(topic) }
            var (value, key) = (record.value ?? [], record.key ?? [])
            let result = rd_kafka_produce(
                topic,
                record.partition ?? 0,
                RD_KAFKA_MSG_F_COPY,
                &value,
                value.count,
                &key,
                key.count,
                nil
            )
            guard result == 0 else { throw Failure(description: "a record was not accepted") }
        }
        let response = rd_kafka_flush(client, 30_000)
        guard response == RD_KAFKA_RESP_ERR_NO_ERROR else { throw Failure(description: "not flushed") }
    }

    private static func check(_ error: OpaquePointer?) throws {
        guard let error else { return }
        defer { rd_kafka_error_destroy(error) }
        throw Failure(description: String(cString: rd_kafka_error_string(error)))
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }
}
