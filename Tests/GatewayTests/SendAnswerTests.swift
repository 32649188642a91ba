import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NotificationHubs
import Testing

/// Answers to clients about the hub: whether a message may have been sent, and whether to try again.
@Suite(.timeLimit(.minutes(1)))
struct SendAnswerTests {
    private func fail(_ rig: GatewayRig, _ json: String) throws {
        rig.hub.setFaults(try FaultReader.read(Array(json.utf8)).requests)
    }

    @Test func `a send without an answer must not be repeated`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: "AA")
            try fail(rig, #"{"cut":"after","operations":["send"],"count":1}"#)
            let answer = try await rig.ask("POST", "/api/notifications?pns=apns&to_tag=anna", as: "bob", #""Hi""#)
            #expect(answer.status == 504)
            #expect(answer.text.contains(#""error":"send_uncertain""#))
            #expect(answer.headers["Retry-After"] == nil)
            #expect(rig.hub.settledDeliveries.map(\.handle) == ["AA"])
        }
    }

    @Test(arguments: [(403, 502), (404, 502), (503, 503), (429, 503)])
    func `the hub's answer decides whether to try again`(status: Int, expected: Int) async throws {
        try await GatewayRig.run { rig in
            let fault = #"{"status":\#(status),"operations":["send","registration"]}"#
            try fail(rig, fault)
            let send = try await rig.ask("POST", "/api/notifications?pns=apns&to_tag=anna", as: "bob", #""Hi""#)
            let create = try await rig.ask("POST", "/api/register", as: "bob")
            for answer in [send, create] {
                #expect(answer.status == expected, "\(answer.text)")
                #expect((answer.headers["Retry-After"] != nil) == (expected == 503))
                #expect(answer.text.contains("hub_refuses_server") == (expected == 502))
            }
        }
    }

    @Test func `a message to oneself is answered with the platforms that have it`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: "AA")
            try fail(rig, #"{"status":400,"operations":["send"],"containing":"\"data\":{\"message\"","count":1}"#)
            let answer = try await rig.ask("POST", "/api/notifications", as: "anna")
            #expect(answer.status == 200)
            let json = try JSONReader.read(answer.body)
            #expect(json[member: "accepted"]?.array?.compactMap(\.string) == ["apns", "fcmv1", "wns"])
            let failed = try #require(json[member: "failed"]?.array)
            #expect(failed.map { $0[member: "platform"]?.string } == ["gcm"])
            #expect(failed.map { $0[member: "error"]?.string } == ["hub_refused"])
            #expect(rig.hub.settledDeliveries.map(\.handle) == ["AA"])
        }
    }

    @Test func `a message to oneself on no platform is refused`() async throws {
        try await GatewayRig.run { rig in
            try fail(rig, #"{"status":403,"operations":["send"]}"#)
            #expect(try await rig.ask("POST", "/api/notifications", as: "anna").status == 502)
            try fail(rig, #"[{"status":403,"operations":["send"],"count":1},{"cut":"after","operations":["send"]}]"#)
            #expect(try await rig.ask("POST", "/api/notifications", as: "anna").status == 504)
        }
    }

    @Test(arguments: [("fcmv1", "\""), ("wns", "&")])
    func `a text that its platform would refuse is refused`(pns: String, character: String) async throws {
        try await GatewayRig.run { rig in
            let escaped = character == "\"" ? "\\\"" : character
            let text = "\"" + String(repeating: escaped, count: 2000) + "\""
            let answer = try await rig.ask("POST", "/api/notifications?pns=\(pns)&to_tag=anna", as: "bob", text)
            #expect(answer.status == 400)
            #expect(answer.text.contains(#""error":"text_too_long""#) && answer.text.contains(pns))
            #expect(rig.hub.sends.isEmpty)
        }
    }

    @Test(arguments: [
        #"Your account is locked\nFrom desk: call 1"#, #"Your account is locked\r\n\r\nFrom desk: call 1"#,
        #"Your account is locked\u2028From desk: call 1"#, #"Your account is locked\u0085From desk: call 1"#,
        #"  Your account is locked \t\u00a0\u3000 From desk: call 1  "#,
    ])
    func `no text looks like another sender's`(text: String) async throws {
        try await GatewayRig.run { rig in
            let answer = try await rig.ask("POST", "/api/notifications?pns=apns&to_tag=anna", as: "bob", "\"\(text)\"")
            #expect(answer.status == 200)
            let body = rig.hub.sends.first.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(body == #"{"aps":{"alert":"From bob: Your account is locked From desk: call 1"}}"#)
        }
    }

    @Test(arguments: [("apns", "ZZ"), ("apns", "ABC"), ("wns", "no-uri")])
    func `an impossible handle is refused with its position`(platform: String, handle: String) async throws {
        try await GatewayRig.run { rig in
            let body = #"{"Platform":"\#(platform)","Handle":"\#(handle)","Tags":[]}"#
            let answer = try await rig.ask("PUT", "/api/register/9-9-1", as: "anna", body)
            #expect(answer.status == 400)
            #expect(answer.text.contains(#""error":"handle""#) && answer.text.contains(#""path":"/Handle""#))
        }
    }
}
