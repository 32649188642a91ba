import Dispatch
import NewsflashBasics
import NewsflashHTTPServer
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashGateway

@Suite("Wrong sign-ins", .timeLimit(.minutes(1)))
struct WrongSignInTests {
    private let start = Instant(nanoseconds: 1_000_000_000)
    private let here = ClientAddress("203.0.113.1")
    private let there = ClientAddress("203.0.113.2")
    private let limits = WrongSignIns(
        perName: RequestRate(perSecond: 1.0 / 6, burst: 10),
        perAddress: RequestRate(perSecond: 5, burst: 30)
    )

    @Test func `a guesser does not block users at other addresses`() {
        for _ in 0..<10 { #expect(limits.countAttempt(of: "desk", from: here, now: start) == nil) }
        #expect(limits.countAttempt(of: "desk", from: here, now: start) == .seconds(6))
        #expect(limits.countAttempt(of: "desk", from: there, now: start) == nil)
        #expect(limits.countAttempt(of: "anna", from: here, now: start) == nil)
    }

    @Test func `an address has a limit over all names`() {
        for name in 0..<30 { #expect(limits.countAttempt(of: "user\(name)", from: here, now: start) == nil) }
        #expect(limits.countAttempt(of: "user30", from: here, now: start) == .milliseconds(200))
        // The name is not charged for attempts that the address does not get.
        for _ in 0..<20 { #expect(limits.countAttempt(of: "user31", from: here, now: start) == .milliseconds(200)) }
        let later = start + .seconds(1)
        for _ in 0..<5 { #expect(limits.countAttempt(of: "user31", from: here, now: later) == nil) }
        #expect(limits.countAttempt(of: "anna", from: there, now: start) == nil)
    }

    @Test func `a returned attempt was not wrong`() {
        for _ in 0..<100 {
            #expect(limits.countAttempt(of: "anna", from: here, now: start) == nil)
            limits.giveBack("anna", from: here, now: start)
        }
        #expect(!limits.isSuspect("anna", from: here, now: start))
    }

    @Test func `a client with a wrong guess is suspect until the attempts are refilled`() {
        #expect(!limits.isSuspect("anna", from: here, now: start))
        _ = limits.countAttempt(of: "anna", from: here, now: start)
        #expect(limits.isSuspect("anna", from: here, now: start))
        #expect(limits.isSuspect("bob", from: here, now: start))
        #expect(!limits.isSuspect("anna", from: there, now: start))
        #expect(!limits.isSuspect("anna", from: here, now: start + .seconds(7)))
    }

    @Test func `a refused attempt is not charged, and its address is suspect for a minute`() {
        for _ in 0..<20 {
            #expect(limits.countAttempt(of: "desk", from: here, now: start) == nil)
            limits.turnAway("desk", from: here, now: start)
        }
        #expect(limits.isSuspect("anna", from: here, now: start + .seconds(59)))
        #expect(!limits.isSuspect("anna", from: here, now: start + .seconds(60)))
        #expect(!limits.isSuspect("desk", from: there, now: start))
    }

    @Test func `an IPv6 address counts as its network of 64 bits`() {
        for host in 0..<10 {
            #expect(limits.countAttempt(of: "desk", from: ClientAddress("2001:db8::\(host)"), now: start) == nil)
        }
        #expect(limits.countAttempt(of: "desk", from: ClientAddress("2001:db8::ffff"), now: start) != nil)
        #expect(limits.countAttempt(of: "desk", from: ClientAddress("2001:db8:0:1::1"), now: start) == nil)
    }
}

@Suite("The queue of hashes", .timeLimit(.minutes(1)))
struct HashingQueueTests {
    /// A job that runs until it is released.
    private final class Held: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        let hasBegun = Locked(false)

        func release() { gate.signal() }

        func block() {
            hasBegun.withLock { $0 = true }
            _ = gate.wait(timeout: .now() + 30)
        }
    }

    private final class Order: Sendable {
        let done = Locked<[Int]>([])
    }

    private func begun(_ held: Held) async throws {
        try await waitUntil { held.hasBegun.withLock { $0 } }
    }

    @Test func `suspects leave a thread for others`() async throws {
        let queue = HashingQueue(maximumRunning: 2, maximumWaiting: 8)
        let (first, second) = (Held(), Held())
        async let suspect: Void? = queue.run(isSuspect: true) { first.block() }
        try await begun(first)
        async let other: Void? = queue.run(isSuspect: true) { second.block() }
        // If the second suspect were on the free thread, this would wait for it without end.
        let right = await queue.run(isSuspect: false) { 7 }
        #expect(right == 7)
        #expect(!second.hasBegun.withLock { $0 })
        first.release()
        second.release()
        #expect(await suspect != nil)
        #expect(await other != nil)
    }

    @Test func `the oldest suspect of many waiting jobs is dropped, and others are kept`() async throws {
        let queue = HashingQueue(maximumRunning: 2, maximumWaiting: 2)
        let held = [Held(), Held()]
        let order = Order()
        try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for (index, held) in held.enumerated() {
                group.addTask { (-1 - index, await queue.run(isSuspect: index == 0) { held.block() } != nil) }
                try await begun(held)
            }
            var results: [Int: Bool] = [:]
            for (number, isSuspect) in [(0, false), (1, true), (2, true), (3, false)] {
                group.addTask {
                    (number, await queue.run(isSuspect: isSuspect) { order.done.withLock { $0.append(number) } } != nil)
                }
                // One after another, because jobs beyond the bound are dropped at once.
                try await waitUntil { queue.waitingCount >= min(number + 1, 2) }
                if number >= 2 {
                    let dropped = try await group.next()
                    if let dropped { results[dropped.0] = dropped.1 }
                }
            }
            #expect(results == [1: false, 2: false])
            for held in held { held.release() }
            for try await (number, isDone) in group { results[number] = isDone }
            #expect(results == [-1: true, -2: true, 0: true, 1: false, 2: false, 3: true])
        }
        #expect(order.done.withLock { $0.sorted() } == [0, 3])
    }
}
