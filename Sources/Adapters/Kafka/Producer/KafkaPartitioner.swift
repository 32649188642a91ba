import CRDKafka

/// Where producers place records by their keys.
package enum KafkaPartitioner {
    /// The partition of a key, as Java's producers and ``KafkaProducer`` choose it.
    ///
    /// - Parameters:
    ///   - key: Of a record; an empty one is a key, too.
    ///   - count: How many partitions there are; at least one.
    /// - Returns: From 0 up to but without `count`.
    package static func partition(ofKey key: [UInt8], among count: Int) -> Int32 {
        guard let count = Int32(exactly: count), count > 0 else { return 0 }
        return key.withUnsafeBytes { bytes in
            rd_kafka_msg_partitioner_murmur2(nil, bytes.baseAddress, bytes.count, count, nil, nil)
        }
    }
}
