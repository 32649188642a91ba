import Publishing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DoneOffsetsTests {
    @Test func `what ends below the lowest open offset raises through`() {
        var done = DoneOffsets()
        done.finish(12, lowestOpen: 10)
        #expect(done.through == -1)
        #expect(done.above == [12])
        done.finish(10, lowestOpen: 14)
        #expect(done.through == 12)
        #expect(done.above == [])
        done.finish(17, lowestOpen: 14)
        done.finish(14, lowestOpen: nil)
        #expect(done.through == 17)
        #expect(done.above == [])
    }

    @Test func `an offset that ends twice counts once, and a negative one not at all`() {
        var done = DoneOffsets()
        for _ in 0..<2 { done.finish(5, lowestOpen: 3) }
        done.finish(-1, lowestOpen: 3)
        #expect(done.above == [5])
        #expect(done.highest == 5)
        #expect(!done.contains(-1))
        done.finish(3, lowestOpen: nil)
        done.finish(4, lowestOpen: 2)
        #expect(done.through == 5, "it never falls")
    }

    @Test func `what was stored is taken only where it could have come about`() {
        #expect(DoneOffsets(through: 3, above: [5, 9])?.contains(9) == true)
        #expect(DoneOffsets(through: -2) == nil)
        #expect(DoneOffsets(through: 3, above: [3]) == nil)
        #expect(DoneOffsets(through: 3, above: [9, 5]) == nil)
        #expect(DoneOffsets(through: 3, above: [5, 5]) == nil)
    }

    @Test(arguments: [21, 22, 23] as [UInt64])
    func `exactly what ended is done, whatever the order`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let offsets = Set((0..<12).map { _ in Int64.random(in: 0..<40, using: &generator) }).sorted()
            var open = offsets
            var done = DoneOffsets()
            for offset in offsets.shuffled(using: &generator) {
                open.removeAll { $0 == offset }
                done.finish(offset, lowestOpen: open.first)
                for other in offsets { #expect(done.contains(other) == !open.contains(other), "seed \(seed)") }
                if let lowest = open.first { #expect(done.through < lowest, "seed \(seed)") }
                #expect(DoneOffsets(through: done.through, above: done.above) == done, "seed \(seed)")
            }
            #expect(done.above.isEmpty, "seed \(seed)")
        }
    }
}
