/// A topic as the cluster describes it.
public struct KafkaTopic: Sendable, Hashable {
    /// One partition of a topic.
    public struct Partition: Sendable, Hashable {
        /// Its number, from 0.
        public var number: Int32
        /// The broker that serves it; nil while none does.
        public var leader: Int32?
        /// The brokers that hold it.
        public var replicas: [Int32]
        /// Those of them that are up to date.
        public var inSyncReplicas: [Int32]

        /// Makes a partition.
        ///
        /// - Parameters:
        ///   - number: Its number, from 0.
        ///   - leader: The broker that serves it; nil while none does.
        ///   - replicas: The brokers that hold it.
        ///   - inSyncReplicas: Those of them that are up to date.
        public init(number: Int32, leader: Int32?, replicas: [Int32], inSyncReplicas: [Int32]) {
            self.number = number
            self.leader = leader
            self.replicas = replicas
            self.inSyncReplicas = inSyncReplicas
        }
    }

    /// Its name.
    public var name: String
    /// Its partitions, by number.
    public var partitions: [Partition]
    /// Why it cannot be used; such as that it does not exist.
    public var error: KafkaError?

    /// Makes a topic.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - partitions: Its partitions, by number.
    ///   - error: Why it cannot be used.
    public init(name: String, partitions: [Partition], error: KafkaError? = nil) {
        self.name = name
        self.partitions = partitions
        self.error = error
    }
}
