import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("devices over restarts", .timeLimit(.minutes(1)))
struct RestartTests {
    @Test func `a restarted hub has the same registrations and installations`() async throws {
        let folder = try TemporaryFolder()
        let first = try Desk()
        #expect(try first.hub.keepDevices(in: folder.path) == (0, 0))
        first.install("phone", tags: ["world"], user: "reader")
        first.install("gone", tags: ["world"])
        first.install("patched", tags: ["sports"])
        let patch = #"[{"op":"replace","path":"/tags","value":"world"}]"#
        #expect(first.device("PATCH", "installations/patched", body: patch).status == 200)
        #expect(first.device("DELETE", "installations/gone").status == 204)
        let phone = first.device("GET", "installations/phone").text
        let patched = first.device("GET", "installations/patched").text
        await first.hub.stop()

        let second = try Desk()
        #expect(try second.hub.keepDevices(in: folder.path) == (4, 2))
        #expect(second.device("GET", "installations/phone").text == phone)
        #expect(second.device("GET", "installations/patched").text == patched)
        second.send(tags: "$UserId:{reader} || $InstallationId:{patched}")
        #expect(second.readers == ["patched", "phone"])
        second.send(tags: "world && $InstallationId:{patched}")
        #expect(second.readers == ["patched", "patched", "phone"])
        #expect(second.device("PUT", "installations/phone", body: phone).status == 200)
        #expect(second.inspect("GET", "hub").text.contains(#""registrations":4,"installations":2"#))
        await second.hub.stop()
    }

    @Test func `the error for a folder in use names the other process`() async throws {
        let folder = try TemporaryFolder()
        let first = try Desk()
        try first.hub.keepDevices(in: folder.path)
        let error = #expect(throws: DeviceStoreError.self) { try Desk().hub.keepDevices(in: folder.path) }
        #expect(error?.code == .inUse)
        await first.hub.stop()
    }

    @Test func `ids that differ in case name the same installation, on disk as in memory`() async throws {
        let folder = try TemporaryFolder()
        let first = try Desk()
        try first.hub.keepDevices(in: folder.path)
        first.install("GONE")
        #expect(first.device("DELETE", "installations/gone").status == 204)
        // The kelvin sign, which is not ASCII, folds to the letter k.
        first.install("k")
        #expect(first.device("DELETE", "installations/%E2%84%AA").status == 204)
        let isLeft = first.device("GET", "installations/k").status
        first.install("PHONE", tags: ["oldest"])
        first.install("phone", tags: ["old"])
        first.install("PHONE", tags: ["new"])
        let phone = first.device("GET", "installations/phone").text
        await first.hub.stop()

        let second = try Desk()
        let (_, installations) = try second.hub.keepDevices(in: folder.path)
        #expect(installations == (isLeft == 200 ? 2 : 1))
        #expect(second.device("GET", "installations/gone").status == 404)
        #expect(second.device("GET", "installations/k").status == isLeft)
        #expect(second.device("GET", "installations/phone").text == phone)
        #expect(phone.contains(#""tags":["new"]"#))
        second.send(tags: "new")
        #expect(second.readers == ["PHONE"])
        await second.hub.stop()
    }

    @Test func `random keys are stored, so connection strings stay valid; given keys are not`() async throws {
        let folder = try TemporaryFolder()
        let rules = try await Self.rules(in: folder)
        #expect(rules.map(\.name) == ["DefaultFullSharedAccessSignature", "DefaultListenSharedAccessSignature"])
        #expect(try await Self.rules(in: folder) == rules)
        let given = AccessRule(name: "given", key: SharedAccessKey("given key"), claims: [.send])
        #expect(try await Self.rules(in: folder, given: [given]) == [given])
        #expect(try await Self.rules(in: folder) == rules)
    }

    @Test func `a token signed with a key from before the restart is accepted`() async throws {
        let folder = try TemporaryFolder()
        let old = try await Self.rules(in: folder)
        let desk = try Desk { $0.rules = [] }
        try desk.hub.keepDevices(in: folder.path)
        let token = desk.token(policy: old[0].name, key: old[0].key.secretText)
        #expect(desk.post(headers: [.init("Authorization", token)]).status == 201)
        await desk.hub.stop()
    }

    @Test func `hubs created by clients are kept with their keys, spelling and settings`() async throws {
        let folder = try TemporaryFolder()
        let first = try Desk()
        try first.hub.keepDevices(in: folder.path)
        #expect(first.namespace("PUT", "Regional", life: "P30D").status == 201)
        #expect(first.namespace("PUT", "gone").status == 201)
        #expect(first.namespace("DELETE", "GONE").status == 200)
        #expect(first.namespace("PUT", "Breaking-News", life: "P90D", isUpdate: true).status == 200)
        let regional = first.namespace("GET", "regional").text
        #expect(regional.contains("<KeyName>DefaultFullSharedAccessSignature</KeyName>"))
        await first.hub.stop()

        let second = try Desk { $0.hubName = "BREAKING-NEWS" }
        try second.hub.keepDevices(in: folder.path)
        #expect(second.namespace("GET", "REGIONAL").text == regional.replacing("/regional", with: "/REGIONAL"))
        #expect(second.namespace("GET", "gone").text.contains("Publicly Listed Services"))
        let main = second.namespace("GET", "breaking-news").text
        #expect(main.contains("<RegistrationTtl>P90D</RegistrationTtl>"))
        #expect(main.contains(">BREAKING-NEWS</title>"))
        second.install("phone")
        let end = (Desk.now + .seconds(90 * 86_400)).rfc3339.prefix(10)
        #expect(second.device("GET", "installations/phone").text.contains("\"expirationTime\":\"\(end)"))
        await second.hub.stop()
    }

    /// The access rules of a hub that stores its state in a folder.
    private static func rules(in folder: TemporaryFolder, given: [AccessRule] = []) async throws -> [AccessRule] {
        let desk = try Desk { $0.rules = given }
        try desk.hub.keepDevices(in: folder.path)
        let rules = desk.hub.rules
        await desk.hub.stop()
        return rules
    }
}

extension Desk {
    /// Sends a management request for a hub.
    fileprivate func namespace(
        _ method: String,
        _ hub: String,
        life: String? = nil,
        isUpdate: Bool = false
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [.init("Authorization", token(url: "http://127.0.0.1:8080/"))]
        if isUpdate { headers.append("If-Match", "*") }
        let description = life.map {
            "<NotificationHubDescription><RegistrationTtl>\($0)</RegistrationTtl></NotificationHubDescription>"
        }
        return post(
            "/\(hub)?api-version=2017-04",
            method: method,
            headers: headers,
            body: description ?? "",
            format: nil
        )
    }
}
