package import KafkaMock

extension TransactionalWriter {
    /// Makes a producer for this cluster.
    package convenience init(_ cluster: KafkaTestCluster, id: String) throws {
        try self.init(bootstrapServers: cluster.bootstrapServers, id: id)
    }
}
