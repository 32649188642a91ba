import NewsflashHTTPTransport
import NewsflashStrictJSON
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OwnershipTests {
    @Test func `another user's registration can be neither written nor deleted`() async throws {
        try await GatewayRig.run { rig in
            let id = try await rig.register("anna", handle: "AA", tags: ["Sports"])
            let body = #"{"Platform":"apns","Handle":"BB","Tags":[]}"#
            #expect(try await rig.ask("PUT", "/api/register/\(id)", as: "bob", body).status == 403)
            #expect(try await rig.ask("DELETE", "/api/register/\(id)", as: "bob").status == 403)
            let kept = try #require(try await rig.hubClient().registration(id))
            #expect(kept.description.channel == .apns(deviceToken: "AA"))
            #expect(kept.description.tags.map(\.description) == ["Sports", "username:anna"])
        }
    }

    @Test func `an id belongs to its user before anything is written under it`() async throws {
        try await GatewayRig.run { rig in
            let created = try await rig.ask("POST", "/api/register?handle=AA", as: "anna")
            let id = String(created.text.dropFirst().dropLast())
            let body = #"{"Platform":"apns","Handle":"AA","Tags":[]}"#
            #expect(try await rig.ask("PUT", "/api/register/\(id)", as: "bob", body).status == 403)
            #expect(try await rig.ask("PUT", "/api/register/\(id)", as: "anna", body).status == 200)
        }
    }

    @Test func `a registration without a user belongs to the user who writes it`() async throws {
        try await GatewayRig.run { rig in
            let hub = try rig.hubClient()
            let id = try await hub.createRegistration(RegistrationDescription(channel: .apns(deviceToken: "AA"))).id
            let body = #"{"Platform":"apns","Handle":"AA","Tags":[]}"#
            #expect(try await rig.ask("PUT", "/api/register/\(id)", as: "anna", body).status == 200)
            let other = body.replacing("AA", with: "BB")
            #expect(try await rig.ask("PUT", "/api/register/\(id)", as: "bob", other).status == 403)
        }
    }

    @Test func `an installation gets its user and tag from the server, and neither tag is returned`() async throws {
        try await GatewayRig.run { rig in
            let body = #"{"installationId":"phone-1","platform":"apns","pushChannel":"AA","tags":["Sports"]}"#
            #expect(try await rig.ask("PUT", "/api/installations/phone-1", as: "anna", body).status == 200)
            let kept = try #require(try await rig.hubClient().installation("phone-1"))
            #expect(kept.userID == "anna")
            #expect(kept.tags.map(\.description) == ["Sports", "username:anna"])
            let shown = try await rig.ask("GET", "/api/installations/phone-1", as: "anna")
            #expect(shown.status == 200)
            let json = try JSONReader.read(shown.body)
            #expect(json[member: "tags"]?.array?.compactMap(\.string) == ["Sports"])
            // A returned installation may be sent back.
            #expect(try await rig.ask("PUT", "/api/installations/phone-1", as: "anna", shown.text).status == 200)
            for method in ["GET", "DELETE"] {
                #expect(try await rig.ask(method, "/api/installations/phone-1", as: "bob").status == 403)
            }
            let other = body.replacing("AA", with: "BB")
            let theirs = try await rig.ask("PUT", "/api/installations/phone-1", as: "bob", other)
            #expect(theirs.status == 403)
            let patch = #"[{"op":"add","path":"/tags","value":"World"}]"#
            #expect(try await rig.ask("PATCH", "/api/installations/phone-1", as: "bob", patch).status == 403)
            #expect(try await rig.ask("DELETE", "/api/installations/phone-1", as: "anna").status == 204)
            #expect(try await rig.ask("DELETE", "/api/installations/phone-1", as: "anna").status == 204)
            #expect(try await rig.ask("GET", "/api/installations/phone-1", as: "anna").status == 404)
        }
    }

    @Test func `a patch changes the client's members and keeps the server's`() async throws {
        try await GatewayRig.run { rig in
            let body = #"{"installationId":"phone-1","platform":"apns","pushChannel":"AA","tags":["Sports"]}"#
            #expect(try await rig.ask("PUT", "/api/installations/phone-1", as: "anna", body).status == 200)
            let patch =
                #"[{"op":"replace","path":"/tags","value":["World"]},{"op":"replace","path":"/pushChannel","value":"BB"}]"#
            #expect(try await rig.ask("PATCH", "/api/installations/phone-1", as: "anna", patch).status == 200)
            let kept = try #require(try await rig.hubClient().installation("phone-1"))
            #expect(kept.tags.map(\.description) == ["World", "username:anna"])
            #expect(kept.userID == "anna")
            #expect(kept.channel == .apns(deviceToken: "BB"))
        }
    }

    @Test(arguments: [
        #"[{"op":"replace","path":"/userId","value":"bob"}]"#, #"[{"op":"remove","path":"/UserID"}]"#,
        #"[{"op":"add","path":"/tags","value":"username:bob"}]"#,
        #"[{"op":"add","path":"/tags","value":"UserName:bob"}]"#,
        #"[{"op":"add","path":"/tags","value":["World","$UserId:{bob}"]}]"#,
        #"[{"op":"remove","path":"/tags/username:anna"}]"#, #"[{"op":"remove","path":"tags/USERNAME:anna"}]"#,
        #"[{"op":"add","path":"/templates/t","value":{"body":"{}","tags":["username:bob"]}}]"#,
        #"[{"op":"add","path":"/templates/t","value":"{\"body\":\"{}\",\"tags\":[\"username:bob\"]}"}]"#,
        #"[{"op":"add","path":"/templates/username:bob","value":{"body":"{}"}}]"#,
    ])
    func `a patch of the user or the server's tags is refused`(patch: String) async throws {
        try await GatewayRig.run { rig in
            let body = #"{"installationId":"phone-1","platform":"apns","pushChannel":"AA","tags":["Sports"]}"#
            #expect(try await rig.ask("PUT", "/api/installations/phone-1", as: "anna", body).status == 200)
            #expect(try await rig.ask("PATCH", "/api/installations/phone-1", as: "anna", patch).status == 403)
            let kept = try #require(try await rig.hubClient().installation("phone-1"))
            #expect(kept.tags.map(\.description) == ["Sports", "username:anna"])
            #expect(kept.userID == "anna")
        }
    }

    @Test func `a request for an id takes a device from installations of other users only`() async throws {
        try await GatewayRig.run { rig in
            // Written to the hub directly, because through the gateway only the second user would have the handle.
            for (user, id) in [("anna", "phone-a"), ("bob", "phone-b")] {
                try await rig.hubClient().putInstallation(
                    Installation(
                        id: id,
                        channel: .apns(deviceToken: "AA"),
                        userID: user,
                        tags: [Tag("username:\(user)")]
                    )
                )
            }
            #expect(try await rig.ask("POST", "/api/register?handle=AA", as: "bob").status == 200)
            #expect(try await rig.hubClient().installation("phone-a") == nil)
            #expect(try await rig.hubClient().installation("phone-b") != nil)
        }
    }
}
