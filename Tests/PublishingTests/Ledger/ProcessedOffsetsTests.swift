import NewsflashPublishing
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProcessedOffsetsTests {
    @Test func `an open offset below processed ones is listed`() {
        var offsets = ProcessedOffsets()
        offsets.finish(12, begun: [10], frontier: 13)
        #expect(offsets.through == 12)
        #expect(offsets.open == [10])
        offsets.finish(10, begun: [], frontier: 15)
        #expect(offsets.open == [])
        #expect(offsets.contains(10))
    }

    @Test func `ten thousand repeats of an open event use the space of one`() {
        var offsets = ProcessedOffsets()
        for offset in Int64(1)...10_000 { offsets.finish(offset, begun: [0], frontier: offset + 1) }
        #expect(offsets.through == 10_000)
        #expect(offsets.open == [0])
        #expect(offsets.ahead == [])
    }

    @Test func `an event found ahead is listed separately until the consumer has passed it`() {
        var offsets = ProcessedOffsets()
        offsets.finish(900, begun: [], frontier: 3)
        #expect(offsets.through == -1)
        #expect(offsets.ahead == [900])
        #expect(offsets.contains(900))
        #expect(!offsets.contains(5))
        offsets.finish(1000, begun: [905], frontier: 1001)
        #expect(offsets.through == 1000)
        #expect(offsets.open == [905])
        #expect(offsets.ahead == [])
    }

    @Test func `an offset that ends twice counts once, and a negative one is ignored`() {
        var offsets = ProcessedOffsets()
        for _ in 0..<2 { offsets.finish(5, begun: [], frontier: 3) }
        offsets.finish(-1, begun: [], frontier: 3)
        #expect(offsets.ahead == [5])
        #expect(offsets.highest == 5)
        #expect(!offsets.contains(-1))
    }

    @Test func `a read offset that is not processed is listed as open`() {
        var offsets = ProcessedOffsets()
        offsets.finish(3, begun: [], frontier: 3)
        offsets.begin([5, 2, 9], frontier: 8)
        #expect(offsets.through == 5)
        #expect(offsets.open == [2, 5])
        #expect(offsets.contains(3))
        offsets.begin([5], frontier: 8)
        #expect(offsets.open == [2, 5])
    }

    @Test func `an earlier owner's offsets count only where the later owner has not read`() throws {
        var offsets = try #require(ProcessedOffsets(through: 5, open: [2]))
        offsets.formUnion(ofEarlier: try #require(ProcessedOffsets(through: 8, open: [4, 7], ahead: [12])))
        #expect(offsets == ProcessedOffsets(through: 8, open: [2, 7], ahead: [12]))
        offsets.formUnion(ofEarlier: try #require(ProcessedOffsets(through: 3)))
        #expect(offsets == ProcessedOffsets(through: 8, open: [2, 7], ahead: [12]))
    }

    @Test func `stored offsets are accepted only if they are consistent`() {
        #expect(ProcessedOffsets(through: 3, open: [1], ahead: [5, 9])?.contains(9) == true)
        #expect(ProcessedOffsets(through: 3, open: [1])?.contains(1) == false)
        #expect(ProcessedOffsets(through: -2) == nil)
        #expect(ProcessedOffsets(through: 3, ahead: [3]) == nil)
        #expect(ProcessedOffsets(through: 3, ahead: [9, 5]) == nil)
        #expect(ProcessedOffsets(through: 3, open: [4]) == nil)
        #expect(ProcessedOffsets(through: 3, open: [2, 2]) == nil)
    }

    @Test(arguments: [21, 22, 23] as [UInt64])
    func `exactly the ended offsets are processed, in any order, and two writers agree`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let all = Set((0..<12).map { _ in Int64.random(in: 0..<40, using: &generator) }).sorted()
            var offsets = ProcessedOffsets()
            var ended: Set<Int64> = []
            let other = ProcessedOffsets(through: all[2], open: [all[1]])
            for offset in all.shuffled(using: &generator) {
                ended.insert(offset)
                // Offsets below the frontier are processed or begun; some offsets beyond it are processed, too.
                let frontier = Int64.random(in: 0..<41, using: &generator)
                let begun = all.filter { $0 < frontier && !ended.contains($0) }
                offsets.finish(offset, begun: begun, frontier: frontier)
                for place in all { #expect(offsets.contains(place) == ended.contains(place), "seed \(seed)") }
                let stored = ProcessedOffsets(through: offsets.through, open: offsets.open, ahead: offsets.ahead)
                #expect(stored == offsets, "seed \(seed)")
                var merged = offsets
                let behind = try #require(other)
                merged.formUnion(behind)
                for place in all {
                    #expect(merged.contains(place) == (ended.contains(place) || behind.contains(place)), "seed \(seed)")
                }
            }
        }
    }
}
