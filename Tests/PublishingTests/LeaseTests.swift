import NewsflashPublishing
import Testing

/// A worker that was suspended may not own its partitions any more.
@Suite(.timeLimit(.minutes(1)))
struct LeaseTests {
    private let start = ContinuousClock.now

    @Test
    func `a loop that checks every second is sure of its partitions`() {
        var lease = Lease(sessionTimeout: .seconds(10), now: start)
        for second in 1...60 {
            let now = start + .seconds(second)
            let isHeld = lease.isHeld(now: now, confirmed: now - .seconds(2))
            #expect(isHeld)
        }
    }

    @Test
    func `after a suspension the lease does not hold until the membership is confirmed again`() {
        var lease = Lease(sessionTimeout: .seconds(10), now: start)
        let awake = start + .seconds(20)
        let looks = [(0, -20_000), (50, 0), (100, 80)].map { look, confirmed in
            lease.isHeld(now: awake + .milliseconds(look), confirmed: awake + .milliseconds(confirmed))
        }
        #expect(looks == [false, false, true])
    }

    @Test
    func `a membership that was not confirmed for a session has no effect`() {
        var lease = Lease(sessionTimeout: .seconds(10), now: start)
        let early = (1...8).map { lease.isHeld(now: start + .seconds($0), confirmed: start) }
        #expect(!early.contains(false))
        let late = [(9500, 0), (10_000, 9000), (11_000, 10_500)].map { look, confirmed in
            lease.isHeld(now: start + .milliseconds(look), confirmed: start + .milliseconds(confirmed))
        }
        #expect(late == [false, false, true])
    }
}
