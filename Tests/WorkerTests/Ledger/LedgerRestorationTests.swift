import Publishing
import Testing

@testable import Worker

@Suite(.timeLimit(.minutes(1)))
struct LedgerRestorationTests {
    private func restored(_ values: [[UInt8]?]) throws -> RestoredLedger {
        let restoration = LedgerRestoration(
            SourcePartition(topic: "news", number: 0),
            as: PartitionID(0),
            assignment: 1,
            byteLimit: 1000
        )
        for (offset, value) in values.enumerated() {
            let key = LedgerOwner.key.utf8.span
            try restoration.take(key: key, value: value?.span, at: Int64(offset))
        }
        restoration.reachedEnd(at: Int64(values.count))
        return restoration.finish()
    }

    @Test func `a tombstone on the owner record leaves no owner before`() throws {
        let left = LedgerOwner(hasLeft: true, isSettled: true, writer: 7, hubs: ["main": "a.example/n"])
        #expect(try restored([left.encoded]).owners.latest() == left)
        #expect(try restored([left.encoded, nil]).owners.latest() == nil)
        #expect(try restored([left.encoded, nil]).ledgerEnd == 2)
    }
}
