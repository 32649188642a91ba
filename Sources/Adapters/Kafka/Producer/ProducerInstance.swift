import CNewsflashRDKafka
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The current librdkafka instance of a producer with its queue.
final class ProducerInstance: Sendable {
    let client: ClientHandle
    let queue: EventQueue

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

    /// Whether it accepts no more records, so that the producer is about to replace it.
    var hasFatalError: Bool { rd_kafka_fatal_error(client.pointer, nil, 0) != RD_KAFKA_RESP_ERR_NO_ERROR }

    /// Queues a record.
    ///
    /// - Returns: A report if it could not be queued.
    func produce(_ record: KafkaRecord) -> KafkaDeliveryReport? {
        var headers = HeaderList(adding: record.headers)
        return withBytes(of: record.key) { key in
            withBytes(of: record.value) { value in
                let parts = Parts(key: key, value: value, partition: record.partition, timestamp: record.timestamp)
                return produce(parts, &headers, to: .name(record.topic), record.id)
            }
        }
    }

    /// Queues the records of a batch.
    ///
    /// - Returns: Reports on the records that could not be queued.
    func produce(_ batch: KafkaRecordBatch) -> [KafkaDeliveryReport] {
        let topic: TopicHandle
        do throws(KafkaError) {
            topic = try TopicHandle(batch.topic, of: client)
        } catch {
            return batch.entries.map { KafkaDeliveryReport(id: $0.id, failed: error) }
        }
        let common = HeaderList(adding: batch.headers)
        return batch.bytes.withUnsafeBytes { bytes in
            func part(_ range: Range<Int>?) -> UnsafeRawBufferPointer {
                guard let range, let start = bytes.baseAddress else {
                    return UnsafeRawBufferPointer(start: nil, count: 0)
                }
                return UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
            }
            return batch.entries.compactMap { entry in
                var headers = common.copy()
                let parts = Parts(key: part(entry.key), value: part(entry.value), partition: entry.partition)
                return produce(parts, &headers, to: .handle(topic), entry.id)
            }
        }
    }

    /// Queues a message that was read, with its own bytes.
    ///
    /// - Returns: A report if it could not be queued.
    func produce(_ forwarded: KafkaForwardedMessage) -> KafkaDeliveryReport? {
        forwarded.message.withContents { key, value, original in
            var headers = HeaderList(copying: original, adding: forwarded.addedHeaders)
            let parts = Parts(
                key: key,
                value: value,
                partition: forwarded.partition,
                timestamp: forwarded.timestamp
            )
            return produce(parts, &headers, to: .name(forwarded.topic), forwarded.id)
        }
    }

    /// A record's bytes (null if their address is null), partition and time.
    private struct Parts {
        var key: UnsafeRawBufferPointer
        var value: UnsafeRawBufferPointer
        var partition: Int32?
        var timestamp: Timestamp?
    }

    /// A topic that librdkafka looks up for each record, or a handle that was looked up once.
    private enum TopicReference {
        case name(String)
        case handle(TopicHandle)
    }

    private func produce(
        _ parts: Parts,
        _ headers: inout HeaderList,
        to topic: TopicReference,
        _ id: UInt64
    ) -> KafkaDeliveryReport? {
        let error = headers.offer { headers in
            func produce(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> OpaquePointer? {
                crdkafka_produce(
                    client.pointer,
                    handle,
                    name,
                    parts.partition ?? RD_KAFKA_PARTITION_UA,
                    parts.key.baseAddress,
                    parts.key.count,
                    parts.value.baseAddress,
                    parts.value.count,
                    headers,
                    parts.timestamp?.milliseconds ?? 0,
                    UnsafeMutableRawPointer(bitPattern: UInt(id))
                )
            }
            return switch topic {
            case .name(let name): name.withCString { produce(nil, $0) }
            case .handle(let handle): produce(handle.pointer, nil)
            }
        }
        guard let error else { return nil }
        let name =
            switch topic {
            case .name(let name): name
            case .handle(let handle): handle.name
            }
        return KafkaDeliveryReport(id: id, failed: KafkaError(consuming: error, doing: "writing to \(name)"))
    }

    /// Fetches the metadata of topics before their first record, and waits for it.
    ///
    /// - Throws: ``KafkaError`` with the names of the topics that are missing or cannot be used.
    func blockingWarm(_ topics: [String], timeout: Duration) throws(KafkaError) {
        var problems: [KafkaError] = []
        for name in topics {
            do throws(KafkaError) {
                let topic = try TopicHandle(name, of: client)
                let metadata = try Metadata(of: topic, timeout: timeout)
                for topic in metadata.topics { if let error = topic.error { throw error } }
            } catch {
                problems.append(error)
                // If no broker answered for one topic, none will for the others.
                guard !error.meansUnreachable else { break }
            }
        }
        guard let first = problems.first else { return }
        let message = problems.map(\.message).joined(separator: "; ")
        var error = KafkaError(first.code, message, isRetriable: problems.allSatisfy(\.isRetriable))
        error.connectionFailure = problems.compactMap(\.connectionFailure).last
        throw error
    }
}

extension KafkaDeliveryReport {
    /// Creates a report on a record that was never sent.
    init(id: UInt64, failed error: KafkaError) {
        self.init(id: id, result: .failure(error), mayBePersisted: false)
    }

    /// Converts a report of librdkafka.
    init(_ message: borrowing rd_kafka_message_t, pointer: UnsafePointer<rd_kafka_message_t>) {
        let id = UInt64(UInt(bitPattern: message._private))
        if message.err == RD_KAFKA_RESP_ERR_NO_ERROR {
            let place = Place(partition: message.partition, offset: message.offset)
            self.init(id: id, result: .success(place), mayBePersisted: true)
        } else {
            let topic = String(cString: rd_kafka_topic_name(message.rkt))
            var error = KafkaError(message.err, doing: "writing to \(topic)")
            error.partition = TopicPartition(topic: topic, partition: message.partition)
            self.init(
                id: id,
                result: .failure(error),
                mayBePersisted: rd_kafka_message_status(pointer) != RD_KAFKA_MSG_STATUS_NOT_PERSISTED
            )
        }
    }
}
