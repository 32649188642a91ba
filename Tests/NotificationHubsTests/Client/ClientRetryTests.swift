import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Retries of the client", .timeLimit(.minutes(1)))
struct ClientRetryTests {
    typealias Turn = ScriptedTransport.Turn

    private static let phone = RegistrationDescription(channel: .apns(deviceToken: "00FC"))

    /// The calls, and whether a repeated one has the same effect.
    enum Call: CaseIterable {
        case send, test, schedule, create
        case createID, upsert, read, delete, list, readInstallation, put, patch, deleteInstallation, cancel, telemetry

        var isRepeatable: Bool { ![.send, .test, .schedule, .create].contains(self) }

        func run(_ client: NotificationHubClient) async throws(HubError) {
            guard let message = try? HubMessage.template(properties: [("a", "b")]) else { return }
            switch self {
            case .send: _ = try await client.send(message, to: .broadcast)
            case .test: _ = try await client.test(message, to: .broadcast)
            case .schedule: _ = try await client.schedule(message, to: .broadcast, at: .init(seconds: 1_767_225_600))
            case .create: _ = try await client.createRegistration(phone)
            case .createID: _ = try await client.createRegistrationID()
            case .upsert: _ = try await client.upsertRegistration("1-2-3", phone)
            case .read: _ = try await client.registration("1-2-3")
            case .delete: _ = try await client.deleteRegistration("1-2-3")
            case .list: _ = try await client.registrations()
            case .readInstallation: _ = try await client.installation("i")
            case .put: try await client.putInstallation(Installation(id: "i", channel: .apns(deviceToken: "00FC")))
            case .patch: try await client.patchInstallation("i", InstallationPatch([.setUser("anna")]))
            case .deleteInstallation: try await client.deleteInstallation("i")
            case .cancel: try await client.cancelScheduled("s")
            case .telemetry: _ = try await client.telemetry(of: "NH-1")
            }
        }
    }

    /// Returns the error of a call whose turns all fail, with a refusal after them.
    private func failure(
        of call: Call,
        _ turns: [Turn],
        retries: HubRetryPolicy = .default
    ) async throws -> (error: HubError, requests: Int) {
        let transport = ScriptedTransport(turns)
        let client = try NotificationHubClient.scripted(transport, retries: retries)
        let error = await #expect(throws: HubError.self) { try await call.run(client) }
        return (try #require(error), transport.requests.count)
    }

    @Test(
        arguments: Call.allCases,
        [Turn.refusal(429, "The request was throttled."), .refusal(500, ""), .refusal(503, ""), .closed]
    )
    func `a request that was surely not received is tried four times`(call: Call, turn: Turn) async throws {
        let (error, requests) = try await failure(of: call, Array(repeating: turn, count: 9))
        #expect(requests == 6)
        #expect(error.attempts == 6)
        #expect(error.isRetriable)
        #expect(error.code == .notAccepted)
    }

    @Test(arguments: Call.allCases, [Turn.cut, .refusal(502, ""), .refusal(504, ""), .refusal(408, "")])
    func `a request that may have been processed is repeated only if that has the same effect`(
        call: Call,
        turn: Turn
    ) async throws {
        let (error, requests) = try await failure(of: call, Array(repeating: turn, count: 9))
        #expect(requests == (call.isRepeatable ? 6 : 1))
        #expect(error.mayHaveBeenAccepted)
        #expect(error.isRetriable)
    }

    @Test func `a message is sent again after a cut connection if its caller wants that`() async throws {
        let policy = HubRetryPolicy(resendsAfterLostConnections: true)
        for call in [Call.send, .test, .schedule] {
            #expect(try await failure(of: call, Array(repeating: .cut, count: 9), retries: policy).requests == 6)
        }
        // A repeat would leave two.
        #expect(try await failure(of: .create, [.cut, .cut], retries: policy).requests == 1)
    }

    @Test(arguments: Call.allCases, [400, 402, 403, 405, 410, 412, 413])
    func `a refused request is not repeated`(call: Call, status: Int) async throws {
        // A deletion of a missing resource is a success.
        if call == .delete, status == 410 { return }
        let (error, requests) = try await failure(of: call, [.refusal(status, ""), .cut])
        #expect(requests == 1)
        #expect(error.reply?.status == status)
        #expect(!error.isRetriable)
        #expect(!error.mayHaveBeenAccepted)
    }

    @Test(arguments: Call.allCases)
    func `a refused token is renewed once`(call: Call) async throws {
        let refusal = Turn.refusal(401, "ExpiredToken: .")
        let (error, requests) = try await failure(of: call, [refusal, refusal, .cut])
        #expect(requests == 2)
        #expect(error.label == "unauthorized")
        #expect(error.message.contains("check key, policy name and this machine's clock"))
    }

    @Test func `an answer that is too large is not requested again`() async throws {
        let large = Turn.failure(.init(.responseTooLarge, "more than 1 MiB", mayHaveBeenReceived: true))
        #expect(try await failure(of: .list, [large, large]).requests == 1)
    }

    @Test func `a call over a stopped transport is not repeated`() async throws {
        let ended = Turn.failure(.init(.cancelled, "shut down", mayHaveBeenReceived: false))
        let (error, requests) = try await failure(of: .read, [ended, ended])
        #expect(requests == 1)
        #expect(error.code == .notAccepted)
    }

    @Test func `each attempt has its own tracking id and the same body`() async throws {
        let transport = ScriptedTransport([.refusal(503, ""), .closed, .created])
        let message = try HubMessage.template(properties: [("a", "b")])
        let acceptance = try await NotificationHubClient.scripted(transport).send(message, to: .broadcast)
        #expect(acceptance.notificationID == "NH-1-06")
        let requests = transport.requests
        #expect(Set(requests.compactMap { $0.headers["TrackingId"] }).count == 3)
        #expect(Set(requests.map(\.body)) == [message.body])
    }

    @Test func `the error of a call contains whether any attempt may have been processed`() async throws {
        let turns = [Turn.cut, .refusal(400, "")]
        let (error, _) = try await failure(of: .upsert, turns)
        #expect(error.reply?.status == 400)
        #expect(error.mayHaveBeenAccepted)
        #expect(error.message.contains("2 attempts; one of them may have been carried out"))
    }

    @Test func `a resource that an attempt may have removed may be missing in the next`() async throws {
        let missing = Turn.refusal(404, "")
        let client = try NotificationHubClient.scripted(ScriptedTransport([.cut, missing, .cut, missing, missing]))
        #expect(try await client.deleteRegistration("1-2-3"))
        try await client.cancelScheduled("s")
        #expect(try await client.deleteRegistration("1-2-3") == false)
    }
}
