/// A topic as the cluster describes it.
public struct KafkaTopic: Sendable, Hashable {
    /// One partition of a topic.
    public struct Partition: Sendable, Hashable {
        /// The partition's number, from 0.
        public var number: Int32
        /// The broker that serves it; `nil` if none does.
        public var leader: Int32?
        /// The brokers that have it.
        public var replicas: [Int32]
        /// The replicas that are up to date.
        public var inSyncReplicas: [Int32]

        /// Creates a partition.
        ///
        /// - Parameters:
        ///   - number: The partition's number, from 0.
        ///   - leader: The broker that serves it; `nil` if none does.
        ///   - replicas: The brokers that have it.
        ///   - inSyncReplicas: The replicas that are up to date.
        public init(number: Int32, leader: Int32?, replicas: [Int32], inSyncReplicas: [Int32]) {
            self.number = number
            self.leader = leader
            self.replicas = replicas
            self.inSyncReplicas = inSyncReplicas
        }
    }

    /// The topic's name.
    public var name: String
    /// The partitions, by number.
    public var partitions: [Partition]
    /// Why the topic cannot be used; for example, that it does not exist.
    public var error: KafkaError?

    /// Creates a topic.
    ///
    /// - Parameters:
    ///   - name: The topic's name.
    ///   - partitions: The partitions, by number.
    ///   - error: Why the topic cannot be used.
    public init(name: String, partitions: [Partition], error: KafkaError? = nil) {
        self.name = name
        self.partitions = partitions
        self.error = error
    }
}
