import NewsflashHTTPTransport
import NewsflashHubEmulator
import NotificationHubs
import Testing

/// The tutorial "Notify users", sentence by sentence, over HTTP.
@Suite(.timeLimit(.minutes(1)))
struct NotifyUsersTests {
    private let handle = "00FC13ADFF78512200FC13ADFF78512200FC13ADFF78512200FC13ADFF785122"

    @Test func `an id is returned as a JSON string in quotes`() async throws {
        try await GatewayRig.run { rig in
            let answer = try await rig.ask("POST", "/api/register?handle=\(handle)", as: "anna")
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] == "application/json")
            #expect(answer.text.wholeMatch(of: /"[0-9]+-[0-9]+-[0-9]+"/) != nil)
        }
    }

    @Test func `other registrations with the handle are removed, whoever owns them`() async throws {
        try await GatewayRig.run { rig in
            let hub = try rig.hubClient()
            let first = try await rig.register("anna", handle: handle)
            let second = try await hub.createRegistration(
                RegistrationDescription(channel: .apns(deviceToken: handle), tags: [Tag("World")])
            ).id
            let other = try await rig.register("anna", platform: "gcm", handle: "another-device")
            let answer = try await rig.ask("POST", "/api/register?handle=\(handle)", as: "bob")
            #expect(answer.status == 200)
            #expect(try await hub.registration(first) == nil)
            #expect(try await hub.registration(second) == nil)
            #expect(try await hub.registration(other) != nil)
        }
    }

    @Test func `a user with a registration for the handle gets its id again`() async throws {
        try await GatewayRig.run { rig in
            let id = try await rig.register("anna", handle: handle, tags: ["Sports"])
            let answer = try await rig.ask("POST", "/api/register?handle=\(handle.lowercased())", as: "anna")
            #expect(answer.text == "\"\(id)\"")
            let kept = try await rig.hubClient().registration(id)
            #expect(kept?.description.tags.map(\.description) == ["Sports", "username:anna"])
        }
    }

    @Test(arguments: [
        ("apns", "00FC13ADFF785122", "apns"), ("gcm", "gcm-1:APA91b_x", "gcm"), ("fcmv1", "fcm-1:APA91b_x", "fcmv1"),
        ("wns", "https://db3.notify.windows.com/?token=AgYA%2b", "wns"), ("fcmV1", "fcm-2", "fcmv1"),
        ("adm", "amzn1.adm-registration.v2.x", "adm"),
    ])
    func `a registration gets its tags and the tag of its user`(platform: String, handle: String, kept: String)
        async throws
    {
        try await GatewayRig.run { rig in
            let query = PercentEncodedHandle(handle).text
            let created = try await rig.ask("POST", "/api/register?handle=\(query)", as: "anna")
            let id = String(created.text.dropFirst().dropLast())
            let body = #"{"Platform":"\#(platform)","Handle":"\#(handle)","Tags":["Sports","World"]}"#
            let answer = try await rig.ask("PUT", "/api/register/\(id)", as: "anna", body)
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            let registration = try #require(try await rig.hubClient().registration(id))
            #expect(registration.description.tags.map(\.description) == ["Sports", "World", "username:anna"])
            #expect(registration.description.channel.platform.rawValue == kept)
            #expect(registration.description.channel.handle == handle)
            // It is found again by its handle.
            let again = try await rig.ask("POST", "/api/register?handle=\(query)", as: "anna")
            #expect(again.text == "\"\(id)\"")
        }
    }

    @Test func `a registration that the hub reports as gone is gone, and both steps create it again`() async throws {
        try await GatewayRig.run { rig in
            let id = try await rig.register("anna", handle: handle)
            rig.hub.setFaults([try fault(status: 410, operation: "registrations", count: 2)])
            let body = #"{"Platform":"apns","Handle":"\#(handle)","Tags":[]}"#
            let answer = try await rig.ask("PUT", "/api/register/\(id)", as: "anna", body)
            #expect(answer.status == 410)
            #expect(answer.text.contains(#""error":"gone""#))
            rig.hub.setFaults([])
            try await rig.register("anna", handle: handle)
        }
    }

    @Test(arguments: [
        ("apns", PushFormat.apple, #"{"aps":{"alert":"From bob: Hi \"you\" & <b>"}}"#),
        ("gcm", .gcm, #"{"data":{"message":"From bob: Hi \"you\" & <b>"}}"#),
        (
            "fcmv1", .fcmv1,
            #"{"message":{"notification":{"body":"From bob: Hi \"you\" & <b>"},"#
                + #""data":{"message":"From bob: Hi \"you\" & <b>"}}}"#
        ),
        ("APNS", .apple, #"{"aps":{"alert":"From bob: Hi \"you\" & <b>"}}"#),
        (
            "wns", .windows,
            #"<toast><visual><binding template="ToastText01"><text id="1">From bob: Hi "you" &amp; &lt;b&gt;</text>"#
                + "</binding></visual></toast>"
        ),
    ])
    func `a message from user to user is native and begins with its sender`(
        pns: String,
        format: PushFormat,
        body: String
    ) async throws {
        try await GatewayRig.run { rig in
            let answer = try await rig.ask(
                "POST",
                "/api/notifications?pns=\(pns)&to_tag=anna",
                as: "bob",
                #""Hi \"you\" & <b>""#
            )
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            let send = try #require(rig.hub.sends.first)
            #expect(send.format == format)
            #expect(String(decoding: send.body, as: UTF8.self) == body)
            #expect(send.expression?.description == "username:anna")
            #expect(rig.hub.sends.count == 1)
        }
    }

    @Test func `only devices of the recipient get a message`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: "AA")
            try await rig.register("bob", handle: "BB")
            let answer = try await rig.ask("POST", "/api/notifications?pns=apns&to_tag=anna", as: "bob", #""Hi""#)
            #expect(answer.status == 200)
            #expect(rig.hub.settledDeliveries.map(\.handle) == ["AA"])
        }
    }

    @Test(arguments: [nil, #""All of mine""#])
    func `without parameters a message goes to the sender's own devices on all platforms`(body: String?) async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: "AA")
            try await rig.register("anna", platform: "gcm", handle: "g")
            try await rig.register("anna", platform: "fcmv1", handle: "f")
            try await rig.register("anna", platform: "wns", handle: "https://w/")
            try await rig.register("bob", handle: "BB")
            let answer = try await rig.ask("POST", "/api/notifications", as: "anna", body)
            #expect(answer.status == 200)
            #expect(Set(rig.hub.settledDeliveries.map(\.handle)) == ["AA", "g", "f", "https://w/"])
            let words = body == nil ? "From anna: Hello" : "From anna: All of mine"
            #expect(rig.hub.sends.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains(words) })
        }
    }

    @Test func `a test to the user's own devices returns the hub's outcome, another does not`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: "AA")
            let path = "/api/notifications?pns=apns&to_tag=anna&test"
            let own = try await rig.ask("POST", path, as: "anna", #""Hi""#)
            #expect(own.status == 200)
            #expect(own.headers["Content-Type"] == "application/xml; charset=utf-8")
            #expect(own.text.contains("<NotificationOutcome") && own.text.contains("<Success>1</Success>"))
            let others = try await rig.ask("POST", path, as: "bob", #""Hi""#)
            #expect(others.status == 403)
            #expect(!others.text.contains("AA"))
        }
    }

    @Test func `a user can delete a registration once`() async throws {
        try await GatewayRig.run { rig in
            let id = try await rig.register("anna", handle: handle)
            #expect(try await rig.ask("DELETE", "/api/register/\(id)", as: "anna").status == 200)
            #expect(try await rig.hubClient().registration(id) == nil)
            #expect(try await rig.ask("DELETE", "/api/register/\(id)", as: "anna").status == 404)
        }
    }

    private func fault(status: Int, operation: String, count: Int) throws -> Fault {
        let scope = #""operations": ["registration"], "requests": ["PUT /newsroom/\#(operation)"]"#
        let json = #"{"status": \#(status), \#(scope), "count": \#(count)}"#
        return try #require(try FaultReader.read(Array(json.utf8)).requests.first)
    }
}

/// A handle encoded for a query.
private struct PercentEncodedHandle {
    let text: String

    init(_ handle: String) {
        text = PercentEncoding.encode(handle)
    }
}
