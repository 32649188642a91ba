import NewsflashPublishing
import NewsflashTopicPartitions
import Testing

@testable import NewsflashWorker

@Suite(.timeLimit(.minutes(1)))
struct LedgerRestorationTests {
    private func restored(_ values: [[UInt8]?]) throws -> RestoredLedger {
        try restoration(values).finish(at: Int64(values.count))
    }

    private func restoration(_ values: [[UInt8]?], group: String = "") throws -> LedgerRestoration {
        let restoration = LedgerRestoration(
            TopicPartition(topic: "news", partition: 0),
            as: PartitionID(0),
            assignment: 1,
            group: group,
            byteLimit: 1000
        )
        for (offset, value) in values.enumerated() {
            let key = LedgerOwner.key.utf8.span
            try restoration.apply(key: key, value: value?.span, at: Int64(offset))
        }
        return restoration
    }

    /// The groups of the owners in the ledger, and whether a worker of the group `news` refuses it.
    @Test(arguments: [
        ([], false), (["news"], false), (["shadow"], true), (["shadow", "news"], false), (["news", "shadow"], true),
        // Older workers that did not record the group.
        ([""], false), (["shadow", ""], false),
    ])
    func `a ledger whose latest owner belongs to another group is refused`(groups: [String], isRefused: Bool) throws {
        let owners = groups.enumerated().map { index, group in
            let number = UInt64(index + 1)
            return LedgerOwner(
                hasLeft: true,
                isSettled: true,
                term: Int64(index),
                writer: number,
                hubs: [:],
                group: group
            ).encoded
        }
        let refusal = try restoration(owners, group: "news").refusal
        #expect((refusal != nil) == isRefused, "\(refusal ?? "")")
        if let refusal { #expect(refusal.contains("belongs to kafka.group 'shadow'")) }
        // A rehearsal has no group to compare.
        #expect(try restoration(owners).refusal == nil)
    }

    @Test func `a tombstone on the owner record removes the previous owner`() throws {
        let left = LedgerOwner(hasLeft: true, isSettled: true, writer: 7, hubs: ["main": "a.example/n"])
        #expect(try restored([left.encoded]).owners.latest() == left)
        #expect(try restored([left.encoded, nil]).owners.latest() == nil)
        #expect(try restored([left.encoded, nil]).ledgerEnd == 2)
    }
}
