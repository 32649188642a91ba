import NewsflashGateway
import NewsflashHubEmulator
import NewsflashSigning
import NewsflashTestSupport
import Testing

@Suite("A gateway whose connections are taken by strangers", .timeLimit(.minutes(1)))
struct GatewayStrangersTests {
    private static let count = 300
    /// The line before the port. Without Kafka a gateway is ready only after half a minute, and serves before.
    private static let listening = "waiting for Kafka at 127.0.0.1:1, listening at http://127.0.0.1:"
    private static let body = String(repeating: " ", count: 250_000)

    /// The end of the head, and the body that each of them sends. 300 bodies are 70 MiB.
    @Test(arguments: [
        ("Content-Length: 250000\r\n\r\n", body),
        ("Authorization: Bearer x.y.z\r\nContent-Length: 250000\r\n\r\n", body),
        ("Transfer-Encoding: chunked\r\n\r\nffffff\r\n", body), ("X: ", body), ("Content-Length: 65536\r\n\r\n", "x"),
    ])
    func `the gateway discards what strangers send and serves others`(fields: String, rest: String) async throws {
        let hub = HubEmulator()
        try hub.start()
        let folder = try TemporaryFolder()
        let users = folder.file("users")
        let text = """
            version: 1
            hub: newsroom
            kafka: { bootstrapServers: "127.0.0.1:1" }
            sources: { desk: { topic: news } }
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            gateway: { connectionsPerAddress: "off", rate: { perAddress: 1000000 } }
            """
        let configuration = try folder.write(text, to: "newsflash.yaml")
        let user = try #require(GatewayUser("anna"))
        let cost = try #require(PasswordHash.Cost(logRounds: 4, blockSize: 8, repetitions: 1))
        _ = try UserFile.set(user, PasswordHash(of: Array("seven quiet rivers".utf8), cost: cost), in: users)
        let gateway = try await LeashedProgram(
            [
                try TestProgram.path(), "gateway", "--config", configuration, "--listen", "127.0.0.1:0", "--users",
                users,
            ],
            environment: TestProgram.environment(adding: ["NEWSFLASH_HUB_CONNECTION_STRING": hub.connectionStrings[0]])
        )
        let port = try #require(UInt16(try await gateway.line(after: Self.listening)))
        let other = try RawClient(port: port)
        other.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await other.receiveResponse().status == 200)
        let before = try gateway.residentMemory()
        let strangers = try (0..<Self.count).map { _ in try RawClient(port: port) }
        for stranger in strangers {
            stranger.send("POST /api/events HTTP/1.1\r\nHost: x\r\n\(fields)\(rest)")
            other.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await other.receiveResponse().status == 200)
        }
        let grown = try gateway.residentMemory() - before
        // A sanitizer takes a part of it for itself.
        #expect(grown < (Sanitizer.ofTests == nil ? 16 << 20 : 48 << 20))
        withExtendedLifetime(strangers) {}
        gateway.end()
        await hub.stop()
    }
}
