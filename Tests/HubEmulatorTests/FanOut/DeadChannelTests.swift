import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("handles that no longer exist", .timeLimit(.minutes(1)))
struct DeadChannelTests {
    private static func entry(_ token: String) -> String {
        """
        <AppleRegistrationDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
        <Tags>world</Tags><DeviceToken>\(token)</DeviceToken></AppleRegistrationDescription>
        """
    }

    @Test(arguments: ["BadChannel", "ExpiredChannel", "WrongToken"])
    func `the registrations of a dead handle are removed when the first send to it fails`(outcome: String) throws {
        let desk = try Desk()
        for token in ["AB01", "AB02"] {
            #expect(desk.device("POST", "registrations", body: Self.entry(token)).status == 200)
        }
        desk.hub.setFaults([], deliveries: [DeliveryFault(outcome: outcome, handle: "AB01")])
        #expect(try desk.alert().map(\.outcome.rawValue) == [outcome, "Success"])
        #expect(try desk.alert().map(\.handle) == ["AB02"])
        #expect(desk.inspect("GET", "hub").text.contains(#""registrations":1"#))
    }

    @Test(arguments: ["Throttled", "PnsUnavailable", "Dropped", "InvalidCredentials"])
    func `a temporary outcome does not remove the registration`(outcome: String) throws {
        let desk = try Desk()
        desk.install("phone")
        desk.hub.setFaults([], deliveries: [DeliveryFault(outcome: outcome)])
        for _ in 0..<2 { desk.send() }
        #expect(desk.hub.settledDeliveries.count == 2)
        #expect(desk.device("GET", "installations/phone").text.contains(#""pushChannelExpired":false"#))
    }

    @Test(arguments: ["tags", "test", "direct"])
    func `an installation is marked with an expired channel until it gets another`(kind: String) throws {
        let desk = try Desk()
        desk.install("phone", tags: ["world"], handle: "AB01")
        desk.install("other", tags: ["world"], handle: "AB02")
        desk.hub.setFaults([], deliveries: [DeliveryFault(outcome: "ExpiredChannel", handle: "AB01")])
        switch kind {
        case "direct":
            let message = try HubMessage.native(format: .apple, body: Array(#"{"aps":{}}"#.utf8))
            #expect(try desk.send(message, to: .devices(["AB01", "AB02"])).status == 201)
        default: desk.send(tags: "world", flags: kind == "test" ? "&test" : "")
        }
        desk.hub.settle()
        desk.hub.setFaults([])
        #expect(desk.device("GET", "installations/phone").text.contains(#""pushChannelExpired":true"#))
        #expect(desk.device("GET", "installations/other").text.contains(#""pushChannelExpired":false"#))
        #expect(desk.inspect("GET", "hub").text.contains(#""registrations":2,"installations":2"#))
        desk.hub.reset()
        desk.send(tags: "world")
        #expect(desk.readers == ["other"])

        func patch(_ path: String, _ value: String) -> Int {
            let body = #"[{"op":"replace","path":"/\#(path)","value":"\#(value)"}]"#
            return desk.device("PATCH", "installations/phone", body: body).status
        }
        #expect(patch("tags", "sports") == 200)
        #expect(desk.device("GET", "installations/phone").text.contains(#""pushChannelExpired":true"#))
        #expect(desk.inspect("GET", "hub").text.contains(#""registrations":2"#))
        #expect(patch("pushChannel", "AB03") == 200)
        #expect(desk.device("GET", "installations/phone").text.contains(#""pushChannelExpired":false"#))
        desk.send(tags: "sports")
        #expect(desk.readers == ["other", "phone"])
    }

    @Test func `the removal of a registration is stored`() async throws {
        let folder = try TemporaryFolder()
        let first = try Desk()
        try first.hub.keepDevices(in: folder.path)
        first.install("phone")
        #expect(first.device("POST", "registrations", body: Self.entry("AB01")).status == 200)
        first.hub.setFaults([], deliveries: [DeliveryFault(outcome: "WrongToken")])
        #expect(try first.alert().count == 2)
        let phone = first.device("GET", "installations/phone").text
        #expect(phone.contains(#""pushChannelExpired":true"#))
        await first.hub.stop()
        let second = try Desk()
        #expect(try second.hub.keepDevices(in: folder.path) == (0, 1))
        #expect(second.device("GET", "installations/phone").text == phone)
        await second.hub.stop()
    }
}

extension Desk {
    /// Sends a native message to all Apple devices.
    ///
    /// - Returns: The deliveries of this send.
    fileprivate func alert() throws -> [Delivery] {
        let message = try HubMessage.native(format: .apple, body: Array(#"{"aps":{}}"#.utf8))
        #expect(try send(message, to: .broadcast).status == 201)
        let last = hub.sends.last?.sequence
        return hub.settledDeliveries.filter { $0.send == last }
    }
}
