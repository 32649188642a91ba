import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// A maximum count per time interval.
@Suite(.timeLimit(.minutes(1)))
struct RateWindowTests {
    private static let start = Instant(nanoseconds: 1_800_000_000_000)
    private let twice = Rate(2, per: .seconds(600))

    private func at(_ seconds: Int) -> Instant { Self.start + .seconds(seconds) }

    @Test
    func `a third push within ten minutes exceeds the rate until the first is ten minutes old`() {
        var window = RateWindow(twice)
        #expect(!window.isFull(at: at(0)))
        window.record(at: at(0))
        #expect(!window.isFull(at: at(60)))
        window.record(at: at(60))
        #expect(window.isFull(at: at(60)))
        #expect(window.isFull(at: at(600) - .milliseconds(1)))
        #expect(!window.isFull(at: at(600)))
        window.record(at: at(600))
        #expect(window.isFull(at: at(659)))
        #expect(!window.isFull(at: at(660)))
    }

    @Test
    func `a push beyond the rate replaces the oldest one`() {
        var window = RateWindow(twice)
        for second in [0, 100, 200] { window.record(at: at(second)) }
        #expect(Array(window.latest) == [at(100), at(200)])
        #expect(window.isFull(at: at(699)))
        #expect(!window.isFull(at: at(700)))
    }

    @Test
    func `a late push is inserted by its time, and one that is too old is not kept`() {
        var window = RateWindow(Rate(3, per: .seconds(600)))
        for second in [500, 100, 300] { window.record(at: at(second)) }
        #expect(Array(window.latest) == [at(100), at(300), at(500)])
        window.record(at: at(50))
        #expect(Array(window.latest) == [at(100), at(300), at(500)])
        window.record(at: at(950))
        #expect(Array(window.latest) == [at(500), at(950)])
    }

    @Test
    func `a window restored from its kept times decides the same`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let rate = Rate(Int.random(in: 1...8, using: &generator), per: .seconds(100))
            var window = RateWindow(rate)
            var all: [Instant] = []
            var now = Self.start
            for _ in 0..<200 {
                now = now + .seconds(Int.random(in: 0...40, using: &generator))
                let recent = all.filter { $0 > now - rate.per }
                #expect(window.isFull(at: now) == (recent.count >= rate.count))
                #expect(window.latest.count <= rate.count)
                if Bool.random(using: &generator) { window = RateWindow(rate, window.latest.reversed()) }
                guard Bool.random(using: &generator) else { continue }
                window.record(at: now)
                all.append(now)
            }
        }
    }

    @Test
    func `a window keeps at most the count of its rate`() {
        var window = RateWindow(Rate(100, per: .seconds(3600)))
        for number in 0..<100_000 { window.record(at: at(0) + .milliseconds(number)) }
        #expect(window.latest.count == 100)
        #expect(window.latest.startIndex <= 101)
        #expect(window == RateWindow(window.rate, window.latest))
        #expect(window != RateWindow(Rate(99, per: .seconds(3600)), window.latest))
    }

    @Test
    func `a rate of zero becomes a rate of one`() {
        #expect(Rate(0, per: .seconds(1)) == Rate(1, per: .seconds(1)))
    }

    @Test
    func `a cap covers its category, or all categories`() {
        let sports = AudibleLimit(category: "sports", rate: twice, scope: .story)
        #expect(sports.covers("sports"))
        #expect(!sports.covers("world"))
        #expect(AudibleLimit(category: nil, rate: twice).covers("world"))
    }
}
