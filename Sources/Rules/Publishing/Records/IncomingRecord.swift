package import NewsflashEvents
package import NewsflashTimestamps

/// A decoded record for the core: its position, its content, and its bytes.
package struct IncomingRecord: Sendable {
    package var partition: PartitionID
    package var offset: Int64
    /// The record's time, set by the broker or the producer.
    package var timestamp: Timestamp?
    package var content: DecodeOutcome
    /// The digest of the event's content, if it was computed already.
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
