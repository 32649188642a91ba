import CNewsflashRDKafka
import NewsflashTopicPartitions

/// The owner of one `rd_kafka_topic_partition_list_t`.
struct TopicPartitionList: ~Copyable {
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    /// Lists partitions at offsets.
    init(_ offsets: [TopicPartition: Int64]) {
        self.pointer = rd_kafka_topic_partition_list_new(Int32(offsets.count))
        for (partition, offset) in offsets {
            rd_kafka_topic_partition_list_add(pointer, partition.topic, partition.partition).pointee.offset = offset
        }
    }

    /// Lists partitions without offsets.
    init(_ partitions: [TopicPartition]) {
        self.pointer = rd_kafka_topic_partition_list_new(Int32(partitions.count))
        for partition in partitions {
            rd_kafka_topic_partition_list_add(pointer, partition.topic, partition.partition)
        }
    }

    /// Lists whole topics, as a subscription does.
    init(topics: [String]) {
        self.pointer = rd_kafka_topic_partition_list_new(Int32(topics.count))
        for topic in topics {
            rd_kafka_topic_partition_list_add(pointer, topic, RD_KAFKA_PARTITION_UA)
        }
    }

    /// Copies a list that someone else owns.
    init(copying list: UnsafePointer<rd_kafka_topic_partition_list_t>) {
        self.pointer = rd_kafka_topic_partition_list_copy(list)
    }

    deinit {
        rd_kafka_topic_partition_list_destroy(pointer)
    }

    /// Marks a partition whose offset is unknown.
    static let noOffset = Int64(RD_KAFKA_OFFSET_INVALID)

    /// Sets the offset of a partition on the list.
    func set(_ offset: Int64, of partition: TopicPartition) {
        rd_kafka_topic_partition_list_set_offset(pointer, partition.topic, partition.partition, offset)
    }

    /// Removes a partition from the list.
    func remove(_ partition: TopicPartition) {
        rd_kafka_topic_partition_list_del(pointer, partition.topic, partition.partition)
    }

    /// The entries.
    var entries: [ListedPartition] { Self.read(pointer) }

    /// Reads a list that someone else owns.
    static func read(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>?) -> [ListedPartition] {
        guard let list, let elements = list.pointee.elems else { return [] }
        return UnsafeBufferPointer(start: elements, count: Int(list.pointee.cnt)).map { element in
            ListedPartition(
                partition: TopicPartition(
                    topic: String(cString: element.topic),
                    partition: element.partition
                ),
                offset: element.offset,
                response: element.err
            )
        }
    }
}

/// One entry of a list of partitions.
struct ListedPartition {
    var partition: TopicPartition
    /// Negative if it is a logical offset.
    var offset: Int64
    var response: rd_kafka_resp_err_t
}

extension KafkaOffset {
    /// librdkafka's number for the offset.
    var number: Int64 {
        switch self {
        case .beginning: Int64(RD_KAFKA_OFFSET_BEGINNING)
        case .end: Int64(RD_KAFKA_OFFSET_END)
        case .committed: Int64(RD_KAFKA_OFFSET_STORED)
        case .at(let offset): offset
        }
    }
}
