import NewsflashPublishing
import NewsflashTopicPartitions

/// The reason why a worker cannot continue, and what to do.
package struct WorkerFault: Sendable, Equatable, CustomStringConvertible {
    /// Whether the configuration must change. Otherwise a restart may help.
    package var isOfConfiguration: Bool
    package var description: String

    init(isOfConfiguration: Bool = false, _ description: String) {
        self.isOfConfiguration = isOfConfiguration
        self.description = description
    }

    /// The refusal of a partition whose ledger uses labels of the configuration for other hubs.
    init(_ conflicts: [HubAddresses.Conflict], in partition: TopicPartition) {
        let texts = conflicts.map { conflict in
            let label = conflict.label
            return """
                hubs.\(label): the ledger of \(partition) has notifications that '\(label)' sent to \(conflict.recorded), and this \
                configuration makes it \(conflict.configured). A withdrawal would not reach the notified subscribers, so nothing \
                of the partition was sent, written or committed. There are three ways out. (a) Give the new hub a label of its \
                own, and keep '\(label)' with \(conflict.recorded) while its stories are alive. (b) Restore the endpoint and \
                name of '\(label)'. (c) If all its devices have moved to the new hub, confirm it with \
                hubs.\(label).replaces: \(conflict.recorded)
                """
        }
        self.init(isOfConfiguration: true, texts.joined(separator: "\n"))
    }
}
