import CRDKafka
import Dispatch
package import TopicPartitions

/// Deletes records as retention does, for tests; on real brokers only.
package enum RecordDeletion {
    /// Deletes records.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - offset: The first offset to keep.
    ///   - bootstrapServers: The brokers.
    /// - Returns: Why they were not deleted; `nil` if they were.
    package static func delete(
        _ partition: TopicPartition,
        below offset: Int64,
        at bootstrapServers: String
    ) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: blockingDelete(partition, below: offset, at: bootstrapServers))
            }
        }
    }

    private static func blockingDelete(
        _ partition: TopicPartition,
        below offset: Int64,
        at servers: String
    ) -> String? {
        let configuration = rd_kafka_conf_new()
        rd_kafka_conf_set(configuration, "bootstrap.servers", servers, nil, 0)
        guard let client = rd_kafka_new(RD_KAFKA_PRODUCER, configuration, nil, 0) else { return "no client" }
        defer { rd_kafka_destroy(client) }
        let list = rd_kafka_topic_partition_list_new(1)
        defer { rd_kafka_topic_partition_list_destroy(list) }
        rd_kafka_topic_partition_list_add(list, partition.topic, partition.partition).pointee.offset = offset
        var request = rd_kafka_DeleteRecords_new(list)
        defer { rd_kafka_DeleteRecords_destroy(request) }
        let queue = rd_kafka_queue_new(client)
        defer { rd_kafka_queue_destroy(queue) }
        rd_kafka_DeleteRecords(client, &request, 1, nil, queue)
        guard let event = rd_kafka_queue_poll(queue, 30_000) else { return "no answer" }
        defer { rd_kafka_event_destroy(event) }
        guard rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR_NO_ERROR else {
            return String(cString: rd_kafka_event_error_string(event))
        }
        let answer = rd_kafka_DeleteRecords_result_offsets(rd_kafka_event_DeleteRecords_result(event))
        let response = answer?.pointee.elems[0].err ?? RD_KAFKA_RESP_ERR_NO_ERROR
        return response == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : String(cString: rd_kafka_err2str(response))
    }
}
