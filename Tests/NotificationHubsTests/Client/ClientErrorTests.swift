import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Errors of the client", .timeLimit(.minutes(1)))
struct ClientErrorTests {
    typealias Call = ClientRetryTests.Call
    typealias Turn = ScriptedTransport.Turn

    private func failure(of call: Call, _ turn: Turn) async throws -> HubError {
        let client = try NotificationHubClient.scripted(ScriptedTransport([turn]), retries: .never)
        return try #require(await #expect(throws: HubError.self) { try await call.run(client) })
    }

    struct Sentence: CustomTestStringConvertible {
        let call: Call
        let turn: Turn
        let label: String
        let words: [String]

        init(_ call: Call, _ turn: Turn, _ label: String, _ words: String...) {
            (self.call, self.turn, self.label, self.words) = (call, turn, label, words)
        }

        var testDescription: String { "\(call) \(label)" }
    }

    private static let sentences = [
        Sentence(
            .send,
            .refusal(400, "The supplied notification payload is invalid."),
            "refused",
            "sending a message",
            "will refuse it again",
            "The supplied notification payload is invalid."
        ),
        Sentence(.send, .refusal(403, ""), "forbidden", "lacks the claim Send"),
        Sentence(.list, .refusal(403, ""), "forbidden", "listing registrations", "lacks the claim Manage"),
        Sentence(.upsert, .refusal(403, ""), "forbidden", "lacks the claim Listen"),
        Sentence(.upsert, .refusal(409, "SubCode=40900. Conflict"), "conflict", "wait before the next one"),
        Sentence(
            .upsert,
            .refusal(410, "Cannot use specified location. Use a different registration ID"),
            "gone",
            "request a new one"
        ),
        Sentence(.upsert, .refusal(412, ""), "precondition_failed", "read it again"),
        Sentence(
            .send,
            .refusal(404, "No service is hosted at the specified address."),
            "not_found",
            "check the endpoint and the hub's name"
        ),
        Sentence(
            .read,
            .refusal(404, "No service is hosted at the specified address."),
            "not_found",
            "check the endpoint and the hub's name"
        ),
        Sentence(.createID, .status(404), "not_found", "check the endpoint and the hub's name"),
        Sentence(.read, .status(404, "<html><body>404 Not Found nginx</body></html>"), "not_found", "nginx"),
        Sentence(.cancel, .refusal(404, ""), "missing", "it may have been sent or cancelled"),
        Sentence(.patch, .refusal(404, "Installation not found"), "missing", "the installation does not exist"),
        Sentence(.list, .status(407), "unauthorized", "the proxy requires credentials"),
        Sentence(.test, .refusal(429, "There are at most 10"), "throttled", "send fewer at a time"),
        Sentence(.telemetry, .closed, "cannot_connect", "the hub cannot be reached"),
        Sentence(.put, .cut, "connection_lost", "may have been carried out or not"),
        Sentence(.test, .status(201, "<html/>"), "unreadable_answer", "its root is not NotificationOutcome"),
        Sentence(.test, .status(201, ""), "unreadable_answer", "not XML"),
        Sentence(
            .telemetry,
            .status(200, "<NotificationOutcome/>"),
            "unreadable_answer",
            "its root is not NotificationDetails"
        ),
        Sentence(.schedule, .status(201), "unreadable_answer", "contains no message ID"),
        Sentence(.createID, .status(201), "unreadable_answer", "its Location has no ID"),
        Sentence(.create, .status(200, "<entry/>"), "unreadable_answer", "content"),
        Sentence(
            .list,
            .status(200, "<feed><title>Publicly Listed Services</title></feed>"),
            "unreadable_answer",
            "is there a hub at this address?"
        ),
        Sentence(.readInstallation, .status(200, "not json"), "unreadable_answer", "not well formed"),
    ]

    @Test(arguments: sentences)
    func `an error contains what failed, where, and what to do`(sentence: Sentence) async throws {
        let error = try await failure(of: sentence.call, sentence.turn)
        #expect(error.label == sentence.label)
        #expect(error.message.contains("https://newsdesk.servicebus.windows.net/breaking"))
        for words in sentence.words { #expect(error.message.contains(words), "\(error)") }
        #expect(error.attempts == 1)
        #expect(!error.description.contains("made-up-key"))
    }

    @Test func `a success with an unreadable answer means that the message was accepted`() async throws {
        let error = try await failure(of: .test, .status(201, "<html/>"))
        #expect(error.mayHaveBeenAccepted)
        #expect(!error.isRetriable)
    }

    @Test func `an error does not contain the id of an installation`() async throws {
        let transport = ScriptedTransport([.refusal(400, "The installation 'secret-phone' is invalid.")])
        let client = try NotificationHubClient.scripted(transport, retries: .never)
        let error = await #expect(throws: HubError.self) { try await client.installation("secret-phone") }
        #expect(error?.description.contains("secret") == false)
        #expect(transport.requests.first?.url.contains("installations/secret-phone?") == true)
    }

    @Test func `direct sends can be neither tested nor scheduled`() async throws {
        let transport = ScriptedTransport([.created])
        let client = try NotificationHubClient.scripted(transport)
        let message = try HubMessage.native(format: .apple, body: Array("{}".utf8))
        for audience in [HubAudience.device(.apns(deviceToken: "00FC")), .devices(["00FC"])] {
            let test = await #expect(throws: HubError.self) { try await client.test(message, to: audience) }
            #expect(test?.code == .invalidMessage)
            let scheduled = await #expect(throws: HubError.self) {
                try await client.schedule(message, to: audience, at: .init(seconds: 1_767_225_600))
            }
            #expect(scheduled?.code == .invalidMessage)
        }
        #expect(transport.requests.isEmpty)
    }
}
