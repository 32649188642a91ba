import NewsflashBasics
import NewsflashPublishing
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OffsetTrackerTests {
    @Test func `no offset may be committed before the first record is processed`() {
        var tracker = OffsetTracker()
        #expect(tracker.begin(5) == .new)
        #expect(tracker.begin(6) == .new)
        tracker.complete(6)
        #expect(tracker.watermark == nil)
        #expect(tracker.beginCommit() == nil)
    }

    @Test func `the watermark is the offset after the last record with no open one before it`() {
        var tracker = OffsetTracker()
        for offset in Int64(10)..<15 { _ = tracker.begin(offset) }
        tracker.complete(12)
        tracker.complete(10)
        #expect(tracker.watermark == 11)
        tracker.complete(11)
        #expect(tracker.watermark == 13)
        tracker.complete(14)
        tracker.complete(13)
        #expect(tracker.watermark == 15)
    }

    @Test func `gaps left by compaction are skipped`() {
        var tracker = OffsetTracker()
        for offset in [Int64(3), 7, 100] { _ = tracker.begin(offset) }
        tracker.complete(7)
        tracker.complete(3)
        #expect(tracker.watermark == 8)
        tracker.complete(100)
        #expect(tracker.watermark == 101)
    }

    @Test func `an offset that goes back is reported, and changes nothing`() {
        var tracker = OffsetTracker()
        #expect(tracker.begin(1) == .new)
        #expect(tracker.begin(2) == .new)
        #expect(tracker.begin(1) == .rewind(from: 2))
        tracker.complete(1)
        tracker.complete(2)
        #expect(tracker.begin(2) == .rewind(from: 2))
        #expect(tracker.begin(3) == .new)
    }

    @Test func `the frontier is the offset after the last begun record, processed or not`() {
        var tracker = OffsetTracker()
        #expect(tracker.frontier == nil)
        for offset in [3, 5] as [Int64] { #expect(tracker.begin(offset) == .new) }
        #expect(tracker.frontier == 6)
        for offset in 6..<200 as Range<Int64> { #expect(tracker.begin(offset) == .new) }
        for offset in 3..<200 as Range<Int64> { tracker.complete(offset) }
        #expect(tracker.frontier == 200)
        #expect(tracker.watermark == 200)
    }

    @Test func `an offset never begun cannot move the watermark`() {
        var tracker = OffsetTracker()
        #expect(tracker.begin(4) == .new)
        tracker.complete(3)
        tracker.complete(9)
        #expect(tracker.watermark == nil)
    }

    @Test func `the oldest time is that of the lowest open record`() {
        var tracker = OffsetTracker()
        let times = (0..<3).map { Timestamp(seconds: 100 + $0) }
        for (offset, time) in zip([4, 6, 9] as [Int64], times) {
            #expect(tracker.begin(offset, writtenAt: time) == .new)
        }
        #expect(tracker.oldestOpenTime == times[0])
        tracker.complete(6)
        #expect(tracker.oldestOpenTime == times[0])
        tracker.complete(4)
        tracker.complete(4)
        #expect(tracker.oldestOpenTime == times[2])
        #expect(tracker.openCount == 1)
        tracker.complete(9)
        #expect(tracker.oldestOpenTime == nil)
        #expect(tracker.openCount == 0)
    }

    @Test func `a commit is returned once, and again after it failed`() {
        var tracker = OffsetTracker()
        #expect(tracker.begin(0) == .new)
        tracker.complete(0)
        #expect(tracker.beginCommit() == 1)
        #expect(tracker.beginCommit() == nil)
        tracker.forgetCommit()
        #expect(tracker.beginCommit() == 1)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `whatever the order of ends, the watermark never passes an open record`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var tracker = OffsetTracker()
        var open: Set<Int64> = []
        var next: Int64 = 0
        for _ in 0..<5000 {
            if open.count < 200, Bool.random(using: &random) || open.isEmpty {
                next += Int64.random(in: 1...3, using: &random)
                #expect(tracker.begin(next) == .new)
                open.insert(next)
            } else if let offset = open.randomElement(using: &random) {
                open.remove(offset)
                tracker.complete(offset)
            }
            #expect(tracker.openCount == open.count, "seed \(seed)")
            if let lowest = open.min() {
                #expect((tracker.watermark ?? 0) <= lowest, "seed \(seed)")
            }
        }
        for offset in open { tracker.complete(offset) }
        #expect(tracker.watermark == next + 1, "seed \(seed)")
    }
}
