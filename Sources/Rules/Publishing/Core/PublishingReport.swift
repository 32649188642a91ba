package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// Something to log and count.
package enum PublishingReport: Sendable, Equatable {
    /// An event ended; its outcome is being written.
    case ended(OutcomeRecord)
    /// An event waits, and the ledger keeps it.
    case deferred(OutcomeRecord)
    /// A record without a value was skipped.
    case tombstone(RecordOrigin)
    /// A record was read again that is processed according to the ledger, for example after a crash.
    case recognized(RecordOrigin)
    /// The offsets of a partition went back: its topic was cut or created again.
    case rewound(TopicPartition, from: Int64, to: Int64)
    /// A late writer overwrote facts in the ledger; they were merged and are written again.
    case repaired(story: String, TopicPartition)
    /// A late writer's record contains subscribers whom the withdrawal of a story did not reach, and the source does not have
    /// the record of the withdrawal any more.
    case withdrawalMissing(story: String, TopicPartition)
    /// The ledger of a partition was read.
    case restored(TopicPartition, stories: Int, waiting: Int)
    /// A partition is given up before hubs have answered these requests: they are recorded as possibly accepted, and the next
    /// owner sends them again.
    case gaveUp(TopicPartition, requests: Int)
    /// A partition was given up before Kafka had confirmed all of these events: the next owner may decide on them again.
    case leftUnconfirmed(TopicPartition, events: Int)
    /// A partition is not taken over, because labels of the configuration mean other hubs in its ledger.
    case refused(TopicPartition, [HubAddresses.Conflict])
    /// Sending to a hub is suspended.
    case circuitOpened(OpenCircuit, hub: String)
    /// Sending to a hub was resumed.
    case circuitClosed(CircuitReason, hub: String, after: Duration)
    /// An order to pause or resume a source, or all of them, is in force.
    case controlled(ControlRecord)
    /// A hub asked for a pause until this time.
    case throttled(hub: String, until: Timestamp)
    /// A request failed and will be tried again.
    case retrying(event: String, attempt: Int, label: String, detail: String, at: Timestamp)
    /// A write to Kafka failed and will be tried again.
    case writeFailed(event: String, detail: String, at: Timestamp)
}
