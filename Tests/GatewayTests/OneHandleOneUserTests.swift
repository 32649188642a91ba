import NewsflashGateway
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NotificationHubs
import Testing

/// One handle, one user: with every way of registration the device belongs to its last user.
@Suite(.timeLimit(.minutes(1)))
struct OneHandleOneUserTests {
    private static let handle = "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"

    /// A way to register a device.
    enum RegistrationMethod: String, CaseIterable, Sendable {
        case registration
        case ownIDOfRegistration
        case installation
        case patchedInstallation

        /// Registers the device for a user.
        func register(_ user: String, in rig: GatewayRig) async throws {
            let id = "\(user)-\(rawValue)"
            let registration = #"{"Platform":"apns","Handle":"\#(handle)","Tags":[]}"#
            let answer: HTTPResponse
            switch self {
            case .registration:
                try await rig.register(user, handle: handle)
                return
            case .ownIDOfRegistration:
                // The hub accepts only ids of three numbers.
                let number = user.utf8.reduce(0) { $0 * 256 + Int($1) }
                answer = try await rig.ask("PUT", "/api/register/8-\(number)-1", as: user, registration)
            case .installation:
                let body = #"{"platform":"apns","pushChannel":"\#(handle.lowercased())"}"#
                answer = try await rig.ask("PUT", "/api/installations/\(id)", as: user, body)
            case .patchedInstallation:
                let body = #"{"platform":"apns","pushChannel":"AA"}"#
                guard try await rig.ask("PUT", "/api/installations/\(id)", as: user, body).status == 200 else {
                    throw TestFailure()
                }
                let patch = #"[{"op":"replace","path":"/pushChannel","value":"\#(handle)"}]"#
                answer = try await rig.ask("PATCH", "/api/installations/\(id)", as: user, patch)
            }
            #expect(answer.status == 200, "\(self): \(answer.text)")
        }
    }

    /// Sends a message to a user, and counts the arrivals on the device.
    private func arrivals(for user: String, in rig: GatewayRig) async throws -> Int {
        let before = rig.hub.settledDeliveries.filter { $0.handle == Self.handle }.count
        let answer = try await rig.ask("POST", "/api/notifications?pns=apns&to_tag=\(user)", as: "desk", #""Hi""#)
        #expect(answer.status == 200)
        return rig.hub.settledDeliveries.filter { $0.handle == Self.handle }.count - before
    }

    @Test(arguments: RegistrationMethod.allCases, RegistrationMethod.allCases)
    func `the next user of a device is its only user, whichever way each of them registers`(
        first: RegistrationMethod,
        second: RegistrationMethod
    )
        async throws
    {
        try await GatewayRig.run { rig in
            try await first.register("anna", in: rig)
            #expect(try await arrivals(for: "anna", in: rig) == 1)
            try await second.register("bob", in: rig)
            #expect(try await arrivals(for: "anna", in: rig) == 0)
            #expect(try await arrivals(for: "bob", in: rig) == 1)
            // Back to the first user.
            try await first.register("anna", in: rig)
            #expect(try await arrivals(for: "bob", in: rig) == 0)
            #expect(try await arrivals(for: "anna", in: rig) == 1)
        }
    }

    @Test(arguments: RegistrationMethod.allCases)
    func `a user who changes the way of registration gets each message once`(second: RegistrationMethod) async throws {
        try await GatewayRig.run { rig in
            for first in RegistrationMethod.allCases where first != second {
                try await first.register("anna", in: rig)
                try await second.register("anna", in: rig)
                #expect(try await arrivals(for: "anna", in: rig) == 1, "\(first), then \(second)")
            }
        }
    }

    @Test func `the tutorial's app, which keeps one id, may change its user`() async throws {
        try await GatewayRig.run { rig in
            let id = try await rig.register("anna", handle: Self.handle)
            let body = #"{"Platform":"apns","Handle":"\#(Self.handle.lowercased())","Tags":["Sports"]}"#
            #expect(try await rig.ask("PUT", "/api/register/\(id)", as: "bob", body).status == 200)
            #expect(try await arrivals(for: "anna", in: rig) == 0)
            #expect(try await arrivals(for: "bob", in: rig) == 1)
            #expect(try await rig.ask("PUT", "/api/register/\(id)", as: "anna", body).status == 200)
            let kept = try #require(try await rig.hubClient().registration(id))
            #expect(kept.description.tags.map(\.description) == ["Sports", "username:anna"])
        }
    }

    @Test func `an app that keeps one installation may change its user, too`() async throws {
        try await GatewayRig.run { rig in
            let body = #"{"platform":"apns","pushChannel":"\#(Self.handle)"}"#
            for user in ["anna", "bob"] {
                let answer = try await rig.ask("PUT", "/api/installations/phone", as: user, body)
                #expect(answer.status == 200)
            }
            #expect(try await rig.hubClient().installation("phone")?.userID == "bob")
            #expect(try await arrivals(for: "anna", in: rig) == 0)
        }
    }

    @Test func `a device without a user stays, such as one that an app registered at the hub itself`() async throws {
        try await GatewayRig.run { rig in
            let hub = try rig.hubClient()
            let channel = PushChannel.apns(deviceToken: Self.handle)
            let news = try await hub.createRegistration(
                RegistrationDescription(channel: channel, tags: [try Tag("World")])
            )
            try await hub.putInstallation(Installation(id: "direct", channel: channel, tags: [try Tag("Sports")]))
            try await RegistrationMethod.ownIDOfRegistration.register("anna", in: rig)
            #expect(try await hub.registration(news.id) != nil)
            #expect(try await hub.installation("direct") != nil)
        }
    }

    @Test func `one of two first writes of an id wins, and the other is refused`() async throws {
        try await GatewayRig.run { rig in
            let hub = try rig.hubClient()
            for round in 0..<20 {
                for path in ["/api/installations/race-\(round)", "/api/register/9-\(round)-1"] {
                    let isInstallation = path.contains("installations")
                    func write(_ user: String, _ handle: String) async throws -> Int {
                        let body =
                            isInstallation
                            ? #"{"platform":"apns","pushChannel":"\#(handle)"}"#
                            : #"{"Platform":"apns","Handle":"\#(handle)","Tags":[]}"#
                        return try await rig.ask("PUT", path, as: user, body).status
                    }
                    async let anna = write("anna", "AA\(10 + round)")
                    async let bob = write("bob", "BB\(10 + round)")
                    let statuses = ["anna": try await anna, "bob": try await bob]
                    #expect(statuses.values.sorted() == [200, 403], "\(path)")
                    let id = String(path.split(separator: "/").last ?? "")
                    let tags =
                        isInstallation
                        ? try await hub.installation(id)?.tags : try await hub.registration(id)?.description.tags
                    let winner = statuses.first { $0.value == 200 }?.key ?? ""
                    #expect(tags?.map(\.description) == ["username:\(winner)"])
                }
            }
        }
    }

    @Test func `parallel registrations of one device leave it to one user`() async throws {
        try await GatewayRig.run { rig in
            let hub = try rig.hubClient()
            let channel = PushChannel.apns(deviceToken: Self.handle)
            for _ in 0..<10 {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for (number, user) in ["anna", "bob", "anna", "bob"].enumerated() {
                        group.addTask {
                            let path = "/api/register/7-\(number)-1"
                            let body = #"{"Platform":"apns","Handle":"\#(Self.handle)","Tags":[]}"#
                            return try await rig.ask("PUT", path, as: user, body).status
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                #expect(try await hub.registrations(.channel(channel)).registrations.count == 1)
            }
        }
    }

    @Test func `a removed user loses the devices, and nobody can notify the name`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: Self.handle)
            try await RegistrationMethod.installation.register("anna", in: rig)
            try rig.removeUser("anna")
            let hub = try rig.hubClient()
            // The file is checked once a second; the suite's limit bounds the wait.
            try await waitUntil { try await hub.registrations(.tag(Tag("username:anna"))).registrations.isEmpty }
            #expect(try await hub.installation("anna-installation") == nil)
            let answer = try await rig.ask("POST", "/api/notifications?pns=apns&to_tag=anna", as: "desk", #""Hi""#)
            #expect(answer.status == 404)
            #expect(answer.text.contains(#""error":"no_such_user""#))
            #expect(rig.hub.sends.isEmpty)
        }
    }

    @Test func `the devices of a user can be removed without a gateway, and no others are`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: Self.handle)
            let phone = #"{"platform":"apns","pushChannel":"A2A2"}"#
            #expect(try await rig.ask("PUT", "/api/installations/anna-phone", as: "anna", phone).status == 200)
            try await rig.register("bob", handle: "B0B0")
            let removal = try DeviceRemoval(rig.hubConfiguration(), settlingTime: .zero)
            let anna = try #require(GatewayUser("ANNA"))
            #expect(try await removal.removeAll(of: anna) == 2)
            #expect(try await removal.removeAll(of: anna) == 0)
            removal.close()
            let left = try await rig.hubClient().registrations().registrations
            #expect(left.map { $0.description.tags.map(\.description) } == [["username:bob"]])
        }
    }

    @Test func `an unreachable hub is an error, and no devices are reported as removed`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", handle: Self.handle)
            let removal = try DeviceRemoval(rig.hubConfiguration(), settlingTime: .zero)
            await rig.hub.stop()
            let anna = try #require(GatewayUser("anna"))
            let error = await #expect(throws: GatewayRefusal.self) { try await removal.removeAll(of: anna) }
            #expect(error?.status == 503)
            removal.close()
        }
    }
}
