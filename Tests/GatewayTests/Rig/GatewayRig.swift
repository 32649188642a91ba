import FoundationEssentials
import NewsflashCurlTransport
import NewsflashGateway
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashSigning
import NewsflashTestSupport
import NewsflashWorker
import NotificationHubs
import Testing

/// A gateway with an emulated hub, over HTTP on the loopback address, and helpers for a client.
struct GatewayRig: Sendable {
    static let passwords = ["anna": "wonderland-1", "bob": "builderland-2", "desk": "deskland-3"]

    let hub: HubEmulator
    let gateway: Gateway
    let log: EventLog<LogEntry>
    let users: String
    let cluster: KafkaTestCluster
    let topic: String
    let outcomes: String
    private let configuration: @Sendable (_ section: String) throws -> WorkerConfiguration
    private let transport: CurlTransport
    private let folder: TemporaryFolder

    /// The gateway's URL.
    var url: String { gateway.url }
    var port: UInt16 { UInt16(url.split(separator: ":").last ?? "") ?? 0 }

    /// Runs a gateway until the body ends.
    ///
    /// - Parameters:
    ///   - section: The section `gateway` of the configuration, indented by two spaces. Without `publishers` or
    ///     `senders` all users are allowed.
    ///   - options: The address and other options of the listener.
    ///   - secure: Finds the texts of secure pushes.
    ///   - authority: A file with the authority of the gateway's certificate.
    ///   - brokers: Addresses of unreachable brokers; `nil` for the cluster of the tests.
    ///   - body: The test.
    /// - Throws: The error of the test or of the start.
    static func run(
        _ section: String = "  rate: { perUser: 10000, perAddress: 100000 }",
        options: GatewayOptions = GatewayOptions(allowedOrigins: ["https://news.example.org"]),
        secure: any SecureNotifications = NoTexts(),
        trusting authority: String? = nil,
        away brokers: String? = nil,
        _ body: (GatewayRig) async throws -> Void
    ) async throws {
        let rig = try await GatewayRig(section, options: options, secure: secure, trusting: authority, away: brokers)
        do {
            try await body(rig)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
    }

    private init(
        _ section: String,
        options: GatewayOptions,
        secure: any SecureNotifications,
        trusting authority: String?,
        away brokers: String?
    ) async throws {
        folder = try TemporaryFolder()
        users = folder.file("users")
        for (name, password) in Self.passwords { try Self.set(name, password, in: users) }
        hub = try Self.startHub()
        cluster = try await KafkaTestCluster.shared()
        topic = try await cluster.makeTopic()
        outcomes = try await cluster.makeTopic()
        log = EventLog<LogEntry>()
        let logger = Logger(label: "newsflash", handler: log)
        configuration = { [hub, cluster, topic, outcomes] in
            try Self.configuration(
                $0,
                hub: hub,
                brokers: brokers ?? cluster.bootstrapServers,
                fetchWait: cluster.fetchWait,
                topic: topic,
                outcomes: outcomes
            )
        }
        gateway = try Gateway(
            configuration(section),
            options: options,
            users: UserDirectory(users, logger: logger),
            secure: secure,
            logger: logger
        )
        var settings = CurlTransportConfiguration()
        settings.caFile = authority
        transport = try CurlTransport(settings)
        // It becomes ready without Kafka too, but only after half a minute.
        guard brokers == nil else { return }
        // The suite's limit bounds the wait.
        _ = try await waitFor { try await ask("GET", "/readyz").status == 200 ? true : nil }
    }

    /// Makes the gateway read its configuration again.
    func reload(_ section: String) throws { gateway.reload(try configuration(section)) }

    /// A configuration with the hub of this gateway.
    func hubConfiguration() throws -> WorkerConfiguration { try configuration("  { publishers: [], senders: [] }") }

    private static func configuration(
        _ section: String,
        hub: HubEmulator,
        brokers: String,
        fetchWait: String,
        topic: String,
        outcomes: String
    ) throws -> WorkerConfiguration {
        var environment = ["NEWSFLASH_HUB_CONNECTION_STRING": hub.connectionStrings[0]]
        let everyone = Self.passwords.keys.joined(separator: ",")
        for (key, variable) in [("publishers", "PUBLISHERS"), ("senders", "SENDERS")] where !section.contains(key) {
            environment["NEWSFLASH_GATEWAY_\(variable)"] = everyone
        }
        return try ConfigurationReader(environment: environment).read(
            text: """
                version: 1
                hub: newsroom
                kafka: { bootstrapServers: "\(brokers)", properties: { fetch.wait.max.ms: \(fetchWait) } }
                sources: { desk: { topic: \(topic) } }
                topics: { outcomes: \(outcomes) }
                locales: { offered: [en, pt-BR], default: en }
                categories: { World: [world], Sports: [sports] }
                gateway:
                \(section)
                """,
            source: "newsflash.yaml"
        ).configuration
    }

    private static func startHub() throws -> HubEmulator {
        var configuration = HubEmulatorConfiguration()
        configuration.hubName = "newsroom"
        configuration.testSendsPerMinute = nil
        configuration.rules = [
            AccessRule(name: "full", key: SharedAccessKey("full key"), claims: [.listen, .send, .manage])
        ]
        let hub = HubEmulator(configuration)
        try hub.start()
        return hub
    }

    private func stop() async {
        await gateway.stop()
        await hub.stop()
        transport.shutdown()
    }

    /// Writes a user to a file, with a hash that is cheap.
    static func set(_ name: String, _ password: String, in file: String) throws {
        guard let user = GatewayUser(name), let cost = PasswordHash.Cost(logRounds: 4, blockSize: 8, repetitions: 1)
        else { throw TestFailure() }
        _ = try UserFile.set(user, PasswordHash(of: Array(password.utf8), cost: cost), in: file)
    }

    /// Removes a user's line from the file.
    func removeUser(_ name: String) throws {
        let lines = String(decoding: try Data(contentsOf: URL(filePath: users)), as: UTF8.self).split(separator: "\n")
        let rest = lines.filter { !$0.hasPrefix(name + ":") }.joined(separator: "\n") + "\n"
        try folder.write(rest, to: "users")
    }

    /// The value of `Authorization` for a user.
    static func basic(_ name: String, _ password: String? = nil) -> String {
        "Basic " + Base64.encode(Array("\(name):\(password ?? passwords[name] ?? "")".utf8))
    }

    /// Sends a request to the gateway.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - path: The path with the query.
    ///   - user: The user who signs in by password; `nil` for nobody.
    ///   - body: The body, sent as JSON, if any.
    ///   - headers: Further fields.
    /// - Returns: The answer.
    /// - Throws: `HTTPTransportError` without an answer.
    func ask(
        _ method: String,
        _ path: String,
        as user: String? = nil,
        _ body: String? = nil,
        headers: HTTPHeaders = []
    ) async throws -> HTTPResponse {
        var all = headers
        if let user { all.append("Authorization", Self.basic(user)) }
        if body != nil, headers["Content-Type"] == nil { all.append("Content-Type", "application/json;charset=utf-8") }
        let answer = try await transport.send(
            HTTPRequest(
                method: HTTPMethod(rawValue: method),
                url: url + path,
                headers: all,
                body: Array((body ?? "").utf8)
            )
        )
        let isDescribed = GatewayDescription.shipped?.has(answer.status, for: method, path) == true
        #expect(isDescribed, "gateway.openapi.yaml lacks \(answer.status) of \(method) \(path.prefix { $0 != "?" })")
        return answer
    }

    /// Runs both steps of the tutorial: an id for a handle, and a registration under it.
    ///
    /// - Returns: The id.
    /// - Throws: ``TestFailure`` if one of the steps is refused.
    @discardableResult
    func register(_ user: String, platform: String = "apns", handle: String, tags: [String] = []) async throws -> String
    {
        let created = try await ask("POST", "/api/register?handle=\(handle)", as: user)
        let id = String(created.text.dropFirst().dropLast())
        let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
        let written = try await ask(
            "PUT",
            "/api/register/\(id)",
            as: user,
            #"{"Platform":"\#(platform)","Handle":"\#(handle)","Tags":[\#(list)]}"#
        )
        guard created.status == 200, written.status == 200 else { throw TestFailure() }
        return id
    }

    /// Creates a client of the hub with all rights, without the gateway.
    func hubClient() throws -> NotificationHubClient {
        try NotificationHubClient(
            connection: HubConnectionString(hub.connectionStrings[0]),
            hub: "newsroom",
            transport: transport
        )
    }
}

/// Something that a test needs was missing.
struct TestFailure: Error {}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
