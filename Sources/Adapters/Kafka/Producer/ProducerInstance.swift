import CRDKafka
import Timestamps

/// One life of a producer: its instance, its queue, and the topics kept warm.
final class ProducerInstance: Sendable {
    let client: ClientHandle
    let queue: EventQueue

    /// Makes an instance.
    init(_ configuration: KafkaProducerConfiguration, wakeUp: WakeUp) throws(KafkaError) {
        self.client = try ClientHandle(
            RD_KAFKA_PRODUCER,
            properties: try configuration.properties(),
            client: configuration.client,
            events: RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR
        )
        self.queue = EventQueue.main(of: client)
        queue.signal(wakeUp)
    }

    /// Queues a record.
    ///
    /// - Returns: A report when it could not even be queued.
    func produce(_ record: KafkaRecord) -> KafkaDeliveryReport? {
        var headers = HeaderList(adding: record.headers)
        return withBytes(of: record.key) { key in
            withBytes(of: record.value) { value in
                produce(key, value, &headers, record.topic, record.partition, record.timestamp, record.id)
            }
        }
    }

    /// Queues a message that was read, with its own bytes.
    ///
    /// - Returns: A report when it could not even be queued.
    func produce(_ forwarded: KafkaForwardedMessage) -> KafkaDeliveryReport? {
        forwarded.message.withContents { key, value, original in
            var headers = HeaderList(copying: original, adding: forwarded.addedHeaders)
            return produce(
                key,
                value,
                &headers,
                forwarded.topic,
                forwarded.partition,
                forwarded.timestamp,
                forwarded.id
            )
        }
    }

    private func produce(
        _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        _ headers: inout HeaderList,
        _ topic: String,
        _ partition: Int32?,
        _ timestamp: Timestamp?,
        _ id: UInt64
    ) -> KafkaDeliveryReport? {
        let error = headers.offer { headers in
            crdkafka_produce(
                client.pointer,
                topic,
                partition ?? RD_KAFKA_PARTITION_UA,
                key.baseAddress,
                key.count,
                value.baseAddress,
                value.count,
                headers,
                timestamp?.milliseconds ?? 0,
                UnsafeMutableRawPointer(bitPattern: UInt(id))
            )
        }
        return error.map {
            KafkaDeliveryReport(id: id, failed: KafkaError(consuming: $0, doing: "writing to \(topic)"))
        }
    }

    /// Fetches what must be known of topics before their first record, and waits for it.
    ///
    /// - Throws: ``KafkaError`` that names the topics that are missing or cannot be used.
    func blockingWarm(_ topics: [String], timeout: Duration) throws(KafkaError) {
        var problems: [KafkaError] = []
        for name in topics {
            do throws(KafkaError) {
                let topic = try TopicHandle(name, of: client)
                let metadata = try Metadata(of: topic, timeout: timeout)
                for topic in metadata.topics { if let error = topic.error { throw error } }
            } catch {
                problems.append(error)
                // Whom no broker answers once need not ask again.
                guard !error.meansUnreachable else { break }
            }
        }
        guard let first = problems.first else { return }
        let message = problems.map(\.message).joined(separator: "; ")
        throw KafkaError(first.code, message, isRetriable: problems.allSatisfy(\.isRetriable))
    }
}

extension KafkaDeliveryReport {
    /// A record that never left this side.
    init(id: UInt64, failed error: KafkaError) {
        self.init(id: id, result: .failure(error), mayBePersisted: false)
    }

    /// Reads the report of librdkafka.
    init(_ message: borrowing rd_kafka_message_t, pointer: UnsafePointer<rd_kafka_message_t>) {
        let id = UInt64(UInt(bitPattern: message._private))
        if message.err == RD_KAFKA_RESP_ERR_NO_ERROR {
            let place = Place(partition: message.partition, offset: message.offset)
            self.init(id: id, result: .success(place), mayBePersisted: true)
        } else {
            let topic = String(cString: rd_kafka_topic_name(message.rkt))
            var error = KafkaError(message.err, doing: "writing to \(topic)")
            error.partition = KafkaTopicPartition(topic: topic, partition: message.partition)
            self.init(
                id: id,
                result: .failure(error),
                mayBePersisted: rd_kafka_message_status(pointer) != RD_KAFKA_MSG_STATUS_NOT_PERSISTED
            )
        }
    }
}
