import NewsflashPublishing
import NewsflashTestSupport
import Testing

/// The records of the ledger that a late writer wrote and that must be merged.
@Suite(.timeLimit(.minutes(1)))
struct LedgerTableTests {
    /// A ledger of two owners. The first began at offset 0, and the second at offset 2.
    private var table: LedgerTable {
        get throws {
            var table = LedgerTable(byteLimit: 1 << 20)
            try Self.add(began(1), at: 0, to: &table)
            try Self.add(facts(1, term: 0), of: "s", at: 1, to: &table)
            try Self.add(began(2), at: 2, to: &table)
            return table
        }
    }

    private func began(_ writer: UInt64) -> LedgerOwner {
        LedgerOwner(hasLeft: false, isSettled: false, writer: writer, hubs: [:])
    }

    private func facts(_ number: Int, term: Int64) throws -> StoryFacts {
        var facts = try StoryFacts.typical(number)
        facts.term = term
        return facts
    }

    private static func add(_ owner: LedgerOwner, at offset: Int64, to table: inout LedgerTable) throws {
        try table.apply(key: Array(LedgerOwner.key.utf8).span, value: owner.encoded.span, at: offset)
    }

    private static func add(_ facts: StoryFacts, of story: String, at offset: Int64, to table: inout LedgerTable) throws
    {
        let value = LedgerRecordCodec.encode(facts, of: story)
        try table.apply(key: Array(story.utf8).span, value: value.span, at: offset)
    }

    private func late(in table: consuming LedgerTable) -> [LateRecord] {
        var core = PublishingCore(configuration: PublishingConfiguration(), planner: OneSendPlanner(), seed: 1)
        let partition = core.partition(CoreHarness.partition)
        return table.restored(partition, assignment: 0, sourceEnd: nil, ledgerEnd: 10).late
    }

    @Test func `a record that an owner wrote before the next began is not late`() throws {
        var table = try table
        try Self.add(facts(2, term: 2), of: "s", at: 3, to: &table)
        #expect(late(in: table).isEmpty)
    }

    @Test func `a record of the first owner after one of the second is late and must be merged`() throws {
        var table = try table
        try Self.add(facts(2, term: 2), of: "s", at: 3, to: &table)
        try Self.add(facts(1, term: 0), of: "s", at: 4, to: &table)
        let late = late(in: table)
        #expect(late.map(\.story) == ["s"])
        #expect(late.map(\.facts) == [try facts(1, term: 0)])
        #expect(late.map(\.isLatest) == [true])
    }

    @Test func `a late record before one of the second owner may be missing in that owner's facts`() throws {
        var table = try table
        try Self.add(facts(1, term: 0), of: "s", at: 3, to: &table)
        try Self.add(facts(2, term: 2), of: "s", at: 4, to: &table)
        let late = late(in: table)
        #expect(late.map(\.facts) == [try facts(1, term: 0)])
        #expect(late.map(\.isLatest) == [false])
    }

    @Test func `a late record needs no merging if it is the only one of its story`() throws {
        var table = try table
        try Self.add(facts(1, term: 0), of: "new", at: 3, to: &table)
        #expect(late(in: table).isEmpty)
    }

    @Test func `a late record needs no merging if its story was forgotten since`() throws {
        var table = try table
        try Self.add(facts(2, term: 2), of: "s", at: 3, to: &table)
        try Self.add(facts(1, term: 0), of: "s", at: 4, to: &table)
        try table.apply(key: Array("s".utf8).span, value: nil, at: 5)
        #expect(late(in: table).isEmpty)
    }
}
