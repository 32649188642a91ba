import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StoryIndexTests {
    private func restore(
        _ facts: StoryFacts,
        of story: String,
        at offset: Int64,
        into index: inout StoryIndex
    ) throws -> StoryIndex.Restored {
        let value = LedgerRecordCodec.encode(facts, of: story)
        return try index.restore(value.span, of: Array(story.utf8).span, ledgerOffset: offset)
    }

    @Test(arguments: [91, 92, 93] as [UInt64])
    func `a restored story is found by the position of its record`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var index = StoryIndex(byteLimit: 1 << 24)
        for number in 0..<500 {
            let facts = try StoryFacts.random(using: &generator)
            let story = "\(number) " + .random(using: &generator)
            let result = try restore(facts, of: story, at: Int64(number), into: &index)
            let isAnyOver = facts.closing.contains { end in facts.waiting.contains { $0.offset == end.offset } }
            let waiting = StoryIndex.Restored.waiting(facts.waiting, isAnyOver: isAnyOver)
            #expect(result == (facts.waiting.isEmpty ? .known : waiting), "seed \(seed)")
            #expect(index.lookup(story) == .evicted(ledgerOffset: Int64(number)), "seed \(seed)")
        }
        #expect(index.lookup("never seen") == .unknown)
        #expect(index.count == 500)
    }

    @Test func `stored facts are cached, the oldest are evicted, and no evicted story counts as new`() throws {
        var index = StoryIndex(byteLimit: 20_000)
        for number in 0..<1000 {
            index.store(try .typical(number), of: "story \(number)", ledgerOffset: Int64(number))
        }
        #expect(index.lookup("story 999") == .known(try .typical(999), ledgerOffset: 999))
        #expect(index.lookup("story 0") == .evicted(ledgerOffset: 0))
        #expect(index.count == 1000)
        #expect(index.highestProcessed == 999)
    }

    @Test func `the index and the facts together stay within the limit, and a quarter of it is for facts`() throws {
        var index = StoryIndex(byteLimit: 200_000)
        var most = 0
        for number in 0..<8000 {
            index.store(try .typical(number), of: "story \(number)", ledgerOffset: Int64(number))
            if number < 2000 { most = max(most, index.byteCount) }
        }
        #expect((150_000...200_000).contains(most))
        #expect(index.lookup("story 7990") == .known(try .typical(7990), ledgerOffset: 7990))
    }

    @Test func `the index grows in parts, and each part is copied alone`() throws {
        var index = StoryIndex(byteLimit: 0)
        let facts = try StoryFacts.typical(1)
        for number in 0..<20_000 {
            let before = index.byteCount
            index.store(facts, of: "story \(number)", ledgerOffset: Int64(number))
            guard number > 5000, index.byteCount > before * 9 / 8 else { continue }
            Issue.record("story \(number) lets the index grow from \(before) to \(index.byteCount) bytes")
        }
        #expect(index.count == 20_000)
    }

    @Test func `the facts of a story with a waiting event are not cached`() throws {
        var generator = SeededGenerator(seed: 5)
        var index = StoryIndex(byteLimit: 1 << 20)
        var facts = try StoryFacts.typical(1)
        index.store(facts, of: "s", ledgerOffset: 1)
        facts.waiting = [.random(using: &generator)]
        index.store(facts, of: "s", ledgerOffset: 2)
        #expect(index.lookup("s") == .evicted(ledgerOffset: 2))
    }

    @Test(arguments: [1 << 24, 1000])
    func `a late writer's record does not replace a newer one`(limit: Int) throws {
        var index = StoryIndex(byteLimit: limit)
        let newer = try StoryFacts.typical(9)
        let late = try StoryFacts.typical(7)
        #expect(try restore(newer, of: "s", at: 1, into: &index) == .known)
        #expect(try restore(late, of: "s", at: 2, into: &index) == .late(late))
        #expect(try restore(newer, of: "s", at: 3, into: &index) == .known)
        #expect(try restore(.typical(10), of: "s", at: 4, into: &index) == .known)
        var killed = try StoryFacts.typical(11)
        killed.phase = .killed
        #expect(try restore(killed, of: "s", at: 5, into: &index) == .known)
        #expect(try restore(.typical(12), of: "s", at: 6, into: &index) == .late(.typical(12)))
        #expect(index.count == 1)
        #expect(index.lookup("s") == .evicted(ledgerOffset: 5))
    }

    @Test func `a record under another key is refused`() throws {
        var index = StoryIndex(byteLimit: 1 << 20)
        let value = LedgerRecordCodec.encode(try .typical(1), of: "a\"b")
        #expect {
            try index.restore(value.span, of: Array("other".utf8).span, ledgerOffset: 0)
        } throws: { error in
            (error as? LedgerRecordError)?.description == "/story: is not the story of the record's key [ledger_key]"
        }
        let key = Array("a\"b".utf8)
        #expect(try index.restore(value.span, of: key.span, ledgerOffset: 0) == .known)
        index.remove(StoryIndex.Key(key.span))
        #expect(index.count == 0)
    }

    @Test(arguments: [95, 96] as [UInt64])
    func `a damaged record changes nothing in the index`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var index = StoryIndex(byteLimit: 1 << 20)
        let before = try StoryFacts.typical(3)
        index.store(before, of: "s", ledgerOffset: 1)
        let value = LedgerRecordCodec.encode(try .random(using: &generator), of: "s")
        let key = Array("s".utf8)
        var refused = 0
        for _ in 0..<3000 {
            let damaged = value.mutated(using: &generator)
            guard damaged != value else { continue }
            if (try? index.restore(damaged.span, of: key.span, ledgerOffset: 2)) == nil {
                #expect(index.lookup("s") == .known(before, ledgerOffset: 1), "seed \(seed)")
                refused += 1
            } else {
                index.store(before, of: "s", ledgerOffset: 1)
            }
        }
        #expect(refused > 1000, "seed \(seed)")
    }

    @Test func `stories that have not changed for long are found by the positions of their records`() throws {
        var index = StoryIndex(byteLimit: 1000)
        let start = Timestamp(seconds: 1_772_440_800)
        for number in 0..<300 {
            index.store(
                try .typical(number, changedAt: start + .seconds(number)),
                of: "s\(number)",
                ledgerOffset: Int64(number)
            )
        }
        var taken: [Int64] = []
        while true {
            let some = index.nextExpired(before: start + .seconds(200), atMost: 64)
            if some.isEmpty { break }
            for (key, offset) in some {
                #expect(index.isLatest(offset, of: key))
                index.remove(key)
                taken.append(offset)
            }
        }
        #expect(taken.sorted() == (0..<200).map(Int64.init))
        #expect(index.count == 100)
    }
}
