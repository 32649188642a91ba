package import Timestamps

/// What people should hear of.
package enum PublishingReport: Sendable, Equatable {
    /// An event ended; its record is on its way to the outcomes.
    case ended(OutcomeRecord)
    /// An event waits, and the ledger keeps it.
    case deferred(OutcomeRecord)
    /// A record without a value was passed over.
    case tombstone(RecordOrigin)
    /// A record was met again that the ledger knows as done, as after a crash.
    case recognized(RecordOrigin)
    /// The offsets of a partition went back: its topic was cut or made anew.
    case rewound(SourcePartition, from: Int64, to: Int64)
    /// A late writer had put something old into the ledger; it is mended.
    case repaired(story: String, SourcePartition)
    /// A late writer's record shows subscribers whom the withdrawal of a story did not reach, and the source has its record no
    /// longer.
    case withdrawalMissing(story: String, SourcePartition)
    /// The ledger of a partition was taken up.
    case restored(SourcePartition, stories: Int, waiting: Int)
    /// A partition leaves before hubs have answered these requests: they are recorded as possibly accepted, and the next owner
    /// sends them again.
    case gaveUp(SourcePartition, requests: Int)
    /// A partition left before Kafka had confirmed what was decided of these events: the next owner may decide on them again.
    case leftUnconfirmed(SourcePartition, events: Int)
    /// A partition is not taken over, because its ledger knows labels of the configuration for other hubs.
    case refused(SourcePartition, [HubAddresses.Conflict])
    /// Sending to a hub is suspended.
    case circuitOpened(Hold, hub: String)
    /// Sending to a hub goes on.
    case circuitClosed(HoldReason, hub: String, after: Duration)
    /// An order to hold or release a source, or all of them, is in force.
    case controlled(ControlRecord)
    /// A hub takes no requests until then, by its own word.
    case throttled(hub: String, until: Timestamp)
    /// A request failed and will be tried again.
    case retrying(event: String, attempt: Int, label: String, detail: String, at: Timestamp)
    /// A write to Kafka failed and will be tried again.
    case writeFailed(event: String, detail: String, at: Timestamp)
}
