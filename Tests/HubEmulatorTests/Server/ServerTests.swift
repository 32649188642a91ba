import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServerTests {
    @Test func `a client that has only a connection string can send`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let strings = try hub.connectionStrings.map { try HubConnectionString($0) }
        #expect(strings.map(\.keyName) == hub.rules.map(\.name))
        let port = try #require(strings[0].endpoint.port.flatMap { UInt16(exactly: $0) })
        let client = try HubClient(connection: strings[0], hub: "newsroom")
        let message = try HubMessage.template(properties: [("headline", "é")])
        let request = try client.request(for: message, to: .tags(TagExpression(parsing: "world")))
        let response = try #require(try await PlainConnection.send(request, port: port))
        #expect(response.status == 201)
        #expect(response.headers["Content-Length"] == "0")
        #expect(response.headers["Date"] != nil)
        let reply = HubClient.reply(to: .success(response), now: Timestamp.now())
        #expect(reply.notificationID == hub.sends.first?.notificationID)
        #expect(hub.sends.first?.expression?.description == "world")

        let listener = try HubClient(connection: strings[1], hub: "newsroom")
        let refused = try await PlainConnection.send(listener.request(for: message, to: .broadcast), port: port)
        #expect(refused?.status == 403)
        await hub.stop()
        #expect(hub.url == nil)
        #expect(hub.connectionStrings.isEmpty)
        #expect(hub.sends.count == 1)
    }

    @Test func `a hub that is started twice listens once`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let url = try #require(hub.url)
        try hub.start()
        #expect(hub.url == url)
        await hub.stop()
    }

    @Test func `faults are set over the network, and cut connections or delay answers`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let url = try #require(hub.url)
        let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
        let client = try HubClient(connection: HubConnectionString(hub.connectionStrings[0]), hub: "newsroom")
        let send = try client.request(for: HubMessage.template(properties: [("a", "b")]), to: .broadcast)
        func put(_ faults: String) async throws -> Int? {
            let request = HTTPRequest(method: .put, url: url + "/_emulator/faults", body: Array(faults.utf8))
            return try await PlainConnection.send(request, port: port)?.status
        }
        #expect(try await put(#"{"cut":true,"accepted":true}"#) == 200)
        #expect(try await PlainConnection.send(send, port: port) == nil)
        #expect(hub.sends.count == 1)
        #expect(try await put(#"{"cut":"middle"}"#) == 200)
        // Half of a head is not an answer.
        #expect(try await PlainConnection.send(send, port: port) == nil)
        #expect(hub.sends.count == 2)
        for (fault, status) in [(#"{"latency":"20ms"}"#, 201), (#"{"latency":"20ms","cut":"after"}"#, nil)] {
            #expect(try await put(fault) == 200)
            let start = ContinuousClock.now
            #expect(try await PlainConnection.send(send, port: port)?.status == status)
            #expect(ContinuousClock.now - start >= .milliseconds(20))
        }
        #expect(hub.sends.count == 4)
        #expect(try await put(#"{"status":429,"retryAfter":3}"#) == 200)
        #expect(try await PlainConnection.send(send, port: port)?.headers["Retry-After"] == "3")
        await hub.stop()
    }

    @Test func `batches of a thousand handles are accepted over the network`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let connection = try HubConnectionString(hub.connectionStrings[0])
        let port = try #require(connection.endpoint.port.flatMap { UInt16(exactly: $0) })
        let message = try HubMessage.native(format: .apple, body: Array(#"{"aps":{}}"#.utf8))
        // The handles are as long as Apple's, and together longer than a message may be.
        let handles = (1000..<2000).map { "00fc13adff785122b4ad28809a3420982341241421348097878e577c991d\($0)" }
        let request = try HubClient(connection: connection, hub: "newsroom").request(
            for: message,
            to: .devices(handles)
        )
        #expect(try await PlainConnection.send(request, port: port)?.status == 201)
        #expect(hub.sends.first?.handles == handles)
        await hub.stop()
    }
}
