import CRDKafka

/// Chooses the partitions of records by their keys.
package enum KafkaPartitioner {
    /// Returns the partition of a key, as Java's producers and ``KafkaProducer`` choose it.
    ///
    /// - Parameters:
    ///   - key: The key of a record; an empty one counts as a key, too.
    ///   - count: The number of partitions; at least one.
    /// - Returns: A number from 0 to `count - 1`.
    package static func partition(ofKey key: [UInt8], among count: Int) -> Int32 {
        guard let count = Int32(exactly: count), count > 0 else { return 0 }
        return key.withUnsafeBytes { bytes in
            rd_kafka_msg_partitioner_murmur2(nil, bytes.baseAddress, bytes.count, count, nil, nil)
        }
    }
}
