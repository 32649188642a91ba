import NewsflashHubEmulator
import NotificationHubs
import Testing

@Suite("Management with the client", .timeLimit(.minutes(1)))
struct ManagementCallTests {
    @Test func `the client creates, reads, changes, lists and deletes a hub`() async throws {
        try await ClientOfHub.run { desk in
            let other = try NotificationHubClient(
                connection: HubConnectionString(desk.hub.connectionStrings[0]),
                hub: "other",
                transport: desk.transport
            )
            #expect(try await other.hubDescription() == nil)
            let missing = await #expect(throws: HubError.self) { try await other.updateHub(HubDescription()) }
            #expect(missing?.status == 404)
            var wanted = HubDescription()
            wanted.registrationLifetime = "P90D"
            let created = try await other.createHub(wanted)
            #expect(created.name == "other" && created.registrationLifetime == "P90D")
            let again = await #expect(throws: HubError.self) { try await other.createHub() }
            #expect(again?.status == 409 && again?.message.contains("a hub of this name exists") == true)
            var read = try #require(try await other.hubDescription())
            #expect(read.name == "other")
            read.registrationLifetime = "P30D"
            #expect(try await other.updateHub(read).registrationLifetime == "P30D")
            #expect(try await desk.client.hubs().map(\.name).sorted() == ["breaking", "other"])
            try await other.deleteHub()
            #expect(try await desk.client.hubs().map(\.name) == ["breaking"])
            let listed = await #expect(throws: HubError.self) { try await desk.listener.hubs() }
            #expect(listed?.message.contains("Manage") == true || listed?.status == 401)
        }
    }

    @Test func `a credential is written as the service's documents have it, and kept by a change`() {
        var description = HubDescription()
        description.registrationLifetime = "P90D"
        description.setCredential([NamedValue("ProjectId", "n"), NamedValue("PrivateKey", "a<b")], for: .fcmv1)
        description.setCredential([NamedValue("Token", "t")], for: .apns)
        description.registrationLifetime = "P9D"
        #expect(description.credential(for: .apns) == [NamedValue("Token", "t")])
        #expect(description.credential(for: .fcmv1)?.map(\.value) == ["n", "a<b"])
        #expect(description.credential(for: .wns) == nil)
        description.setCredential(nil, for: .apns)
        description.registrationLifetime = nil
        #expect(description.credential(for: .apns) == nil)
        #expect(description.registrationLifetime == nil)
        #expect(description.credential(for: .fcmv1)?.count == 2)
    }

    @Test func `the client reads the URL of the feedback container, and the emulator has no jobs`() async throws {
        try await ClientOfHub.run { desk in
            let url = try await desk.client.feedbackContainerURL()
            #expect(url.hasPrefix("http://127.0.0.1:") && url.contains("/breaking?"))
            for call in [
                { _ = try await desk.client.jobs() }, { _ = try await desk.client.job("1") },
                { _ = try await desk.client.submitJob(.export(to: "https://e/c?sig=secret")) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: HubError.self) { try await call() }
                #expect(error?.status == 501)
                #expect(error?.message.contains("secret") == false)
            }
        }
    }

    @Test func `the client finds out whether an object exists, and deletes the registrations of a device`() async throws
    {
        try await ClientOfHub.run { desk in
            let phone = PushChannel.apns(deviceToken: "00FC")
            #expect(try await desk.client.installationExists("i") == false)
            try await desk.client.putInstallation(Installation(id: "i", channel: .apns(deviceToken: "00AA")))
            #expect(try await desk.client.installationExists("i"))
            #expect(try await desk.client.registrationExists("1-2-3") == false)
            let first = try await desk.client.createRegistration(
                RegistrationDescription(channel: phone, tags: tags("a"))
            )
            _ = try await desk.client.createRegistration(RegistrationDescription(channel: phone, tags: tags("b")))
            #expect(try await desk.client.registrationExists(first.id))
            #expect(try await desk.client.deleteRegistrations(of: phone) == 2)
            #expect(try await desk.client.registrationExists(first.id) == false)
            #expect(try await desk.client.deleteRegistrations(of: phone) == 0)
            #expect(try await desk.client.installationExists("i"), "other devices stay")
        }
    }

    @Test func `a patch changes parts of a template, and any other operation can be written as JSON`() async throws {
        try await ClientOfHub.run { desk in
            let template = InstallationTemplate(name: "t", body: "{}", expiry: "0", tags: try tags("a"))
            try await desk.client.putInstallation(
                Installation(id: "i", channel: .apns(deviceToken: "00FC"), templates: [template])
            )
            try await desk.client.patchInstallation(
                "i",
                [
                    .setTemplateExpiry("$(end)", name: "t"), .replaceTemplateTags(tags("b", "c"), name: "t"),
                    .raw("add", path: "/tags", value: #"["x","y"]"#), .raw("remove", path: "/tags/x"),
                ]
            )
            var read = try #require(try await desk.client.installation("i"))
            #expect(read.templates[0].expiry == "$(end)")
            #expect(try read.templates[0].tags == tags("b", "c"))
            #expect(try read.tags == tags("y"))
            try await desk.client.patchInstallation(
                "i",
                [.setTemplateExpiry(nil, name: "t"), .replaceTemplateTags([], name: "t")]
            )
            read = try #require(try await desk.client.installation("i"))
            #expect(read.templates[0].expiry == nil)
            #expect(read.templates[0].tags.isEmpty)
            for (operation, value) in [("move", "1"), ("add", nil), ("add", "{"), ("add", #"1},{"op":"remove""#)] {
                #expect(throws: HubValueError.self) {
                    try InstallationPatch.raw(operation, path: "/tags", value: value)
                }
            }
        }
    }
}
