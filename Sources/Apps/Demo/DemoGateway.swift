import NewsflashGateway
import NewsflashHubEmulator
import NewsflashObservability
import NewsflashSigning
import NewsflashWorker

/// The demo's gateway with two made-up users, whose passwords are random and printed.
struct DemoGateway: Sendable {
    private static let names = ["anna", "ben"]

    private let gateway: Gateway
    private let secure: KafkaSecureNotifications
    /// The gateway's address and users, for the console.
    let facts: GatewayFacts

    /// Starts the gateway on a free port of loopback.
    ///
    /// - Parameters:
    ///   - configuration: The worker's configuration.
    ///   - console: The origin of the page that may send requests.
    ///   - logger: Receives errors.
    /// - Returns: The running gateway.
    /// - Throws: The error if it cannot start.
    static func start(
        _ configuration: WorkerConfiguration,
        for console: String,
        logger: Logger
    ) throws -> DemoGateway {
        let users = names.map { ($0, String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)) }
        var file = UserFile()
        for (name, password) in users {
            guard let user = GatewayUser(name) else { continue }
            // A low cost, because these passwords protect nothing.
            let cost = PasswordHash.Cost(logRounds: 10, blockSize: 8, repetitions: 1) ?? .standard
            file.set(user, try PasswordHash(of: Array(password.utf8), cost: cost))
        }
        var configuration = configuration
        configuration.gateway.publishers = Set(names)
        configuration.gateway.senders = Set(names)
        let secure = KafkaSecureNotifications(configuration, logger: logger)
        let gateway = try Gateway(
            configuration,
            options: GatewayOptions(allowedOrigins: [console, console.replacing("127.0.0.1", with: "localhost")]),
            users: UserDirectory(file),
            secure: secure,
            logger: logger
        )
        try secure.open()
        return DemoGateway(
            gateway: gateway,
            secure: secure,
            facts: GatewayFacts(url: gateway.url, users: users.map { (name: $0, password: $1) })
        )
    }

    /// The users in words, such as `anna (password 7f3a91c2) or ben (password 5e0d2b44)`.
    var usersInWords: String {
        facts.users.map { "\($0.name) (password \($0.password))" }.joined(separator: " or ")
    }

    /// Stops the gateway.
    func stop() async {
        await gateway.stop()
        await secure.close()
    }
}
