import NewsflashCommandLineArguments
import NewsflashCurlTransport
import NewsflashGateway
import NewsflashHTTPServer
import NewsflashHubEmulator
import NewsflashKafkaTestCluster
import NewsflashSigning
import NewsflashTestSupport
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct GatewayCommandTests {
    private func options(_ arguments: [String]) throws -> GatewayOptions {
        let command = try Newsflash.parseAsRoot(["gateway", "--users", "users"] + arguments)
        return try #require(command as? GatewayCommand).gatewayOptions()
    }

    @Test func `health and metrics are served at the configured address only`() throws {
        #expect(try options([]).admin == nil)
        let admin = try #require(try options(["--admin-listen", "0.0.0.0:9465"]).admin)
        #expect(admin.host == "0.0.0.0")
        #expect(admin.port == 9465)
    }

    @Test(arguments: [
        (["--listen", "8090"], "'--listen 8090' is not an address"),
        (["--admin-listen", "9465"], "'--admin-listen 9465' is not an address"),
        (["--tls-key", "a.pem"], "go together"),
        (["--tls-certificate", "a.pem"], "go together"),
        (["--allow-origin", "news.example.org"], "is not an origin"),
    ])
    func `wrong options are refused with a correct example`(arguments: [String], reason: String) throws {
        let error = try #require(throws: UsageError.self) { try options(arguments) }
        #expect(error.message.contains(reason))
    }

    @Test func `a removed user has no device at the hub, and an unreachable hub is an error`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let client = try NotificationHubClient(
            connection: HubConnectionString(hub.connectionStrings[0]),
            hub: "newsroom",
            transport: CurlTransport(CurlTransportConfiguration())
        )
        for (user, handle) in [("anna", "AA"), ("anna", "BB"), ("bob", "CC")] {
            let channel = PushChannel.apns(deviceToken: handle)
            let tags = [try Tag("username:\(user)")]
            _ = try await client.createRegistration(RegistrationDescription(channel: channel, tags: tags))
        }
        let folder = try TemporaryFolder()
        let users = folder.file("users")
        for name in ["anna", "bob"] { try Self.add(name, to: users) }
        let text = """
            version: 1
            hub: newsroom
            locales: { offered: [en], default: en }
            categories: { World: [world] }
            """
        let configuration = try folder.write(text, to: "newsflash.yaml")
        let environment = TestProgram.environment(adding: [
            "NEWSFLASH_HUB_CONNECTION_STRING": hub.connectionStrings[0]
        ])
        func remove(_ name: String) async throws -> (end: ChildProcess.End, text: String) {
            let process = try ChildProcess(
                [
                    try TestProgram.path(), "gateway", "user", "--users", users, "--config", configuration, "--remove",
                    name,
                ],
                environment: environment
            )
            process.endInput()
            return (try await process.waitForEnd(), process.lines.events.joined(separator: "\n"))
        }
        let anna = try await remove("Anna")
        #expect(anna.end == .exited(0) && anna.text.contains("anna removed; devices removed: 2"), "\(anna.text)")
        #expect(try UserFile.read(users).hashes.keys.sorted() == ["bob"])
        let left = try await client.registrations().registrations
        #expect(left.map { $0.description.tags.map(\.description) } == [["username:bob"]])
        let again = try await remove("anna")
        #expect(again.end == .exited(65) && again.text.contains("has no user anna"), "\(again.text)")
        await hub.stop()
        let bob = try await remove("bob")
        // The user is removed, but devices may be left.
        #expect(bob.end == .exited(69) && bob.text.contains("run this again"), "\(bob.text)")
        #expect(try UserFile.read(users).hashes.isEmpty)
    }

    @Test func `a gateway is ready only after Kafka has answered`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let folder = try TemporaryFolder()
        let users = folder.file("users")
        try Self.add("anna", to: users)
        let cluster = try await KafkaTestCluster.shared()
        let (events, outcomes) = (try await cluster.makeTopic(), try await cluster.makeTopic())
        func start(_ brokers: String) async throws -> LeashedProgram {
            let text = """
                version: 1
                hub: newsroom
                kafka: { bootstrapServers: "\(brokers)" }
                sources: { desk: { topic: \(events) } }
                topics: { outcomes: \(outcomes) }
                locales: { offered: [en], default: en }
                categories: { World: [world] }
                """
            let file = try folder.write(text, to: "newsflash.yaml")
            return try await LeashedProgram(
                [
                    try TestProgram.path(), "gateway", "--config", file, "--listen", "127.0.0.1:0", "--users", users,
                ],
                environment: TestProgram.environment(adding: [
                    "NEWSFLASH_HUB_CONNECTION_STRING": hub.connectionStrings[0]
                ])
            )
        }
        let gateway = try await start(cluster.bootstrapServers)
        let url = try await gateway.line(after: "waiting for Kafka at \(cluster.bootstrapServers), listening at ")
        #expect(try await gateway.line(after: "ready ") == url)
        gateway.end()
        let alone = try await start("127.0.0.1:1")
        _ = try await alone.line(after: "waiting for Kafka at 127.0.0.1:1, listening at ")
        #expect(!alone.lines.events.contains { $0.hasPrefix("ready ") })
        alone.end()
        await hub.stop()
    }

    private static func add(_ name: String, to file: String) throws {
        let user = try #require(GatewayUser(name))
        let cost = try #require(PasswordHash.Cost(logRounds: 4, blockSize: 8, repetitions: 1))
        _ = try UserFile.set(user, PasswordHash(of: Array("seven quiet rivers".utf8), cost: cost), in: file)
    }
}
