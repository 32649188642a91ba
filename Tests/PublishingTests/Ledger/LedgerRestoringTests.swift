import Publishing
import TestSupport
import Testing
import Timestamps

@Suite(.timeLimit(.minutes(1)))
struct LedgerRestoringTests {
    private func restore(
        _ record: StoryFacts,
        of story: String,
        place: Int64,
        into table: inout StoryLedgerTable
    ) throws -> LedgerRecordCodec.Restored {
        let value = LedgerRecordCodec.encode(record, of: story)
        return try LedgerRecordCodec.restore(value.span, key: Array(story.utf8).span, place: place, into: &table)
    }

    @Test(arguments: [91, 92, 93] as [UInt64])
    func `a restored table is the one that was set`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var table = StoryLedgerTable(byteLimit: 1 << 24)
        for number in 0..<500 {
            let record = try StoryFacts.random(using: &generator)
            let story = "\(number) " + .random(using: &generator)
            let result = try restore(record, of: story, place: Int64(number), into: &table)
            let isUnfinished = !record.waiting.isEmpty
            #expect(result == (isUnfinished ? .unfinished(record) : .known), "seed \(seed)")
            #expect(table.entry(of: story) == .known(record.inTable, place: Int64(number)), "seed \(seed)")
        }
    }

    @Test(arguments: [1 << 24, 1000])
    func `a late writer's record does not take the place of a newer one, even where that was evicted`(limit: Int) throws
    {
        var table = StoryLedgerTable(byteLimit: limit)
        let newer = try StoryFacts.typical(9)
        let late = try StoryFacts.typical(7)
        #expect(try restore(newer, of: "s", place: 1, into: &table) == .known)
        #expect(try restore(late, of: "s", place: 2, into: &table) == .late(late, newer: 1))
        #expect(try restore(newer, of: "s", place: 3, into: &table) == .known)
        #expect(try restore(.typical(10), of: "s", place: 4, into: &table) == .known)
        var killed = try StoryFacts.typical(11)
        killed.phase = .killed
        #expect(try restore(killed, of: "s", place: 5, into: &table) == .known)
        #expect(try restore(.typical(12), of: "s", place: 6, into: &table) == .late(.typical(12), newer: 5))
        #expect(table.count == 1)
    }

    @Test func `a record under another key is refused`() throws {
        var table = StoryLedgerTable(byteLimit: 1 << 20)
        let value = LedgerRecordCodec.encode(try .typical(1), of: "a\"b")
        #expect {
            try LedgerRecordCodec.restore(value.span, key: Array("other".utf8).span, place: 0, into: &table)
        } throws: { error in
            (error as? LedgerRecordError)?.description == "/story: is not the story of the record's key [ledger_key]"
        }
        let key = Array("a\"b".utf8)
        #expect(try LedgerRecordCodec.restore(value.span, key: key.span, place: 0, into: &table) == .known)
        table.remove(key: key.span)
        #expect(table.count == 0)
    }

    @Test(arguments: [95, 96] as [UInt64])
    func `a damaged record changes nothing in a table`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var table = StoryLedgerTable(byteLimit: 1 << 20)
        let before = try StoryFacts.typical(3)
        table.set(before, of: "s", place: 1)
        let value = LedgerRecordCodec.encode(try .random(using: &generator), of: "s")
        let key = Array("s".utf8)
        var whole = StoryLedgerTable(byteLimit: 1 << 20)
        #expect(try LedgerRecordCodec.restore(value.span, key: key.span, place: 2, into: &whole) == .known)
        var refused = 0
        for _ in 0..<3000 {
            let damaged = value.mutated(using: &generator)
            guard damaged != value else { continue }
            if (try? LedgerRecordCodec.restore(damaged.span, key: key.span, place: 2, into: &table)) == nil {
                #expect(table.entry(of: "s") == .known(before.inTable, place: 1), "seed \(seed)")
                refused += 1
            } else {
                table.set(before, of: "s", place: 1)
            }
        }
        #expect(refused > 1000, "seed \(seed)")
    }
}
