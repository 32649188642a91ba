import Testing

@testable import NewsflashPublishing

/// The results of ledger batches, from the reports on their records.
@Suite(.timeLimit(.minutes(1)))
struct UnconfirmedBatchesTests {
    private var batches = UnconfirmedBatches()

    @Test
    mutating func `a batch has a result when all its records are reported, in any order`() throws {
        batches.add(Self.batch(1))
        let first = report(1, record: 1, .success(9))
        #expect(first == nil)
        let reported = report(1, record: 0, .success(8))
        let result = try #require(reported)
        #expect(result.id == WriteID(1) && result.partition == PartitionID(0))
        #expect(try result.result.get() == [8, 9])
        let again = report(1, record: 0, .success(8))
        #expect(again == nil)
    }

    @Test(arguments: [.success(-1), .failure(WriteFailure("too large"))] as [Result<Int64, WriteFailure>])
    mutating func `a batch fails if a record failed or has no offset`(_ fault: Result<Int64, WriteFailure>) throws {
        batches.add(Self.batch(1))
        _ = report(1, record: 0, fault)
        let reported = report(1, record: 1, .success(9))
        let result = try #require(reported)
        #expect(throws: WriteFailure.self) { try result.result.get() }
    }

    @Test
    mutating func `the batches of a revoked partition are forgotten`() {
        batches.add(Self.batch(1))
        batches.forget([PartitionID(0)])
        let result = report(1, record: 0, .success(8))
        #expect(result == nil)
    }

    @Test(
        arguments: [
            (DeliveryID(ledger: WriteID(7), record: 3), .ledger(WriteID(7), record: 3)),
            (DeliveryID(outcome: WriteID(7)), .outcome(WriteID(7))),
            (DeliveryID(deadLetter: WriteID(7)), .deadLetter(WriteID(7))),
        ] as [(DeliveryID, DeliveryID.Subject)]
    )
    func `the number of a record contains its subject`(_ id: DeliveryID, _ subject: DeliveryID.Subject) {
        #expect(DeliveryID(id.number).subject == subject)
    }

    @Test func `a record without a number has no subject`() {
        #expect(DeliveryID(0).subject == nil)
    }

    private mutating func report(
        _ id: UInt64,
        record: Int,
        _ report: Result<Int64, WriteFailure>
    ) -> LedgerResult? {
        batches.reported(WriteID(id), record: record, report)
    }

    /// A batch of two records.
    private static func batch(_ id: UInt64) -> LedgerBatch {
        LedgerBatch(id: WriteID(id), partition: PartitionID(0), writes: [.forgotten("a"), .forgotten("b")])
    }
}
