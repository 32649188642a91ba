import NewsflashEvents
import NewsflashPublishing
import Testing

/// A hub's label must mean the same hub as long as the ledger has stories of it.
@Suite(.timeLimit(.minutes(1)))
struct HubAddressesTests {
    private static let old = "old.example/news"
    private static let new = "new.example/news"

    @Test(arguments: [
        // Equal, in any order and any letter case.
        (HubAddresses(["a": old, "b": new]), ["b": new, "a": old], []),
        (HubAddresses(["a": "OLD.example/News"]), ["a": old], []),
        // A label in only one of the two.
        (HubAddresses(["a": old]), [:], []),
        (HubAddresses(["b": new]), ["a": old], []),
        (HubAddresses([:]), ["a": old], []),
        // A new label for the hub of another label, which remains.
        (HubAddresses(["b": old, "a": old]), ["a": old], []),
        // Another endpoint, another name, and two exchanged labels.
        (HubAddresses(["a": new]), ["a": old], ["a"]),
        (HubAddresses(["a": "old.example/other"]), ["a": old], ["a"]),
        (HubAddresses(["b": old, "a": new]), ["a": old, "b": new], ["a", "b"]),
        // A confirmed change, for that address and that label only.
        (HubAddresses(["a": new], replaced: ["a": ["Old.example/news"]]), ["a": old], []),
        (HubAddresses(["a": new], replaced: ["a": ["older.example/news", old]]), ["a": old], []),
        (HubAddresses(["a": new], replaced: ["a": ["older.example/news"]]), ["a": old], ["a"]),
        (HubAddresses(["a": new], replaced: ["b": [old]]), ["a": old], ["a"]),
    ])
    func `a label with another address than in the ledger is a conflict unless it was confirmed`(
        hubs: HubAddresses,
        recorded: [String: String],
        labels: [String]
    ) {
        let conflicts = hubs.conflicts(with: recorded)
        #expect(conflicts.map(\.label) == labels)
        #expect(conflicts.map(\.recorded) == labels.map { recorded[$0] })
        #expect(conflicts.map(\.configured) == labels.map { hubs.addresses[$0] })
    }

    @Test func `the ledger keeps the addresses of labels that the configuration no longer has`() {
        let hubs = HubAddresses(["a": Self.new, "b": Self.new])
        #expect(
            hubs.merged(into: ["a": Self.old, "gone": Self.old]) == ["a": Self.new, "b": Self.new, "gone": Self.old]
        )
    }

    @Test func `a partition whose ledger has a label for another hub is not processed, and its ledger stays`() {
        var harness = CoreHarness(
            PublishingConfiguration(commitInterval: .zero, hubAddresses: HubAddresses(["main": Self.new]))
        )
        #expect(harness.owner?.hubs == ["main": Self.new])
        let partition = harness.id
        _ = harness.core.leave([partition], now: harness.now)
        harness.perform()
        harness.confirmAll()
        harness.owner?.hubs = ["main": Self.old, "gone": Self.old]
        let owner = harness.owner
        harness.flowing = []
        harness.own()
        let conflict = HubAddresses.Conflict(label: "main", recorded: Self.old, configured: Self.new)
        #expect(harness.reports.last == .refused(CoreHarness.partition, [conflict]))
        harness.receive(.sample("a"))
        harness.scout([0])
        harness.finishAll()
        #expect(harness.flowing.isEmpty && harness.sends.isEmpty && harness.verdicts.isEmpty)
        #expect(harness.core.leave([partition], now: harness.now) == [:])
        harness.perform()
        harness.confirmAll()
        #expect(harness.owner == owner)
    }

    @Test func `a new owner records its hubs together with removed ones, also when it leaves`() {
        var harness = CoreHarness(
            PublishingConfiguration(
                commitInterval: .zero,
                hubAddresses: HubAddresses(["main": Self.new], replaced: ["main": [Self.old]])
            )
        )
        let partition = harness.id
        _ = harness.core.leave([partition], now: harness.now)
        harness.perform()
        harness.confirmAll()
        harness.owner?.hubs = ["main": Self.old, "gone": Self.old]
        harness.own()
        let expected = ["main": Self.new, "gone": Self.old]
        #expect(harness.owner?.hubs == expected)
        harness.core.ownerOverwritten(in: partition)
        harness.perform()
        harness.confirmAll()
        #expect(harness.owner?.hubs == expected)
        _ = harness.core.leave([partition], now: harness.now)
        harness.perform()
        harness.confirmAll()
        #expect(harness.owner?.hasLeft == true && harness.owner?.hubs == expected)
    }
}
