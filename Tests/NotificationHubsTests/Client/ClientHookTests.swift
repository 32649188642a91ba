import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Hooks of the client", .timeLimit(.minutes(1)))
struct ClientHookTests {
    @Test func `an observer receives each attempt of a call with its result`() async throws {
        let seen = Locked<[HubCallAttempt]>([])
        let transport = ScriptedTransport([
            .closed, .status(401), .status(503, headers: [.init("Retry-After", "7")]), .created,
        ])
        let hub = try NotificationHubClient.scripted(
            transport,
            observer: { attempt in seen.withLock { $0.append(attempt) } }
        )
        try await hub.send(.template(properties: ["a": "b"]), to: .broadcast)
        let attempts = seen.withLock { $0 }
        #expect(attempts.map(\.number) == [1, 2, 3, 4])
        #expect(attempts.map(\.status) == [nil, 401, 503, 201])
        #expect(attempts.map(\.result) == ["cannot_connect", "unauthorized", "unavailable", "accepted"])
        #expect(attempts.map { $0.retryAfter == nil } == [false, false, false, true])
        #expect(attempts[1].retryAfter == .zero)
        #expect(try #require(attempts[2].retryAfter) >= .seconds(7))
        #expect(attempts.allSatisfy { $0.operation == .send && $0.duration >= .zero })
    }

    @Test func `a failed call is observed with its last attempt`() async throws {
        let seen = Locked<[HubCallAttempt]>([])
        let hub = try NotificationHubClient.scripted(
            ScriptedTransport([.refusal(400, "no")]),
            observer: { attempt in seen.withLock { $0.append(attempt) } }
        )
        await #expect(throws: HubError.self) { try await hub.deleteInstallation("i") }
        let attempts = seen.withLock { $0 }
        #expect(attempts.map(\.result) == ["refused"])
        #expect(attempts.map(\.trackingID) == ["7f195ef5_G19"])
        #expect(attempts[0].retryAfter == nil)
    }

    @Test func `another key signs all further requests of a client and its copies`() async throws {
        let transport = ScriptedTransport([.created, .created, .status(200, "<feed/>")])
        let hub = try NotificationHubClient.scripted(transport)
        let copy = hub
        let message = try HubMessage.template(properties: ["a": "b"])
        try await hub.send(message, to: .broadcast)
        try hub.replaceKey(
            with: HubConnectionString(endpoint: "sb://newsdesk.servicebus.windows.net", keyName: "Other", key: "k2")
        )
        try await copy.send(message, to: .broadcast)
        _ = try await copy.hubs()
        let names = transport.requests.map {
            $0.headers["Authorization"]?.split(separator: "skn=").last.map(String.init)
        }
        #expect(names == ["Full", "Other", "Other"])
        let elsewhere = #expect(throws: HubError.self) {
            try hub.replaceKey(with: HubConnectionString(endpoint: "https://other.net", keyName: "Other", key: "k2"))
        }
        #expect(elsewhere?.code == .invalidHubName)
    }

    /// A test double with two of the calls.
    private actor RecordingHub: NotificationHub {
        var sent: [HubMessage] = []

        func send(_ message: HubMessage, to audience: HubAudience) async throws(HubError) -> HubAcceptance {
            guard audience == .broadcast else {
                throw HubError(.notAccepted, "the hub is busy", operation: .send, status: 503)
            }
            sent.append(message)
            return HubAcceptance(notificationID: "\(sent.count)")
        }
    }

    private func raise(_ text: String, over hub: some NotificationHub, to audience: HubAudience) async throws -> String?
    {
        try await hub.send(.template(properties: ["text": text]), to: audience).notificationID
    }

    @Test func `a program works with a test double in place of the client`() async throws {
        let double = RecordingHub()
        #expect(try await raise("x", over: double, to: .broadcast) == "1")
        #expect(await double.sent.count == 1)
        let busy = await #expect(throws: HubError.self) {
            try await raise("x", over: double, to: .devices(["00"]))
        }
        #expect(busy?.isRetriable == true)
        #expect(busy?.label == "unavailable" && busy?.status == 503)
        let missing = await #expect(throws: HubError.self) { try await double.installation("i") }
        #expect(missing?.status == 501)
        let client = try NotificationHubClient.scripted(ScriptedTransport([.created]))
        #expect(try await raise("x", over: client, to: .broadcast) == "NH-1-06")
    }

    @Test func `a connection is made of its parts`() throws {
        let connection = try HubConnectionString(endpoint: "https://Newsdesk.net:8443/", keyName: "n", key: "k=")
        #expect(connection.endpointURL == "https://newsdesk.net:8443")
        #expect(
            connection.textWithKey == "Endpoint=https://newsdesk.net:8443/;SharedAccessKeyName=n;SharedAccessKey=k="
        )
        for (endpoint, name, key) in [("newsdesk.net", "n", "k"), ("sb://h", "", "k"), ("sb://h", "n", "k;x")] {
            #expect(throws: HubValueError.self) { try HubConnectionString(endpoint: endpoint, keyName: name, key: key) }
        }
    }
}
