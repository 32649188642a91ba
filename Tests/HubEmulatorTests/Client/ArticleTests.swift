import FoundationEssentials
import NewsflashCurlTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import NotificationHubs
import Testing

/// The code of the articles in `NotificationHubs.docc`, copied line by line.
@Suite("the client's articles", .timeLimit(.minutes(1)))
struct ArticleTests {
    private func tenLines(_ connectionString: String) async throws {
        let transport = try CurlTransport()
        let hub = try NotificationHubClient(
            connection: HubConnectionString(connectionString),
            hub: "breaking",
            transport: transport
        )
        let message = try HubMessage.template(properties: ["headline": "Dam gives way"])
        let sent = try await hub.send(message, to: .tags(TagExpression(parsing: "world && !sports")))
        print(sent.notificationID ?? "accepted")
        transport.shutdown()
    }

    private func messages(_ hub: NotificationHubClient) async throws -> HubMessage {
        let message = try HubMessage.template(
            properties: ["messageParam": "Breaking World News : Dam gives way"],
            headers: .apns(collapseID: "n123")
        )
        try await hub.send(message, to: .tags(TagExpression(parsing: "world || business")))

        let alert = try HubMessage.native(#"{"aps":{"alert":"From ben: hello"}}"#, for: .apns)
        try await hub.send(alert, to: .tags(TagExpression(parsing: "username:anna")))
        try await hub.send(alert, to: .device(.apns(deviceToken: "00FC13ADFF785122")))
        try await hub.send(alert, to: .devices(["00FC13ADFF785122", "11AA22BB33CC44DD"]))

        let outcome = try await hub.test(message, to: .tags(TagExpression(parsing: "world")))
        for result in outcome.results { print(result.platform, result.outcome) }

        let scheduled = try await hub.schedule(message, to: .broadcast, at: .now() + .seconds(3600))
        try await hub.cancelScheduled(scheduled.notificationID ?? "")
        return message
    }

    private func devices(_ hub: NotificationHubClient) async throws {
        typealias Tag = NotificationHubs.Tag
        try await hub.putInstallation(
            Installation(id: "phone-1", channel: .apns(deviceToken: "00FC13ADFF785122"), tags: [Tag("world")])
        )
        try await hub.patchInstallation("phone-1", [.addTags([Tag("sports")]), .setUser("anna")])

        let id = try await hub.createRegistrationID()
        let template = TemplateDescription(
            name: "simpleAPNSTemplate",
            body: #"{"aps":{"alert":"$(messageParam)"}}"#,
            expiry: "0"
        )
        let phone = try RegistrationDescription(
            channel: .apns(deviceToken: "00FC13ADFF785122"),
            tags: [Tag("world")],
            template: template
        )
        let registration = try await hub.upsertRegistration(id, phone)

        _ = try await hub.upsertRegistration(id, phone, ifMatch: registration.etag)
        for try await one in hub.allRegistrations(.channel(phone.channel)) where one.id != id {
            try await hub.deleteRegistration(one.id)
        }
    }

    private func failure(_ hub: NotificationHubClient, _ message: HubMessage) async {
        do {
            try await hub.send(message, to: .broadcast)
        } catch {
            // If the hub may have it, sending again may push it twice; with a collapse ID one push replaces the other.
            print(error.label, error.mayHaveBeenAccepted, error.isRetriable, error.message)
        }
    }

    private func settings() throws -> CurlTransport {
        var settings = CurlTransportConfiguration()
        settings.requestTimeout = .seconds(10)
        settings.proxy = .none
        let transport = try CurlTransport(settings)
        return transport
    }

    @Test func `the ten lines of the first article work`() async throws {
        try await ClientOfHub.run { desk in
            try await tenLines(desk.hub.connectionStrings[0])
            #expect(desk.hub.sends.map(\.expression?.description) == ["world && !sports"])
        }
    }

    @Test func `the other code of the articles works`() async throws {
        try await ClientOfHub.run { desk in
            let message = try await messages(desk.client)
            // One of them is scheduled and cancelled.
            #expect(desk.hub.sends.count == 6)
            try await devices(desk.client)
            #expect(try await desk.client.registrations().registrations.count == 1)
            await failure(desk.client, message)
            #expect(desk.hub.sends.count == 7)
            try settings().shutdown()
        }
    }

    @Test(arguments: ["NotificationHubs", "UsingAHub"])
    func `this file contains all code of an article`(name: String) throws {
        let package = #filePath.components(upTo: "/Tests/")
        let article = try text(package + "/Sources/Rules/NotificationHubs/NotificationHubs.docc/\(name).md")
        let here = lines(try text(#filePath))
        var blocks: [[String]] = []
        var isCode = false
        for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                isCode = true
                blocks.append([])
            } else if line == "```" {
                isCode = false
            } else if isCode {
                blocks[blocks.count - 1] += lines(String(line))
            }
        }
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(here.firstRange(of: block) != nil, "\(block)") }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// The lines that are not blank, without indentation.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }
}

extension String {
    fileprivate func components(upTo mark: String) -> String {
        firstRange(of: mark).map { String(self[..<$0.lowerBound]) } ?? self
    }
}
