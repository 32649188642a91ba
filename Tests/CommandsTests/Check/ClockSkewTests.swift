import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct ClockSkewTests {
    private let skew = ClockSkew(hub: "main", tolerance: .seconds(300))
    private let theirs = Timestamp(seconds: 1_800_000_000)

    @Test(arguments: [0, 1, 5, -5])
    func `clocks agree within the precision of whole seconds`(seconds: Int) {
        let fact = skew.fact(ours: theirs + .seconds(seconds), theirs: theirs, within: .milliseconds(20))
        #expect(fact.status == .ok)
    }

    @Test func `a clock difference is advice, and a problem if it makes the hub refuse valid events`() {
        let slow = skew.fact(ours: theirs - .seconds(60), theirs: theirs, within: .milliseconds(20))
        #expect(slow.status == .advice)
        #expect(slow.code == .clockSkew)
        #expect(slow.message.hasPrefix("this machine's clock is 61 s behind the clock of hub main: synchronise"))
        let fast = skew.fact(ours: theirs + .seconds(400), theirs: theirs, within: .milliseconds(20))
        #expect(fast.status == .problem(.refused))
        #expect(fast.message.contains("400 s ahead of the clock of hub main, more than policy.clockSkew"))
    }

    @Test func `a slow answer proves no clock difference and makes no fact`() {
        let fact = skew.fact(ours: theirs + .seconds(14), theirs: theirs, within: .seconds(20))
        #expect(fact.status == .ok)
    }
}
