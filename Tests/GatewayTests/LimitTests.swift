import NewsflashHTTPServer
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashGateway

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test func `a burst is accepted, then one request at a time`() {
        var table = RateTable<String>(rate: RequestRate(perSecond: 2, burst: 3))
        for _ in 0..<3 { #expect(table.consumeToken(of: "anna", now: start) == nil) }
        #expect(table.consumeToken(of: "anna", now: start) == .milliseconds(500))
        #expect(table.consumeToken(of: "bob", now: start) == nil)
        #expect(table.consumeToken(of: "anna", now: start + .milliseconds(500)) == nil)
        #expect(table.consumeToken(of: "anna", now: start + .milliseconds(500)) == .milliseconds(500))
    }

    @Test func `saved tokens do not exceed the burst`() {
        var table = RateTable<String>(rate: RequestRate(perSecond: 2, burst: 3))
        #expect(table.consumeToken(of: "anna", now: start) == nil)
        let later = start + .seconds(3600)
        for _ in 0..<3 { #expect(table.consumeToken(of: "anna", now: later) == nil) }
        #expect(table.consumeToken(of: "anna", now: later) != nil)
    }

    @Test func `a million keys use no more memory than the table has`() {
        var table = RateTable<Int>(rate: RequestRate(perSecond: 1, burst: 1), capacity: 1000)
        for key in 0..<1_000_000 { _ = table.consumeToken(of: key, now: start) }
        #expect(table.count <= 1000)
        #expect(table.consumeToken(of: 999_999, now: start) != nil)
    }

    @Test func `a look uses up no token`() {
        var table = RateTable<String>(rate: RequestRate(perSecond: 1, burst: 1))
        for _ in 0..<3 { #expect(table.wait("anna", now: start) == nil) }
        #expect(table.consumeToken(of: "anna", now: start) == nil)
        #expect(table.wait("anna", now: start) == .seconds(1))
    }

    @Test func `a returned token is available again, and the bucket does not overflow`() {
        var table = RateTable<String>(rate: RequestRate(perSecond: 1, burst: 2))
        #expect(table.isFull("anna", now: start))
        #expect(table.consumeToken(of: "anna", now: start) == nil)
        #expect(!table.isFull("anna", now: start))
        table.giveBack("anna", now: start)
        table.giveBack("anna", now: start)
        #expect(table.isFull("anna", now: start))
        for _ in 0..<2 { #expect(table.consumeToken(of: "anna", now: start) == nil) }
        #expect(table.consumeToken(of: "anna", now: start) != nil)
    }

    @Test func `if only this machine can connect, requests are limited only by explicit configuration`() throws {
        let anna = try #require(GatewayUser("anna"))
        let address = try #require(ClientAddress("127.0.0.1"))
        let local = GatewayLimits(.usual, isLocal: true)
        for _ in 0..<5000 {
            try local.count(address, now: start)
            #expect(local.wrongSignIns.countAttempt(of: nil, from: address, now: start) == nil)
            try local.count(anna, .notifySelf, isSender: false, now: start)
        }
        // Names are limited there too.
        for _ in 0..<10 { #expect(local.wrongSignIns.countAttempt(of: "anna", from: address, now: start) == nil) }
        #expect(local.wrongSignIns.countAttempt(of: "anna", from: address, now: start) != nil)
        let open = GatewayLimits(.usual, isLocal: false)
        for _ in 0..<100 { try open.count(anna, .readOutcome(event: "e"), isSender: false, now: start) }
        #expect(throws: GatewayRefusal.self) {
            try open.count(anna, .readOutcome(event: "e"), isSender: false, now: start)
        }
        for _ in 0..<500 { try open.count(address, now: start) }
        #expect(throws: GatewayRefusal.self) { try open.count(address, now: start) }
        var settings = GatewaySettings.usual
        settings.limits.perUser = .rate(perSecond: 1, burst: 5)
        let said = GatewayLimits(settings, isLocal: true)
        for _ in 0..<5 { try said.count(anna, .notifySelf, isSender: false, now: start) }
        #expect(throws: GatewayRefusal.self) { try said.count(anna, .notifySelf, isSender: false, now: start) }
    }

    @Test func `a trusted proxy enables the limits of an open server, and off disables each of them`() throws {
        var settings = GatewaySettings.usual
        settings.trustedProxies = [try #require(AddressRange("127.0.0.1"))]
        let address = try #require(ClientAddress("203.0.113.7"))
        let behind = GatewayLimits(settings, isLocal: true)
        for _ in 0..<500 { try behind.count(address, now: start) }
        #expect(throws: GatewayRefusal.self) { try behind.count(address, now: start) }
        let keys: [WritableKeyPath<GatewaySettings, GatewaySettings.Limit?>] = [
            \.limits.perUser, \.limits.perAddress, \.limits.wrongPerName, \.limits.wrongPerAddress,
            \.limits.sendsPerUser, \.limits.testsPerUser, \.limits.devicesPerUser,
        ]
        for key in keys { settings[keyPath: key] = .off }
        let off = GatewayLimits(settings, isLocal: false)
        let anna = try #require(GatewayUser("anna"))
        for call in [GatewayCall.notifySelf, .newRegistration(handle: nil), .putInstallation(id: "a")] {
            for _ in 0..<1000 {
                try off.count(address, now: start)
                try off.count(anna, call, isSender: false, now: start)
                #expect(off.wrongSignIns.countAttempt(of: "anna", from: address, now: start) == nil)
            }
        }
    }

    @Test(arguments: [
        (GatewayCall.notifySelf, 60, "send_rate"), (.newRegistration(handle: nil), 120, "device_rate"),
        (.putRegistration(id: "1-2-3"), 120, "device_rate"), (.putInstallation(id: "a"), 120, "device_rate"),
        (.patchInstallation(id: "a"), 120, "device_rate"),
    ])
    func `a user has a limit of messages and of devices`(call: GatewayCall, count: Int, label: String) throws {
        var settings = GatewaySettings.usual
        settings.limits.perUser = .off
        let limits = GatewayLimits(settings, isLocal: false)
        let (anna, bob) = (try #require(GatewayUser("anna")), try #require(GatewayUser("bob")))
        for _ in 0..<count { try limits.count(anna, call, isSender: false, now: start) }
        let refusal = #expect(throws: GatewayRefusal.self) {
            try limits.count(anna, call, isSender: false, now: start)
        }
        #expect(refusal?.label == label && refusal?.status == 429)
        try limits.count(bob, call, isSender: false, now: start)
        try limits.count(anna, .readOutcome(event: "e"), isSender: false, now: start)
    }

    @Test func `tests have a low limit, also for senders, whose messages have none`() throws {
        let limits = GatewayLimits(.usual, isLocal: false)
        let desk = try #require(GatewayUser("desk"))
        let test = GatewayCall.notify(platform: .apns, recipient: desk, isTest: true)
        for _ in 0..<5 { try limits.count(desk, test, isSender: true, now: start) }
        let refusal = #expect(throws: GatewayRefusal.self) { try limits.count(desk, test, isSender: true, now: start) }
        #expect(refusal?.label == "test_rate")
        var settings = GatewaySettings.usual
        settings.limits.perUser = .off
        let sender = GatewayLimits(settings, isLocal: false)
        for _ in 0..<1000 { try sender.count(desk, .notifySelf, isSender: true, now: start) }
    }

    @Test func `an assigned id is reserved for its user until its time is over`() throws {
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
