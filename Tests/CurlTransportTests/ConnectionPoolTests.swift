import NewsflashTimestamps
import Testing

@testable import NewsflashCurlTransport

@Suite(.timeLimit(.minutes(1)))
struct ConnectionPoolTests {
    @Test func `a connection is opened for each request, up to the limit of the origin`() {
        var desk = PoolHarness()
        for name in ["a", "b", "c"] { desk.pool.append(name, origin: desk.one) }

        #expect(desk.decisions() == ["open 0 to one", "open 1 to one"])
        #expect(desk.decisions().isEmpty)
        #expect(desk.pool.waitingCount == 3)
    }

    @Test func `the first ready connection serves the request that has waited longest`() {
        var desk = PoolHarness()
        for name in ["a", "b", "c"] { desk.pool.append(name, origin: desk.one) }
        _ = desk.decisions()

        desk.settle(1)
        #expect(desk.decisions() == ["a on 1"])
        desk.settle(1)
        #expect(desk.decisions() == ["b on 1"])
        desk.settle(0)
        #expect(desk.decisions() == ["c on 0"])
        #expect(desk.pool.waitingCount == 0)
    }

    @Test func `the connection used last is used first`() {
        var desk = PoolHarness(perOrigin: 3)
        for name in ["a", "b", "c"] { desk.pool.append(name, origin: desk.one) }
        _ = desk.decisions()
        for slot in 0..<3 { desk.settle(slot) }
        _ = desk.decisions()
        for slot in [2, 0, 1] { desk.settle(slot) }

        desk.pool.append("d", origin: desk.one)
        desk.pool.append("e", origin: desk.one)

        #expect(desk.decisions() == ["d on 1", "e on 0"])
    }

    @Test func `a connection that was idle too long is closed and another opened`() {
        var desk = PoolHarness()
        desk.pool.append("a", origin: desk.one)
        _ = desk.decisions()
        desk.settle(0)
        #expect(desk.decisions() == ["a on 0"])
        desk.settle(0)

        desk.now += .seconds(60)
        desk.pool.append("b", origin: desk.one)
        #expect(desk.decisions() == ["b on 0"])
        desk.settle(0)
        desk.now += .seconds(61)
        desk.pool.append("c", origin: desk.one)

        #expect(desk.decisions() == ["close 0", "open 0 to one"])
    }

    @Test func `the connection of another origin that was idle longest makes room`() {
        var desk = PoolHarness(perOrigin: 2, all: 2)
        for name in ["a", "b"] { desk.pool.append(name, origin: desk.one) }
        _ = desk.decisions()
        desk.settle(0)
        desk.settle(1)
        #expect(desk.decisions() == ["a on 1", "b on 0"])
        desk.pool.append("x", origin: desk.other)
        #expect(desk.decisions().isEmpty)

        desk.settle(1)
        desk.settle(0)

        #expect(desk.decisions() == ["close 1", "open 1 to other"])
        desk.settle(1)
        #expect(desk.decisions() == ["x on 1"])
    }

    @Test func `an origin without a connection goes before another with a steady backlog`() {
        var desk = PoolHarness(perOrigin: 1, all: 1)
        desk.pool.append("a", origin: desk.one)
        _ = desk.decisions()
        desk.settle(0)
        _ = desk.decisions()
        desk.pool.append("b", origin: desk.one)
        desk.pool.append("x", origin: desk.other)
        #expect(desk.decisions().isEmpty)

        // First in, first out, also between origins.
        desk.settle(0)
        #expect(desk.decisions() == ["b on 0"])
        desk.pool.append("c", origin: desk.one)
        desk.settle(0)
        #expect(desk.decisions() == ["close 0", "open 0 to other"])
        desk.settle(0)
        #expect(desk.decisions() == ["x on 0"])
        desk.settle(0)
        #expect(desk.decisions() == ["close 0", "open 0 to one"])
        desk.settle(0)
        #expect(desk.decisions() == ["c on 0"])
    }

    @Test func `a connection that failed leaves room for the next`() {
        var desk = PoolHarness(perOrigin: 1)
        for name in ["a", "b"] { desk.pool.append(name, origin: desk.one) }
        #expect(desk.decisions() == ["open 0 to one"])

        desk.pool.remove(slot: 0)
        #expect(desk.pool.popFirst(origin: desk.one) == "a")
        #expect(desk.decisions() == ["open 0 to one"])
        desk.settle(0)
        #expect(desk.decisions() == ["b on 0"])

        desk.pool.remove(slot: 0)
        desk.pool.prepend("b", origin: desk.one)
        desk.pool.append("c", origin: desk.one)
        #expect(desk.decisions() == ["open 0 to one"])
        desk.settle(0)
        #expect(desk.decisions() == ["b on 0"])
    }

    @Test func `requests that are removed are not served`() {
        var desk = PoolHarness(perOrigin: 1)
        for name in ["a", "b", "c", "d"] { desk.pool.append(name, origin: desk.one) }
        desk.pool.append("x", origin: desk.other)
        _ = desk.decisions()
        desk.settle(0)
        #expect(desk.decisions() == ["a on 0"])

        #expect(desk.pool.removeWaiting { ["b", "d", "x"].contains($0) } == ["b", "d", "x"])
        #expect(desk.pool.waitingCount == 1)
        desk.settle(0)
        #expect(desk.decisions() == ["c on 0"])
    }

    @Test func `origins without connections and requests are forgotten`() {
        var desk = PoolHarness()
        desk.pool.append("a", origin: desk.one)
        _ = desk.decisions()

        #expect(desk.pool.forgetUnusedOrigins() == [desk.other])
        #expect(desk.pool.addOrigin() == desk.other)
        desk.pool.remove(slot: 0)
        _ = desk.pool.popFirst(origin: desk.one)
        #expect(desk.pool.forgetUnusedOrigins() == [desk.one, desk.other])
    }

    @Test func `no limit is ever exceeded, and every request is served`() {
        var generator = SystemRandomNumberGenerator()
        var desk = PoolHarness(perOrigin: 3, all: 4)
        var states: [Int: (isOpen: Bool, origin: Int)] = [:]
        var served = 0
        for number in 0..<2000 {
            if number < 1000 {
                desk.pool.append("\(number)", origin: Bool.random(using: &generator) ? desk.one : desk.other)
            }
            while let action = desk.pool.next(now: desk.now) {
                switch action {
                case .open(let slot, let origin):
                    #expect(states[slot] == nil)
                    states[slot] = (false, origin)
                case .close(let slot): states[slot] = nil
                case .use(let slot, _):
                    #expect(states[slot]?.isOpen == true)
                    served += 1
                }
            }
            #expect(states.count <= 4)
            #expect(states.values.filter { $0.origin == desk.one }.count <= 3)
            for slot in states.keys.sorted() {
                states[slot]?.isOpen = true
                desk.settle(slot)
            }
        }
        #expect(served == 1000)
        #expect(desk.pool.waitingCount == 0)
    }
}
