import NewsSubscriptions
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NotificationHubs
import Testing

/// Devices that move from a registration token of Firebase to an installation ID, and back.
@Suite(.timeLimit(.minutes(1)))
struct FirebaseInstallationTests {
    private static let fid = "cRxdF0A5TTSGbb8uYyDk-I"
    private static let token = fid + ":APA91bGx7-a_9"
    private static let otherFID = "dRxdF0A5TTSGbb8uYyDk-I"

    /// Sends a message to a user, and returns the handles to which it was delivered.
    private func arrivals(for user: String, in rig: GatewayRig) async throws -> [String] {
        let before = rig.hub.settledDeliveries.count
        let answer = try await rig.ask("POST", "/api/notifications?pns=fcmv1&to_tag=\(user)", as: "desk", #""Hi""#)
        #expect(answer.status == 200)
        return rig.hub.settledDeliveries.dropFirst(before).map(\.handle)
    }

    @Test(arguments: [
        (token, fid), (fid, fid), ("eRxdF0A5TTSGbb8uYyDk-I:x", "eRxdF0A5TTSGbb8uYyDk-I"), (fid + "1", nil),
        ("cRxdF0A5TTSGbb8uYyDk+I", nil), ("cRxdF0A5TTSGbb8uYyDkI:x", nil), ("", nil),
    ])
    func `a handle of Firebase has the installation ID before its colon`(handle: String, id: String?) {
        #expect(PushChannel.fcmv1(registrationID: handle).firebaseInstallationID == id)
        #expect(PushChannel.adm(registrationID: handle).firebaseInstallationID == nil)
    }

    @Test(arguments: [(token, fid), (fid, token)])
    func `a device that registers its other handle keeps its registration and gets a message once`(
        first: String,
        second: String
    ) async throws {
        try await GatewayRig.run { rig in
            let id = try await rig.register("anna", platform: "fcmv1", handle: first)
            #expect(try await arrivals(for: "anna", in: rig) == [first])
            #expect(try await rig.register("anna", platform: "fcmv1", handle: second) == id)
            #expect(try await arrivals(for: "anna", in: rig) == [second])
            #expect(try await rig.hubClient().registrations().registrations.count == 1)
        }
    }

    @Test func `a device that writes under another id loses the record with its other handle`() async throws {
        try await GatewayRig.run { rig in
            let hub = try rig.hubClient()
            let registration = #"{"Platform":"fcmv1","Handle":"\#(Self.token)","Tags":[]}"#
            let installation = #"{"platform":"fcmv1","pushChannel":"\#(Self.fid)"}"#
            #expect(try await rig.ask("PUT", "/api/register/7-1-1", as: "anna", registration).status == 200)
            #expect(try await rig.ask("PUT", "/api/installations/phone", as: "anna", installation).status == 200)
            #expect(try await arrivals(for: "anna", in: rig) == [Self.fid])
            #expect(try await rig.ask("PUT", "/api/register/7-2-1", as: "anna", registration).status == 200)
            #expect(try await arrivals(for: "anna", in: rig) == [Self.token])
            #expect(try await hub.installation("phone") == nil)
        }
    }

    @Test func `an installation that changes to the other handle gets a message once`() async throws {
        try await GatewayRig.run { rig in
            let path = "/api/installations/phone"
            let body = #"{"platform":"fcmv1","pushChannel":"\#(Self.token)"}"#
            #expect(try await rig.ask("PUT", path, as: "anna", body).status == 200)
            let patch = #"[{"op":"replace","path":"/pushChannel","value":"\#(Self.fid)"}]"#
            let answer = try await rig.ask("PATCH", path, as: "anna", patch)
            #expect(answer.status == 200)
            #expect(try await arrivals(for: "anna", in: rig) == [Self.fid])
        }
    }

    @Test func `other devices of the user, and devices that an app registered at the hub itself, stay`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", platform: "fcmv1", handle: Self.otherFID)
            let hub = try rig.hubClient()
            let channel = PushChannel.fcmv1(registrationID: Self.fid)
            let own = try await hub.createRegistration(RegistrationDescription(channel: channel))
            let body = #"{"Platform":"fcmv1","Handle":"\#(Self.token)","Tags":[]}"#
            #expect(try await rig.ask("PUT", "/api/register/7-1-1", as: "anna", body).status == 200)
            #expect(Set(try await arrivals(for: "anna", in: rig)) == [Self.otherFID, Self.token])
            #expect(try await hub.registration(own.id) != nil)
        }
    }

    @Test func `the next user of a device takes over its installation ID with a token`() async throws {
        try await GatewayRig.run { rig in
            try await rig.register("anna", platform: "fcmv1", handle: Self.fid)
            try await rig.register("bob", platform: "fcmv1", handle: Self.token)
            #expect(try await arrivals(for: "anna", in: rig).isEmpty)
            #expect(try await arrivals(for: "bob", in: rig) == [Self.token])
        }
    }

    @Test func `the app library writes the same installation for a token and its installation ID`() async throws {
        let transport = try CurlTransport()
        defer { transport.shutdown() }
        try await GatewayRig.run { rig in
            let gateway = try NewsGateway(url: rig.url, user: "anna", transport: transport) {
                .basic(user: "anna", password: GatewayRig.passwords["anna"] ?? "")
            }
            var ids: [String] = []
            for handle in [Self.token, Self.fid] {
                let folder = try TemporaryFolder()
                // The storage was lost between the two launches.
                let app = NewsSubscriber(
                    registrar: .installation(through: gateway),
                    storage: FileSubscriptionStorage(path: folder.file("subscriptions.json"))
                )
                #expect(try await app.register(.fcmv1(registrationID: handle)) == .registered)
                let page = try await rig.hubClient().registrations()
                ids += page.registrations.compactMap { $0.description.tags.first?.description }
            }
            #expect(ids.count >= 2 && Set(ids).count == 1)
            #expect(try await arrivals(for: "anna", in: rig) == [Self.fid])
        }
    }
}
