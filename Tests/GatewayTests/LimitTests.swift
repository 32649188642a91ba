import HTTPServer
import Testing
import Timestamps
import Worker

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test func `a burst is let through, then one at a time`() {
        var table = RateTable<String>(rate: RequestRate(perSecond: 2, burst: 3))
        for _ in 0..<3 { #expect(table.take("anna", now: start) == nil) }
        #expect(table.take("anna", now: start) == .milliseconds(500))
        #expect(table.take("bob", now: start) == nil)
        #expect(table.take("anna", now: start + .milliseconds(500)) == nil)
        #expect(table.take("anna", now: start + .milliseconds(500)) == .milliseconds(500))
    }

    @Test func `what was saved up does not grow beyond the burst`() {
        var table = RateTable<String>(rate: RequestRate(perSecond: 2, burst: 3))
        #expect(table.take("anna", now: start) == nil)
        let later = start + .seconds(3600)
        for _ in 0..<3 { #expect(table.take("anna", now: later) == nil) }
        #expect(table.take("anna", now: later) != nil)
    }

    @Test func `a million keys take no more memory than the table has`() {
        var table = RateTable<Int>(rate: RequestRate(perSecond: 1, burst: 1), capacity: 1000)
        for key in 0..<1_000_000 { _ = table.take(key, now: start) }
        #expect(table.count <= 1000)
        #expect(table.take(999_999, now: start) != nil)
    }

    @Test func `looking takes nothing`() {
        var table = RateTable<String>(rate: RequestRate(perSecond: 1, burst: 1))
        for _ in 0..<3 { #expect(table.wait("anna", now: start) == nil) }
        #expect(table.take("anna", now: start) == nil)
        #expect(table.wait("anna", now: start) == .seconds(1))
    }

    @Test func `where only this machine can ask, requests are counted only as the configuration says`() throws {
        let anna = try #require(GatewayUser("anna"))
        let address = try #require(ClientAddress("127.0.0.1"))
        let local = GatewayLimits(.usual, isLocal: true)
        for _ in 0..<5000 {
            try local.count(address, now: start)
            local.countWrongSignIn(address, now: start)
            try local.count(anna, now: start)
        }
        let open = GatewayLimits(.usual, isLocal: false)
        for _ in 0..<100 { try open.count(anna, now: start) }
        #expect(throws: GatewayRefusal.self) { try open.count(anna, now: start) }
        for _ in 0..<500 { try open.count(address, now: start) }
        #expect(throws: GatewayRefusal.self) { try open.count(address, now: start) }
        var settings = GatewaySettings.usual
        settings.requestsPerUser = 1
        let said = GatewayLimits(settings, isLocal: true)
        for _ in 0..<5 { try said.count(anna, now: start) }
        #expect(throws: GatewayRefusal.self) { try said.count(anna, now: start) }
    }

    @Test func `an id that was given out is its user's until its time is over`() throws {
        let anna = try #require(GatewayUser("anna"))
        let bob = try #require(GatewayUser("bob"))
        let issued = IssuedIDs(capacity: 4, life: .seconds(10))
        issued.issue("1-2-3", to: anna, now: start)
        #expect(issued.claim(on: "1-2-3", by: anna, now: start) == .own)
        #expect(issued.claim(on: "1-2-3", by: bob, now: start) == .others)
        #expect(issued.claim(on: "1-2-4", by: bob, now: start) == .unknown)
        #expect(issued.claim(on: "1-2-3", by: anna, now: start + .seconds(10)) == .unknown)
        issued.forget("1-2-3")
        #expect(issued.claim(on: "1-2-3", by: bob, now: start) == .unknown)
    }
}
