import Kafka
import Publishing

/// A copy of a record found ahead of the consumer. Its last release returns its credit.
final class ScannedRecord: OriginalRecord {
    private let record: RecordCopy
    private let account: ReadAheadAccount
    private let cost: Int

    /// - Parameters:
    ///   - record: The copy.
    ///   - account: The account that granted its credit.
    ///   - cost: The amount of credit.
    init(_ record: RecordCopy, account: ReadAheadAccount, cost: Int) {
        self.record = record
        self.account = account
        self.cost = cost
    }

    deinit { account.release(cost) }

    func copy() -> RecordCopy { record }

    var traceparent: TraceParent? { record.traceparent }
}
