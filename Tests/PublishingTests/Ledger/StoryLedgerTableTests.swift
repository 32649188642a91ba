import Publishing
import TestSupport
import Testing
import Timestamps

@Suite(.timeLimit(.minutes(2)))
struct StoryLedgerTableTests {
    /// What a table should know.
    private struct Model {
        var records: [String: (record: StoryFacts, place: Int64)] = [:]

        /// Held to whole seconds, as the table does it.
        func expired(before instant: Timestamp) -> [String: Int64] {
            records.filter { entry in
                let record = entry.value.record
                return max(0, record.changedAt.seconds) < instant.seconds
                    && !record.waitingIsElsewhere
            }.mapValues { max(0, $0.record.changedAt.seconds) }
        }
    }

    @Test(arguments: [(81, 1 << 30, 20_000), (82, 150_000, 100_000), (83, 130_000, 20_000)] as [(UInt64, Int, Int)])
    func `a table knows what a dictionary knows`(seed: UInt64, byteLimit: Int, steps: Int) throws {
        var generator = SeededGenerator(seed: seed)
        var table = StoryLedgerTable(byteLimit: byteLimit)
        var model = Model()
        let drafts = try (0..<200).map { _ in try StoryFacts.random(using: &generator) }
        var evictions = 0
        for step in 0..<steps {
            let story = "story-\(Int.random(in: 0..<1500, using: &generator))"
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<50:
                var record = drafts.randomElement(using: &generator) ?? drafts[0]
                record.changedAt = Timestamp(
                    milliseconds: Int64(step) * 100 + .random(in: -9999...0, using: &generator)
                )
                table.set(record, of: story, place: Int64(step))
                model.records[story] = (record.inTable, Int64(step))
            case 50..<90:
                switch table.entry(of: story) {
                case .unknown: #expect(model.records[story] == nil, "step \(step), seed \(seed)")
                case .known(let record, let place):
                    #expect(record == model.records[story]?.record, "step \(step), seed \(seed)")
                    #expect(place == model.records[story]?.place, "step \(step), seed \(seed)")
                case .elsewhere(let place):
                    evictions += 1
                    #expect(place == model.records[story]?.place, "step \(step), seed \(seed)")
                }
            case 90..<99:
                table.remove(story)
                model.records[story] = nil
            default:
                let instant = Timestamp(seconds: Int64(step / 10 - 200))
                let limit = Int.random(in: 0...5, using: &generator)
                let should = model.expired(before: instant)
                let taken = table.takeExpired(changedBefore: instant, atMost: limit)
                #expect(taken.count == min(limit, should.count), "step \(step), seed \(seed)")
                var seconds: [Int64] = []
                for one in taken {
                    let story = try #require(one.story ?? model.records.first { $0.value.place == one.place }?.key)
                    seconds.append(try #require(should[story], "step \(step), seed \(seed)"))
                    #expect(model.records[story]?.place == one.place, "step \(step), seed \(seed)")
                    model.records[story] = nil
                }
                #expect(seconds == should.values.sorted().prefix(taken.count).map { $0 }, "step \(step), seed \(seed)")
            }
            guard table.count == model.records.count, table.byteCount <= byteLimit else {
                Issue.record("\(table.count) stories, \(table.byteCount) bytes, step \(step), seed \(seed)")
                return
            }
        }
        #expect((evictions > 0) == (byteLimit < 1 << 30), "seed \(seed)")
    }

    @Test func `the records that were set longest ago give way first, and none is forgotten`() throws {
        var table = StoryLedgerTable(byteLimit: 400_000)
        for number in 0..<5000 {
            table.set(try .typical(number), of: "story-\(number)", place: Int64(number))
        }
        #expect(table.byteCount <= 400_000)
        #expect(table.count == 5000)
        var firstKnown: Int?
        for number in 0..<5000 {
            switch table.entry(of: "story-\(number)") {
            case .unknown: Issue.record("story \(number) is forgotten")
            case .elsewhere(let place):
                #expect(place == Int64(number))
                #expect(firstKnown == nil, "story \(number) gave way before an older one")
            case .known(let record, let place):
                #expect(place == Int64(number))
                #expect(record == (try .typical(number).inTable))
                firstKnown = firstKnown ?? number
            }
        }
        let known = try #require(firstKnown)
        #expect((1000..<4000).contains(known))
    }

    @Test func `a typical story takes at most 250 bytes`() throws {
        var table = StoryLedgerTable(byteLimit: 1 << 30)
        for number in 0..<20_000 {
            table.set(try .typical(number), of: "urn:newsml:desk:story-\(number)", place: Int64(number))
        }
        #expect(table.byteCount / table.count <= 250)
    }

    @Test func `dead space is given back when stories change again and again`() throws {
        var table = StoryLedgerTable(byteLimit: 1 << 30)
        for number in 0..<5000 { table.set(try .typical(number), of: "story-\(number)", place: 0) }
        let atFirst = table.byteCount
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<5000, using: &generator)
            table.set(try .typical(number), of: "story-\(number)", place: 1)
        }
        #expect(table.byteCount < atFirst * 17 / 10)
        for number in 0..<5000 { table.remove("story-\(number)") }
        #expect(table.count == 0)
        #expect(table.byteCount < atFirst / 2, "places stay allocated, records do not")
    }

    @Test func `expiry goes by the time of the last change, and leaves what waits`() throws {
        var table = StoryLedgerTable(byteLimit: 1 << 20)
        func record(_ second: Int64) throws -> StoryFacts { try .typical(1, changedAt: Timestamp(seconds: second)) }
        var waits = try record(1)
        waits.waitingIsElsewhere = true
        table.set(try record(30), of: "c", place: 3)
        table.set(try record(10), of: "a", place: 1)
        table.set(waits, of: "waits", place: 4)
        table.set(try record(20), of: "b", place: 2)
        #expect(table.takeExpired(changedBefore: Timestamp(seconds: 10), atMost: 9).isEmpty)
        #expect(table.takeExpired(changedBefore: Timestamp(seconds: 30), atMost: 1).map(\.story) == ["a"])
        #expect(table.takeExpired(changedBefore: Timestamp(seconds: 30), atMost: 9).map(\.story) == ["b"])
        table.set(try record(40), of: "c", place: 6)
        #expect(table.takeExpired(changedBefore: Timestamp(seconds: 39), atMost: 9).isEmpty)
        #expect(table.count == 2)
    }

    @Test func `two spellings of a name are two stories`() throws {
        var table = StoryLedgerTable(byteLimit: 1 << 20)
        table.set(try .typical(1), of: "caf\u{E9}", place: 1)
        #expect(table.entry(of: "cafe\u{301}") == .unknown)
        table.set(try .typical(2), of: "cafe\u{301}", place: 2)
        table.remove("caf\u{E9}")
        #expect(table.count == 1)
    }

    @Test func `a record longer than any segment is kept`() throws {
        var table = StoryLedgerTable(byteLimit: 1 << 22)
        var giant = try StoryFacts.typical(1)
        giant.eventID = String(repeating: "x", count: 300_000)
        for number in 0..<3 {
            table.set(giant, of: "giant-\(number)", place: 1)
            table.set(try .typical(number), of: "story-\(number)", place: 1)
        }
        #expect(table.entry(of: "giant-1") == .known(giant.inTable, place: 1))
        #expect(table.entry(of: "story-2") == .known(try .typical(2).inTable, place: 1))
        for number in 0..<3 { table.remove("giant-\(number)") }
        #expect(table.byteCount < 100_000)
    }

    @Test func `what lies elsewhere comes back from the whole record`() throws {
        var table = StoryLedgerTable(byteLimit: 1 << 20)
        let whole = try StoryFacts.typical(1)
        table.set(whole, of: "s", place: 1)
        guard case .known(var record, _) = table.entry(of: "s") else {
            Issue.record("the story is not known")
            return
        }
        #expect(record.isIncomplete)
        record.complete(from: whole)
        #expect(record == whole)
    }
}
