import Kafka
import Publishing

/// A copy of a record that was found ahead of the reader; with its last reference its credit goes back.
final class ScoutedRecord: OriginalRecord {
    private let record: RecordCopy
    private let account: ReadAheadAccount
    private let cost: Int

    /// - Parameters:
    ///   - record: The copy.
    ///   - account: Gave credit for it.
    ///   - cost: How much.
    init(_ record: RecordCopy, account: ReadAheadAccount, cost: Int) {
        self.record = record
        self.account = account
        self.cost = cost
    }

    deinit { account.giveBack(cost) }

    func copy() -> RecordCopy { record }

    var traceparent: TraceParent? { record.traceparent }
}
