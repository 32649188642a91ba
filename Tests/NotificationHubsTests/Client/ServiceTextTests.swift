import NotificationHubs
import Testing

/// The words of the service, which often are the only hint at what to change.
@Suite(.timeLimit(.minutes(1)))
struct ServiceTextTests {
    private static let fault = "Missing closing parentheses: '$(headline_pt' (/body/aps/alert)"

    private static func error(_ detail: String) -> ScriptedTransport.Turn {
        let ids = "TrackingId:0-1_G3,TimeStamp:7/2/2020 6:33:21 PM"
        return .status(400, "<Error><Code>400</Code><Detail>\(detail).\(ids)</Detail></Error>")
    }

    @Test func `an error of a device contains what the service wrote, without the handle`() async throws {
        let token = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
        let transport = ScriptedTransport([Self.error("\(Self.fault) of \(token.uppercased())")])
        let client = try NotificationHubClient.scripted(transport)
        let error = await #expect(throws: HubError.self) {
            try await client.putInstallation(Installation(id: "i", channel: .apns(deviceToken: token)))
        }
        let message = try #require(error?.message)
        #expect(message.contains(Self.fault))
        #expect(message.contains("TrackingId 0-1"))
        #expect(!message.contains("TimeStamp"))
        #expect(!message.uppercased().contains(token.uppercased()))
        #expect(message.contains("<redacted>"))
    }

    @Test func `a handle that does not look like one is not in the error of its device`() async throws {
        let transport = ScriptedTransport([Self.error("PnsHandle 'plainhandle' is wrong")])
        let client = try NotificationHubClient.scripted(transport)
        let error = await #expect(throws: HubError.self) {
            try await client.createRegistration(
                RegistrationDescription(channel: .fcmv1(registrationID: "plainhandle"))
            )
        }
        #expect(error?.message.contains("PnsHandle '<redacted>' is wrong") == true)
    }

    @Test func `an error of a message contains known phrases only, and the reply has all words`() async throws {
        let transport = ScriptedTransport([
            Self.error("The supplied notification payload is invalid. Value 'Dam gives way'")
        ])
        let client = try NotificationHubClient.scripted(transport)
        let error = await #expect(throws: HubError.self) {
            try await client.send(HubMessage.template(properties: [("a", "Dam gives way")]), to: .broadcast)
        }
        #expect(error?.message.contains("Dam") == false)
        #expect(error?.message.contains("The supplied notification payload is invalid.") == true)
        #expect(error?.reply?.serviceText == "The supplied notification payload is invalid. Value 'Dam gives way'")
        #expect(error?.reply?.body.isEmpty == false)
    }

    @Test(arguments: [
        ("<html><body><h1>502 Bad Gateway</h1>\n</body></html>", "502 Bad Gateway"),
        ("{\"error\":\"IP 10.0.0.7 is not allowed\"}", "{\"error\":\"IP 10.0.0.7 is not allowed\"}"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("token SharedAccessSignature sr=x&sig=abc%3d&se=1", "token SharedAccessSignature sr=x&sig=<redacted>&se=1"),
        ("handle dQw4w9WgXcQ-APA91bH_x1y2:z", "handle <redacted>"),
        (
            "https://wns2-par02p.notify.windows.com/?token=AwYAAAC8zMDEyMw%3d",
            "https://wns2-par02p.notify.windows.com/?<redacted>"
        ),
        ("id 7260336227650468927-4200236381151834034-1", "id 7260336227650468927-4200236381151834034-1"),
        ("ServiceBusNotification-DeviceHandle", "ServiceBusNotification-DeviceHandle"),
        ("2026-06-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"),
        ("id 3f2504e0-4f89-11d3-9a0c-0305e82c3301_G19", "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301_G19"),
        ("", ""),
    ])
    func `markup, credentials and handles are not in the text`(body: String, text: String) async throws {
        let client = try NotificationHubClient.scripted(ScriptedTransport([.status(400, body)]))
        let error = await #expect(throws: HubError.self) { try await client.installation("i") }
        #expect(error?.reply?.serviceText == text)
    }

    @Test func `the text of a long response is short`() async throws {
        let body = String(repeating: "words of a page ", count: 100_000)
        let client = try NotificationHubClient.scripted(ScriptedTransport([.status(400, body)]))
        let error = await #expect(throws: HubError.self) { try await client.installation("i") }
        #expect(error?.reply?.serviceText.count == HubReply.maximumDetailLength)
        #expect(error?.reply?.body.count == 8192)
    }
}
