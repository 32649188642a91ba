package import NewsflashKafkaMock
import NewsflashTestSupport
package import NewsflashTopicPartitions

extension KafkaTestCluster {
    /// Deletes records like retention. Only for a real broker.
    ///
    /// - Parameters:
    ///   - partition: Their partition.
    ///   - offset: The first offset that remains.
    /// - Throws: ``ChildProcess/Failure`` if the broker refuses.
    package func deleteRecords(of partition: TopicPartition, below offset: Int64) async throws {
        let failure = await RecordDeletion.delete(partition, below: offset, at: bootstrapServers)
        if let failure { throw ChildProcess.Failure(description: "deleting records of \(partition): \(failure)") }
    }
}

extension TransactionalWriter {
    /// Makes a producer for this cluster.
    package convenience init(_ cluster: KafkaTestCluster, id: String) async throws {
        try await self.init(bootstrapServers: cluster.bootstrapServers, id: id)
    }
}
