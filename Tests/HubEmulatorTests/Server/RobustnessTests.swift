import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Clients that break the rules of HTTP", .timeLimit(.minutes(1)))
struct RobustnessTests {
    /// A hub that listens, and a client that has a token.
    private struct Bench {
        let hub: HubEmulator
        let port: UInt16
        let token: String

        /// A client with a new connection.
        func connect() throws -> RawClient { try RawClient(port: port) }

        /// A valid request head.
        func head(_ method: String = "POST", _ path: String = "/newsroom/messages", length: Int = 0) -> String {
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: \(token)\r\n"
                + "ServiceBusNotification-Format: template\r\nContent-Length: \(length)\r\n\r\n"
        }

        /// Whether a send is still accepted.
        func answers() async throws -> Bool {
            let client = try connect()
            client.send(head(length: 9) + #"{"a":"b"}"#)
            return await client.receiveResponse().status == 201
        }
    }

    private func withHub(
        _ adjust: (inout HubEmulatorConfiguration) -> Void = { _ in },
        body: (Bench) async throws -> Void
    ) async throws {
        var configuration = HubEmulatorConfiguration()
        adjust(&configuration)
        let hub = HubEmulator(configuration)
        try hub.start()
        let connection = try HubConnectionString(hub.connectionStrings[0])
        let token = SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: "http://127.0.0.1/newsroom"),
            expiry: Timestamp.now().seconds + 600,
            keyName: hub.rules[0].name,
            key: hub.rules[0].key
        )
        let port = try #require(connection.endpoint.port.flatMap { UInt16(exactly: $0) })
        do {
            try await body(Bench(hub: hub, port: port, token: token.headerValue))
        } catch {
            await hub.stop()
            throw error
        }
        await hub.stop()
    }

    @Test(arguments: [65_537, 1 << 20, 4 << 20 + 1])
    func `a large body is refused with the text of the service and not read`(bytes: Int) async throws {
        try await withHub { bench in
            let client = try bench.connect()
            client.send(bench.head(length: bytes))
            let refused = await client.receiveResponse()
            #expect(refused.status == 413)
            #expect(refused.head.contains("Content-Type: application/xml; charset=utf-8\r\n"))
            #expect(refused.head.contains("TrackingId: "))
            #expect(refused.body.hasPrefix("<Error><Code>413</Code><Detail>The request entity is too large"))
            #expect(await client.waitForEnd())
            #expect(bench.hub.stats.byStatus == [413: 1])
        }
    }

    @Test(arguments: ["HEAD", "OPTIONS", "TRACE", "PATCH", "BREW", "post", "X"])
    func `an unknown method is answered with 405`(method: String) async throws {
        try await withHub { bench in
            let client = try bench.connect()
            client.send(bench.head(method) + bench.head(length: 9) + #"{"a":"b"}"#)
            let refused = await client.receiveResponse(isHead: method == "HEAD")
            #expect(refused.status == 405)
            #expect(refused.head.contains("Content-Type: application/xml; charset=utf-8\r\n"))
            if method != "HEAD" { #expect(refused.body.hasPrefix("<Error><Code>405</Code>")) }
            #expect(await client.receiveResponse().status == 201)
        }
    }

    @Test func `pipelined requests are answered in their order`() async throws {
        try await withHub { bench in
            let client = try bench.connect()
            bench.hub.setFault(Fault(latency: .milliseconds(5), rate: 0.5))
            let texts = (0..<20).map { #"{"n":"\#($0)"}"# }
            client.send(texts.map { bench.head(length: $0.utf8.count) + $0 }.joined())
            for _ in texts { #expect(await client.receiveResponse().status == 201) }
            #expect(bench.hub.sends.map(\.text) == texts)
        }
    }

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}", "\0\0\0\0\r\n\r\n", "\r\n\r\n\r\n", "GET\r\n\r\n",
        "GET /newsroom HTTP/9.9\r\n\r\n", "POST /newsroom/messages HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST /newsroom/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /" + String(repeating: "%", count: 100_000) + " HTTP/1.1\r\n\r\n",
        "GET /newsroom HTTP/1.1\r\nX: " + String(repeating: "y", count: 100_000),
    ])
    func `other clients are answered after bytes that are not HTTP`(bytes: String) async throws {
        try await withHub { bench in
            let client = try bench.connect()
            client.send(bytes)
            #expect(try await bench.answers())
            client.finishSending()
            _ = await client.waitForEnd()
            #expect(try await bench.answers())
        }
    }

    @Test func `other clients are answered while slow bodies arrive, and those are dropped`() async throws {
        try await withHub {
            $0.requestTimeout = .milliseconds(300)
        } body: { bench in
            let slow = try (0..<50).map { _ in try bench.connect() }
            for client in slow { client.send(bench.head(length: 1000) + "{") }
            let trickle = Task {
                while !Task.isCancelled {
                    for client in slow { client.send(" ") }
                    try? await Task.sleep(for: .milliseconds(5))
                }
            }
            defer { trickle.cancel() }
            #expect(try await bench.answers())
            for client in slow { #expect(await client.waitForEnd()) }
            trickle.cancel()
            await trickle.value
            #expect(bench.hub.sends.count == 1)
        }
    }

    @Test func `other clients are answered when unfinished requests use all connections`() async throws {
        try await withHub {
            $0.maximumConnections = 10
        } body: { bench in
            let half = try (0..<50).map { _ in try bench.connect() }
            for (index, client) in half.enumerated() {
                client.send(index % 2 == 0 ? "POST /newsroom/mess" : bench.head(length: 9) + "{")
            }
            #expect(try await bench.answers())
            withExtendedLifetime(half) {}
        }
    }
}
