package import NewsEvents
package import Timestamps

/// A record as the machine sees it: what it says, where it stands, and its bytes.
package struct IncomingRecord: Sendable {
    package var partition: PartitionID
    package var offset: Int64
    /// The record's time by the broker or the producer.
    package var timestamp: Timestamp?
    package var content: DecodeOutcome
    /// What readers would notice of the event, where somebody has worked it out already.
    package var digest: ContentDigest?
    package var original: any OriginalRecord

    package init(
        partition: PartitionID,
        offset: Int64,
        timestamp: Timestamp?,
        content: DecodeOutcome,
        digest: ContentDigest? = nil,
        original: any OriginalRecord
    ) {
        self.partition = partition
        self.offset = offset
        self.timestamp = timestamp
        self.content = content
        self.digest = digest
        self.original = original
    }
}
