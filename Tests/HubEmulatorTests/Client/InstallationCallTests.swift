import NewsflashHubEmulator
import NewsflashStrictJSON
import NotificationHubs
import Testing

@Suite("the client's installations, over HTTP", .timeLimit(.minutes(1)))
struct InstallationCallTests {
    private let phone: Installation

    init() throws {
        phone = Installation(
            id: "phone-1",
            channel: .apns(deviceToken: "00FC13AD"),
            userID: "anna",
            tags: try tags("world", "sports"),
            pushVariables: [NamedValue("lang", "en")],
            templates: [
                InstallationTemplate(
                    name: "alerts",
                    body: #"{"aps":{"alert":"$(messageParam)"}}"#,
                    expiry: "0",
                    tags: try tags("alerts-only")
                )
            ]
        )
    }

    @Test func `the client reads an installation as it was written`() async throws {
        try await ClientOfHub.run { desk in
            #expect(try await desk.listener.installation("phone-1") == nil)
            try await desk.listener.putInstallation(phone)
            #expect(try await desk.listener.installation("phone-1") == phone)
            // The result can be written again, including the members that only the hub sets.
            let read = try #require(try await desk.listener.installation("phone-1"))
            try await desk.listener.putInstallation(read)
            #expect(try await desk.listener.installation("phone-1") == phone)
        }
    }

    @Test(
        arguments: [
            Installation(
                id: "browser:1",
                channel: .browser(endpoint: "https://push.example.org/1", p256dh: "BJ", auth: "cQ")
            ),
            Installation(
                id: "pc@home#1",
                channel: .wns(uri: "https://db3.notify.windows.com/?token=AwY%3d"),
                templates: [
                    InstallationTemplate(
                        name: "toast",
                        body:
                            "<toast><visual><binding template=\"ToastText01\"><text id=\"1\">$(m)</text></binding></visual></toast>",
                        headers: [NamedValue("X-WNS-Type", "wns/toast")]
                    )
                ],
                secondaryTiles: [
                    SecondaryTile(
                        name: "tile",
                        channel: .wns(uri: "https://db3.notify.windows.com/2"),
                        tags: (try? tags("a")) ?? []
                    )
                ]
            ),
            Installation(id: "droid=1", channel: .fcmv1(registrationID: "a:b")),
        ])
    func `an installation of any platform is read as it was written`(installation: Installation) async throws {
        try await ClientOfHub.run { desk in
            try await desk.client.putInstallation(installation)
            #expect(try await desk.client.installation(installation.id) == installation)
            try await desk.client.deleteInstallation(installation.id)
            #expect(try await desk.client.installation(installation.id) == nil)
            try await desk.client.deleteInstallation(installation.id)
        }
    }

    @Test func `the client changes parts of an installation`() async throws {
        try await ClientOfHub.run { desk in
            try await desk.client.putInstallation(phone)
            let other = try InstallationTemplate(
                name: "other/one~",
                body: #"{"aps":{"alert":"$(m)"}}"#,
                tags: tags("t")
            )
            try await desk.client.patchInstallation(
                "phone-1",
                try InstallationPatch([
                    .addTags(tags("science")), .removeTag(tags("world")[0]), .setUser("ben"), .setTemplate(other),
                    .setTemplateBody(#"{"aps":{"alert":"$(k)"}}"#, name: "alerts"),
                    .setChannel(.apns(deviceToken: "00FC13AE")),
                ])
            )
            var wanted = phone
            wanted.tags = try tags("sports", "science")
            wanted.userID = "ben"
            wanted.channel = .apns(deviceToken: "00FC13AE")
            wanted.templates[0].body = #"{"aps":{"alert":"$(k)"}}"#
            wanted.templates.append(other)
            #expect(try await desk.client.installation("phone-1") == wanted)
            try await desk.client.patchInstallation(
                "phone-1",
                try InstallationPatch([
                    .replaceTags([]), .setUser(nil), .removeTemplate(name: "alerts"),
                    .removeTemplate(name: "other/one~"), .addTags(tags("a", "b")),
                ])
            )
            wanted.tags = try tags("a", "b")
            wanted.userID = nil
            wanted.templates = []
            #expect(try await desk.client.installation("phone-1") == wanted)
            try await desk.client.patchInstallation("phone-1", InstallationPatch([.replaceTags(tags("c"))]))
            #expect(try await desk.client.installation("phone-1")?.tags == tags("c"))
        }
    }

    @Test func `the client sends a parsed patch unchanged`() async throws {
        let text =
            #"[{"op":"add","path":"/tags","value":["a","b"]},{"op":"replace","path":"/templates/n","value":{"body":"{}"}}]"#
        let patch = try InstallationPatch(reading: Array(text.utf8))
        let again = try InstallationPatch(reading: patch.body)
        #expect(again.body == patch.body)
        var changed = phone
        var changedAgain = phone
        try patch.apply(to: &changed)
        try again.apply(to: &changedAgain)
        #expect(changed == changedAgain)
        #expect(try changed.tags == tags("world", "sports", "a", "b"))
    }

    @Test func `the client reports that a patched installation does not exist`() async throws {
        try await ClientOfHub.run { desk in
            let error = await #expect(throws: HubError.self) {
                try await desk.client.patchInstallation("nobody", InstallationPatch([.addTags(tags("a"))]))
            }
            #expect(error?.code == .missing)
            #expect(error?.message.contains("the installation does not exist") == true)
            #expect(error?.isRetriable == false)
        }
    }

    @Test func `the client refuses an invalid installation without asking the hub`() async throws {
        try await ClientOfHub.run { desk in
            var broken = phone
            broken.tags = try (0..<61).flatMap { try tags("tag\($0)") }
            let error = await #expect(throws: HubError.self) { try await desk.client.putInstallation(broken) }
            #expect(error?.code == .invalidDevice)
            #expect(desk.hub.stats.byStatus.isEmpty)
        }
    }
}
