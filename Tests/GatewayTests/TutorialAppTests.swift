import NewsflashHTTPTransport
import NewsflashHubEmulator
import NotificationHubs
import Testing

/// The app of the notify-users tutorial, request by request as its code sends them.
@Suite(.timeLimit(.minutes(1)))
struct TutorialAppTests {
    private static let token = "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"

    /// The app's storage and its requests.
    private struct App {
        let rig: GatewayRig
        let user: String
        /// Stored in the app's defaults.
        var registrationID: String?

        /// Requests an id once and stores it, then registers the device under it. Status 410 leads to a second attempt.
        mutating func logIn(token: String, tags: [String] = []) async throws -> [Int] {
            if registrationID == nil {
                let created = try await rig.ask("POST", "/api/register?handle=\(token)", as: user)
                guard created.status == 200 else { return [created.status] }
                // The app removes the first and the last character, whatever they are.
                registrationID = String(created.text.dropFirst().dropLast())
            }
            let list = tags.map { "    \"\($0)\"" }.joined(separator: ",\n")
            let body = "{\n  \"Platform\" : \"apns\",\n  \"Handle\" : \"\(token)\",\n  \"Tags\" : [\n\(list)\n  ]\n}"
            var statuses: [Int] = []
            repeat {
                let answer = try await rig.ask(
                    "PUT",
                    "/api/register/\(registrationID ?? "")",
                    as: user,
                    body,
                    headers: [.init("Content-Type", "application/json")]
                )
                statuses.append(answer.status)
            } while statuses == [410]
            return statuses
        }

        /// The text as typed, between quotes.
        func send(_ text: String, to name: String, on platforms: [String]) async throws -> [Int] {
            var statuses: [Int] = []
            for platform in platforms {
                let answer = try await rig.ask(
                    "POST",
                    "/api/notifications?pns=\(platform)&to_tag=\(name)",
                    as: user,
                    "\"\(text)\"",
                    headers: [.init("Content-Type", "application/json;charset=utf-8")]
                )
                // The app passes any body to its XML parser.
                #expect(answer.body.isEmpty)
                statuses.append(answer.status)
            }
            return statuses
        }
    }

    @Test func `a log-in requests an id and registers the device under it with the tag of the user`() async throws {
        try await GatewayRig.run { rig in
            var app = App(rig: rig, user: "anna")
            #expect(try await app.logIn(token: Self.token) == [200])
            let id = try #require(app.registrationID)
            let registration = try #require(try await rig.hubClient().registration(id))
            #expect(registration.description.channel == .apns(deviceToken: Self.token))
            #expect(registration.description.tags.map(\.description) == ["username:anna"])
            #expect(registration.description.template == nil)
        }
    }

    @Test func `the next log-in uses the stored id with the current token and tags`() async throws {
        try await GatewayRig.run { rig in
            var app = App(rig: rig, user: "anna")
            #expect(try await app.logIn(token: Self.token) == [200])
            let id = app.registrationID
            #expect(try await app.logIn(token: "ABCD", tags: ["World", "Sports"]) == [200])
            #expect(app.registrationID == id)
            let registrations = try await rig.hubClient().registrations().registrations
            #expect(registrations.map(\.id) == [id])
            #expect(registrations.map(\.description.channel) == [.apns(deviceToken: "ABCD")])
            #expect(
                registrations.map { $0.description.tags.map(\.description).sorted() } == [
                    ["Sports", "World", "username:anna"]
                ]
            )
        }
    }

    @Test func `an id that the hub has removed is valid again at the next log-in`() async throws {
        try await GatewayRig.run { rig in
            var app = App(rig: rig, user: "anna")
            #expect(try await app.logIn(token: Self.token) == [200])
            _ = try await rig.hubClient().deleteRegistration(try #require(app.registrationID))
            #expect(try await app.logIn(token: Self.token).last == 200)
            #expect(try await rig.hubClient().registrations().registrations.count == 1)
        }
    }

    @Test func `a message reaches the named user only, on the selected platforms`() async throws {
        try await GatewayRig.run { rig in
            var anna = App(rig: rig, user: "anna")
            var bob = App(rig: rig, user: "bob")
            #expect(try await anna.logIn(token: "AAAA") == [200])
            #expect(try await bob.logIn(token: "BBBB") == [200])
            try await rig.register("bob", platform: "wns", handle: "https://wns.example.com/")
            #expect(try await anna.send("Lunch at noon", to: "bob", on: ["apns"]) == [200])
            #expect(rig.hub.settledDeliveries.map(\.handle) == ["BBBB"])
            let body = rig.hub.settledDeliveries.first.map { String(decoding: $0.notification.body, as: UTF8.self) }
            #expect(body == #"{"aps":{"alert":"From anna: Lunch at noon"}}"#)
            #expect(try await anna.send("Lunch at one", to: "bob", on: ["wns", "gcm", "apns"]) == [200, 200, 200])
            #expect(
                rig.hub.settledDeliveries.dropFirst().map(\.handle).sorted() == ["BBBB", "https://wns.example.com/"]
            )
        }
    }

    @Test func `a wrong password is refused, although it is the user's name`() async throws {
        try await GatewayRig.run { rig in
            for authorization in [GatewayRig.basic("anna", "anna"), GatewayRig.basic("eve", "eve"), "Basic", "anna"] {
                let answer = try await rig.ask(
                    "POST",
                    "/api/register?handle=\(Self.token)",
                    headers: [.init("Authorization", authorization)]
                )
                #expect(answer.status == 401)
            }
            #expect(try await rig.hubClient().registrations().registrations.isEmpty)
        }
    }
}
