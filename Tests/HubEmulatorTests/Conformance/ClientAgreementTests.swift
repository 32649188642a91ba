import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashHubRecordings
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(
    "our client and the hub's answers",
    .timeLimit(.minutes(1)),
    .needsRecordings
)
struct ClientAgreementTests {
    /// Sessions whose only call is a send.
    private static let sends = HubSession.names.filter { name in
        guard let calls = try? HubSession(named: name).calls, calls.count == 1 else { return false }
        let target = RecordedTarget(calls[0].target)
        return target.collection == "messages" && (target.id == nil || target.id == "$batch")
    }

    @Test(arguments: sends)
    func `the client reads the service's answer and the emulator's answer in the same way`(name: String) async throws {
        let session = try HubSession(named: name)
        let recording = try #require(session.calls.first)
        let request = try #require(try SessionScript(session).steps.first).request
        let desk = try Desk(policy: request.signer == .listenOnly ? "Listen Only" : "Full")
        let message = try Self.message(of: request)
        let audience = try Self.audience(of: request)
        let recorded = await desk.outcome(of: message, to: audience, over: RecordedTransport(recording))
        let emulated = await desk.outcome(of: message, to: audience, over: EmulatorTransport(desk.hub))
        #expect(recorded.verdict == emulated.verdict)
        #expect((recorded.id == nil) == (emulated.id == nil))
        #expect(emulated.id == desk.hub.sends.first?.notificationID)
        // The id is the last part of the path, whatever else the location contains.
        if let id = recorded.id { #expect(recording["Location"]?.contains("/\(id)?") == true) }
        #expect(recorded.trackingID == recording["TrackingId"])
        #expect(emulated.trackingID != nil)
    }

    @Test func `the recordings contain sends`() {
        #expect(Self.sends.count >= 8)
    }

    private static func message(of request: ScriptedRequest) throws -> HubMessage {
        let format = request.headers["ServiceBusNotification-Format"].flatMap { PushFormat(headerValue: $0) }
        let isBatch = request.headers["Content-Type"]?.hasPrefix("multipart") == true
        return try HubMessage(
            rendered: isBatch ? Array("{}".utf8) : request.body,
            format: #require(format),
            headers: request.headers["X-WNS-Type"].map { [.init("X-WNS-Type", $0)] } ?? []
        )
    }

    private static func audience(of request: ScriptedRequest) throws -> HubAudience {
        if request.target.contains("$batch") {
            let isApple = request.headers["ServiceBusNotification-Format"] == "apple"
            return .devices(["01", "02"].map { isApple ? $0 : "https://push.example.org/\($0)" })
        }
        if let handle = request.headers["ServiceBusNotification-DeviceHandle"] {
            let format = request.headers["ServiceBusNotification-Format"].flatMap { PushFormat(headerValue: $0) }
            guard format != .browser else { return .device(.browser(endpoint: handle, p256dh: "k", auth: "a")) }
            return .device(PushChannel(try #require(format?.platform), handle: handle))
        }
        guard let tags = request.headers["ServiceBusNotification-Tags"] else { return .broadcast }
        return .tags(try TagExpression(parsing: tags))
    }
}

/// The result of our client for an answer.
private struct SendOutcome {
    var verdict = HubReply.Verdict.accepted
    var id: String?
    var trackingID: String?
}

extension Desk {
    fileprivate func outcome(
        of message: HubMessage,
        to audience: HubAudience,
        over transport: any HTTPTransport
    ) async -> SendOutcome {
        do throws(HubError) {
            let acceptance = try await client.send(message, to: audience, over: transport)
            return SendOutcome(id: acceptance.notificationID, trackingID: acceptance.trackingID)
        } catch {
            return SendOutcome(verdict: error.reply?.verdict ?? .unknown, trackingID: error.reply?.trackingID)
        }
    }
}

/// Answers every request with the same recorded answer.
private struct RecordedTransport: HTTPTransport {
    let response: HTTPResponse

    init(_ recording: HubRecording) {
        self.response = HTTPResponse(
            status: recording.status,
            headers: HTTPHeaders(recording.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
            body: Array(recording.body.utf8)
        )
    }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        receiver.receive(exchanges.map { HTTPExchangeResult(id: $0.id, result: .success(response)) })
    }
}

/// Carries requests to an emulator in the same process.
private struct EmulatorTransport: HTTPTransport {
    let hub: HubEmulator

    init(_ hub: HubEmulator) { self.hub = hub }

    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
        receiver.receive(
            exchanges.map {
                HTTPExchangeResult(id: $0.id, result: .success(hub.answer(EmulatedRequest($0.request)).response))
            }
        )
    }
}
