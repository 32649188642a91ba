import Kafka

/// How much of followed topics is read: which topics are missing, and which partitions are not read to their end yet.
struct TopicProgress: Sendable {
    /// The topics that were missing at the last check.
    private(set) var missing: Set<String> = []
    private let topics: Set<String>
    /// The number of partitions known of each topic that was found.
    private var known: [String: Int32] = [:]
    /// The partitions of newly found topics whose existing records are not all read.
    private var unread: Set<KafkaTopicPartition> = []
    /// Whether the partitions were checked at least once.
    private var wasChecked = false

    /// Creates the progress before the first check.
    ///
    /// - Parameter topics: The names of the followed topics.
    init(of topics: some Sequence<String>) {
        self.topics = Set(topics)
    }

    /// Whether each topic that was found is read up to its end at that time; false before the first check.
    var isCaughtUp: Bool { wasChecked && unread.isEmpty }

    /// Whether it is caught up and no topic is missing.
    var isComplete: Bool { isCaughtUp && missing.isEmpty }

    /// The number of partitions known of a topic; zero if it was never found.
    func partitions(of topic: String) -> Int32 { known[topic] ?? 0 }

    /// Records the result of a check.
    ///
    /// - Parameters:
    ///   - partitions: The partitions that are read from now on.
    ///   - existing: The topics that exist.
    /// - Returns: The topics that are missing and were not missing at the last check, in order.
    mutating func found(_ partitions: [KafkaTopicPartition], existing: [String]) -> [String] {
        // A topic may have many records when it appears, for example if these credentials have just received the right to read
        // it. Partitions that are added to a known topic are empty at first.
        unread.formUnion(partitions.filter { known[$0.topic] == nil })
        for partition in partitions {
            known[partition.topic] = max(self.partitions(of: partition.topic), partition.partition + 1)
        }
        wasChecked = true
        let absent = topics.subtracting(existing)
        defer { missing = absent }
        return absent.subtracting(missing).sorted()
    }

    /// Records that all existing records of a partition were read.
    mutating func reachedEnd(of partition: KafkaTopicPartition) {
        unread.remove(partition)
    }
}
