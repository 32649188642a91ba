import NewsflashTimestamps
import Testing

@testable import NewsflashCurlTransport

/// The life of connections and the number of attempts, in virtual time.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionLifeTests {
    @Test func `a connection that is too old is closed before a request is sent on it`() {
        var desk = PoolHarness()
        #expect(desk.exchange("a") == ["open 0 to one", "a on 0"])
        for number in 1...6 {
            desk.now += .seconds(50)
            #expect(desk.exchange("b\(number)") == ["b\(number) on 0"])
        }

        desk.now += .seconds(1)

        #expect(desk.exchange("c") == ["close 0", "open 0 to one", "c on 0"])
    }

    @Test func `a connection that is too old is closed when it is returned`() {
        var desk = PoolHarness()
        desk.pool.append("a", origin: desk.one)
        _ = desk.decisions()
        #expect(desk.settle(0) == true)
        #expect(desk.decisions() == ["a on 0"])

        #expect(desk.settle(0, after: .seconds(301)) == false)

        #expect(desk.exchange("b") == ["open 0 to one", "b on 0"])
    }

    @Test(arguments: [(-1, 240), (0, 300), (1, 360)])
    func `ages differ by a fifth at most, so that connections do not all end together`(chance: Int, seconds: Int) {
        var desk = PoolHarness { Double(chance) }
        let start = desk.now
        _ = desk.exchange("a")
        while desk.now < start + .seconds(seconds - 30) {
            desk.now += .seconds(30)
            _ = desk.exchange("b")
        }

        desk.now = start + .seconds(seconds)
        #expect(desk.exchange("c") == ["c on 0"])
        desk.now += .nanoseconds(1)
        #expect(desk.exchange("d").first == "close 0")
    }

    @Test func `after a renewal no older connection is used again`() {
        var desk = PoolHarness(perOrigin: 3)
        for name in ["a", "b", "c"] { desk.pool.append(name, origin: desk.one) }
        _ = desk.decisions()
        desk.settle(0)
        desk.settle(1)
        #expect(desk.decisions() == ["a on 1", "b on 0"])
        desk.settle(1)
        #expect(desk.decisions() == ["c on 1"])
        desk.settle(1)
        desk.now += .milliseconds(1)

        // One is idle, one in use, one connecting.
        #expect(desk.pool.renew(origin: desk.one, now: desk.now) == [1])
        desk.pool.remove(slot: 1)
        #expect(desk.settle(0) == false)
        #expect(desk.settle(2) == false)

        #expect(desk.exchange("d").first == "open 2 to one")
        #expect(desk.exchange("e") == ["e on 2"])
    }

    @Test func `a renewal concerns one origin`() {
        var desk = PoolHarness()
        _ = desk.exchange("a")
        desk.now += .seconds(1)

        #expect(desk.pool.renew(origin: desk.other, now: desk.now).isEmpty)

        #expect(desk.exchange("b") == ["b on 0"])
    }

    @Test func `a request that was too late does not restart the idle time`() {
        var desk = PoolHarness()
        _ = desk.exchange("a")
        desk.now += .seconds(40)
        desk.pool.append("b", origin: desk.one)
        #expect(desk.decisions() == ["b on 0"])

        #expect(desk.pool.giveBack(slot: 0, now: desk.now) == true)

        desk.now += .seconds(21)
        #expect(desk.exchange("c").first == "close 0")
    }

    @Test(arguments: [(5, 5), (90, 60)])
    func `the idle time of the server counts if it is shorter than ours`(server: Int, seconds: Int) {
        var desk = PoolHarness()
        desk.pool.append("a", origin: desk.one)
        _ = desk.decisions()
        desk.settle(0)
        _ = desk.decisions()
        desk.settle(0, idleTime: .seconds(server))

        desk.now += .seconds(seconds)
        desk.pool.append("b", origin: desk.one)
        #expect(desk.decisions() == ["b on 0"])
        // The next answer has no such header.
        desk.settle(0)
        desk.now += .seconds(seconds) + .nanoseconds(1)
        desk.pool.append("c", origin: desk.one)
        #expect(desk.decisions().first == "close 0")
    }

    @Test func `the idle connections opened before a given time are counted`() {
        var desk = PoolHarness(perOrigin: 3)
        for name in ["a", "b"] { desk.pool.append(name, origin: desk.one) }
        _ = desk.decisions()
        let between = desk.now + .seconds(1)
        desk.settle(0)
        desk.settle(1)
        _ = desk.decisions()
        desk.settle(0, after: .seconds(2))
        for name in ["c", "d", "e"] { desk.pool.append(name, origin: desk.one) }
        #expect(desk.decisions() == ["c on 0", "open 2 to one"])
        for slot in [0, 2] { desk.settle(slot) }
        #expect(desk.decisions() == ["d on 2", "e on 0"])
        for slot in [2, 0, 1] { desk.settle(slot) }

        #expect(desk.pool.idleSlots(origin: desk.one, openedBefore: between) == [0, 1])
    }

    @Test func `one more connection is tried each second while none can be opened, within the limits`() {
        var desk = PoolHarness(perOrigin: 3)
        #expect(desk.pool.nextTry == nil)
        desk.pool.append("a", origin: desk.one)
        #expect(desk.decisions() == ["open 0 to one"])
        let start = desk.now
        #expect(desk.pool.nextTry == start + .seconds(1))

        desk.now = start + .milliseconds(999)
        #expect(desk.decisions().isEmpty)
        desk.now = start + .seconds(1)
        #expect(desk.decisions() == ["open 1 to one"])
        #expect(desk.pool.nextTry == start + .seconds(2))
        desk.now = start + .seconds(2)
        #expect(desk.decisions() == ["open 2 to one"])
        #expect(desk.pool.nextTry == nil)
        desk.now = start + .seconds(9)
        #expect(desk.decisions().isEmpty)

        desk.settle(2)
        #expect(desk.decisions() == ["a on 2"])
    }

    @Test func `no connection of another origin is closed for one more attempt`() {
        var desk = PoolHarness(perOrigin: 2, all: 2)
        _ = desk.exchange("a")
        desk.pool.append("x", origin: desk.other)
        #expect(desk.decisions() == ["open 1 to other"])

        desk.now += .seconds(2)

        #expect(desk.decisions().isEmpty)
        #expect(desk.pool.nextTry == nil)
    }

    @Test func `a failed connection ends no request that came after it`() {
        var desk = PoolHarness()
        desk.pool.append("a", origin: desk.one)
        #expect(desk.decisions() == ["open 0 to one"])
        desk.now += .seconds(1)
        #expect(desk.decisions() == ["open 1 to one"])
        #expect(desk.pool.openingFailed(slot: 0) == "a")
        desk.pool.append("b", origin: desk.one)

        #expect(desk.pool.openingFailed(slot: 1) == nil)

        #expect(desk.decisions() == ["open 1 to one"])
        #expect(desk.pool.openingFailed(slot: 1) == "b")
        #expect(desk.pool.openingFailed(slot: 1) == nil)
    }
}
