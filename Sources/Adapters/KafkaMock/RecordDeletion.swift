import CNewsflashRDKafka
package import NewsflashTopicPartitions

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
        await AdminCall.run(at: bootstrapServers) { client, queue in
            let list = rd_kafka_topic_partition_list_new(1)
            defer { rd_kafka_topic_partition_list_destroy(list) }
            rd_kafka_topic_partition_list_add(list, partition.topic, partition.partition).pointee.offset = offset
            var request = rd_kafka_DeleteRecords_new(list)
            defer { rd_kafka_DeleteRecords_destroy(request) }
            rd_kafka_DeleteRecords(client, &request, 1, nil, queue)
        } failure: { event in
            rd_kafka_DeleteRecords_result_offsets(rd_kafka_event_DeleteRecords_result(event))?.pointee.elems[0].err
                ?? RD_KAFKA_RESP_ERR_NO_ERROR
        }
    }
}
