/// The ledger batches without all delivery reports. The reports of a batch become one result.
package struct UnconfirmedBatches: Sendable {
    private struct Entry {
        var partition: PartitionID
        var offsets: [Int64]
        /// The number of records without a delivery report.
        var left: Int
        var failure: String?
    }

    private var entries: [WriteID: Entry] = [:]

    package init() {}

    /// Adds a batch whose records are produced now.
    package mutating func add(_ batch: LedgerBatch) {
        let count = batch.writes.count
        entries[batch.id] = Entry(
            partition: batch.partition,
            offsets: Array(repeating: -1, count: count),
            left: count
        )
    }

    /// Receives one delivery report.
    ///
    /// - Parameters:
    ///   - id: The batch.
    ///   - index: The position of the record in its batch.
    ///   - report: The offset of the record, negative if it is unknown; or the reason why the record was not written.
    /// - Returns: The result of the batch; `nil` if other reports of the batch are pending, or if the batch was forgotten.
    package mutating func reported(
        _ id: WriteID,
        record index: Int,
        _ report: Result<Int64, WriteFailure>
    ) -> LedgerResult? {
        guard var entry = entries.removeValue(forKey: id), entry.offsets.indices.contains(index) else { return nil }
        switch report {
        case .success(let offset) where offset < 0:
            // After a reconnect a broker may report a record as stored without its offset, which is needed to read the record
            // again.
            entry.failure = "the broker did not return the offset of the ledger record"
        case .success(let offset): entry.offsets[index] = offset
        case .failure(let failure): entry.failure = failure.detail
        }
        entry.left -= 1
        guard entry.left == 0 else {
            entries[id] = entry
            return nil
        }
        let result: Result<[Int64], WriteFailure> =
            if let failure = entry.failure { .failure(WriteFailure(failure)) } else { .success(entry.offsets) }
        return LedgerResult(id: id, partition: entry.partition, result: result)
    }

    /// Forgets the batches of revoked partitions. Records that were produced stay written.
    package mutating func forget(_ partitions: [PartitionID]) {
        entries = entries.filter { !partitions.contains($0.value.partition) }
    }
}
