import NewsflashCurlTransport
import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashJWT
import NewsflashKafka
package import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
package import NewsflashWorker
import NotificationHubs

/// The application back end: devices of signed-in users, messages between users, events of publishers, texts of secure pushes.
///
/// Stores nothing about devices: a tag in the hub identifies a device's owner. So any number of gateways can run.
package final class Gateway: Sendable {
    private let server: HTTPServer
    private let admin: AdminServer?
    private let transport: CurlTransport
    private let events: EventController
    /// Removes the devices of former users; `nil` if the list of users is not complete, because issuers of tokens have more.
    private let former: FormerUsers?
    private let options: GatewayOptions
    private let logger: Logger
    private let users: UserDirectory
    private let verifier: WatchedFiles<BearerTokenVerifier>?
    private let certificate: CertificateMonitor?
    private let rights: CurrentValue<GatewayRights>
    private let health: GatewayHealth

    /// Starts a gateway.
    ///
    /// - Parameters:
    ///   - configuration: The worker's configuration, with the section `gateway`.
    ///   - options: The addresses and their settings.
    ///   - users: The users who may sign in by password.
    ///   - secure: Finds the texts of secure pushes.
    ///   - logger: The logger for the audit log and for faults.
    /// - Throws: ``GatewayStartError``; nothing is running then.
    package init(
        _ configuration: WorkerConfiguration,
        options: GatewayOptions,
        users: UserDirectory,
        secure: any SecureNotifications,
        logger: Logger
    ) throws(GatewayStartError) {
        let certificate = try options.tlsFiles.map { files throws(GatewayStartError) in
            try CertificateMonitor(files, logger)
        }
        var options = options
        if let certificate { options.tls = certificate.first }
        try options.check()
        if let problem = configuration.secure.problem { throw GatewayStartError(.configuration, problem) }
        let settings = configuration.gateway
        let limits = GatewayLimits(settings, isLocal: options.isLocal)
        var authenticators: [any Authenticator] = [UserFileAuthenticator(users, limits.wrongSignIns)]
        var challenges = [#"Basic realm="newsflash", charset="UTF-8""#]
        let verifier = try settings.bearer.map { bearer throws(GatewayStartError) in try Self.verifier(bearer, logger) }
        if let verifier {
            authenticators.append(BearerTokenAuthenticator(limits.wrongSignIns) { verifier.value(now: .now) })
            challenges.append(#"Bearer realm="newsflash""#)
        }
        // The users file does not contain users of tokens.
        let knowsAll = settings.bearer != nil
        let rights = CurrentValue(GatewayRights(publishers: settings.publishers, senders: settings.senders))
        let transport = try Self.transport(configuration)
        let hub = try GatewayHub(configuration.hub, transport: transport)
        let kafka = configuration.kafka.logging(to: logger)
        let handles = DeviceHandles(hub: hub)
        let rule = ClientTagRule(probes: configuration.publishing.probe.expression.tags)
        let desk = EventController(
            intake: EventValidator(configuration.sources),
            writer: EventWriter(kafka),
            outcomes: OutcomeFollower(kafka, topic: configuration.topics.outcomes, logger: logger),
            mayPublish: { rights.value.mayPublish($0) },
            approvals: settings.approvals == .signedIn ? SignedApprovals() : nil,
            policy: configuration.publishing.policy
        )
        let service = GatewayService(
            registrations: RegistrationController(handles: handles, rule: rule),
            installations: InstallationController(handles: handles, rule: rule),
            notifications: NotificationController(
                hub: hub,
                mayNotifyOthers: { rights.value.mayNotifyOthers($0) },
                isUser: { knowsAll || users.has($0.name) }
            ),
            events: desk,
            secure: secure,
            handles: handles
        )
        former = knowsAll ? nil : FormerUsers(users, handles, logger: logger)
        let metrics = GatewayMetrics()
        let health = GatewayHealth(
            started: .now,
            isRead: { desk.outcomes.isCurrent && secure.isReady },
            waitUntilRead: {
                guard await desk.outcomes.waitUntilCurrent() else { return false }
                return await secure.waitUntilReady()
            },
            faults: {
                var faults: [String] = []
                if let fault = desk.writer.fault { faults.append("kafka: \(fault)") }
                if let fault = users.fault { faults.append("users: \(fault)") }
                if let fault = certificate?.files.fault(now: .now) { faults.append("certificate: \(fault)") }
                if let fault = verifier?.fault(now: .now) { faults.append("gateway.bearer: \(fault)") }
                return faults
            }
        )
        let handler = GatewayHandler(
            service: service,
            authenticators: authenticators,
            challenges: challenges,
            limits: limits,
            origins: CrossOriginRule(allowedOrigins: options.allowedOrigins),
            audit: AuditLog(logger: logger),
            isTLS: options.tls != nil,
            metrics: metrics,
            proxies: TrustedProxies(ranges: settings.trustedProxies),
            rights: rights,
            health: health
        )
        self.options = options
        self.transport = transport
        self.events = desk
        self.logger = logger
        self.users = users
        self.verifier = verifier
        self.certificate = certificate
        self.rights = rights
        self.health = health
        // Opened before the first request, which otherwise would find the writer closed.
        do throws(KafkaError) {
            try desk.writer.open()
            try desk.outcomes.open()
        } catch {
            throw GatewayStartError(.configuration, "kafka: \(error)")
        }
        do throws(GatewayStartError) {
            server = try Self.serve(options, settings, handler)
            admin = try Self.serveAdmin(options, metrics, health, logger)
        } catch {
            // Not awaited, because the program ends.
            Task {
                await desk.outcomes.close()
                await desk.writer.close()
            }
            throw error
        }
        former?.open()
        certificate?.open(server)
        warn()
    }

    /// Applies the settings that can change at run time: publishers and senders. Reads the files of the users, the token keys
    /// and the certificate again at once. The other keys of the section `gateway` need a restart.
    package func reload(_ configuration: WorkerConfiguration) {
        let settings = configuration.gateway
        rights.value = GatewayRights(publishers: settings.publishers, senders: settings.senders)
        users.check()
        verifier?.check()
        certificate?.files.check()
        logger.notice("user rights were read again")
        warn()
    }

    /// Waits until everything that requests need has been read from Kafka, or ``GatewayHealth/patience`` is over.
    ///
    /// - Returns: `false` if the task was cancelled before.
    package func waitUntilReady() async -> Bool { await health.waitUntilReady() }

    /// The URL of the server, for example `http://127.0.0.1:8090`.
    package var url: String { options.url(port: server.port) }

    /// The port for health and metrics; `nil` if they are off.
    package var adminPort: UInt16? { admin?.port }

    /// Stops: accepts no more requests and aborts the requests in progress.
    package func stop() async {
        await certificate?.close()
        await server.stop()
        await admin?.stop()
        await former?.close()
        await events.outcomes.close()
        await events.writer.close()
        transport.shutdown()
    }

    /// The transport to the hub.
    static func transport(_ configuration: WorkerConfiguration) throws(GatewayStartError) -> CurlTransport {
        var settings = configuration.transport
        // An upper limit, because a client waits for the response.
        settings.requestTimeout = min(settings.requestTimeout, .seconds(15))
        do throws(HTTPTransportError) {
            return try CurlTransport(settings)
        } catch {
            throw GatewayStartError(.system, error.description)
        }
    }

    private static func serve(
        _ options: GatewayOptions,
        _ settings: GatewaySettings,
        _ handler: GatewayHandler
    ) throws(GatewayStartError) -> HTTPServer {
        let configuration = HTTPServerConfiguration(
            host: options.address.host,
            port: options.address.port,
            tls: options.tls,
            // Sufficient for 64 of the largest events at once, or a thousand registrations, all of signed-in users.
            bodyBudget: 16 << 20,
            maximumConnections: settings.maximumConnections,
            maximumConnectionsPerAddress: settings.connectionsPerAddress,
            addressesOfProxies: settings.trustedProxies,
            requestTimeout: settings.requestTimeout
        )
        do throws(HTTPServerError) {
            return try HTTPServer(configuration, decide: handler.decide, refuse: handler.refuse)
        } catch {
            throw GatewayStartError(error.code == .certificate ? .configuration : .address, error.description)
        }
    }

    private static func serveAdmin(
        _ options: GatewayOptions,
        _ metrics: GatewayMetrics,
        _ health: GatewayHealth,
        _ logger: Logger
    ) throws(GatewayStartError) -> AdminServer? {
        guard let address = options.admin else { return nil }
        do throws(HTTPServerError) {
            return try AdminServer(
                address,
                pages: [
                    AdminServer.Page("/livez") { _ in .text("alive\n") },
                    AdminServer.Page("/readyz") { _ in health.report() },
                    .metrics { metrics.registry.text($0) },
                ],
                logger: logger
            )
        } catch {
            throw GatewayStartError(.address, "--admin-listen: \(error)")
        }
    }

    /// Logs the rights that the configuration gives to nobody.
    private func warn() {
        let rights = rights.value
        for (key, names, what) in [
            ("gateway.publishers", rights.publishers, "publish events"),
            ("gateway.senders", rights.senders, "notify other users"),
        ] where names == nil {
            logger.warning(
                "the configuration gives a right to nobody",
                metadata: ["key": .string(key), "meaning": .string("nobody may \(what)")]
            )
        }
    }

    private static func verifier(
        _ settings: GatewaySettings.Bearer,
        _ logger: Logger
    ) throws(GatewayStartError) -> WatchedFiles<BearerTokenVerifier> {
        do throws(WatchedFilesError) {
            return try WatchedFiles("token keys", [settings.keyFile], logger: logger) { _ throws(WatchedFilesError) in
                do throws(GatewayStartError) {
                    return try BearerTokenVerifier(settings)
                } catch {
                    throw WatchedFilesError(description: error.message)
                }
            }
        } catch {
            throw GatewayStartError(.configuration, error.description)
        }
    }
}

extension BearerTokenVerifier {
    /// Creates the verifier for a configuration.
    ///
    /// - Throws: ``GatewayStartError`` if the key file cannot be read or is invalid.
    package init(_ settings: GatewaySettings.Bearer) throws(GatewayStartError) {
        let key: [UInt8]
        do throws(GatewayKeyError) {
            key = try settings.readKey()
        } catch {
            throw GatewayStartError(.configuration, error.description)
        }
        let algorithm: Algorithm =
            switch settings.algorithm {
            case .hs256: .hs256
            case .rs256: .rs256
            case .es256: .es256
            case .eddsa: .eddsa
            }
        do throws(BearerTokenError) {
            try self.init(
                algorithm: algorithm,
                key: key,
                issuer: settings.issuer,
                audience: settings.audience,
                userClaim: settings.userClaim,
                maximumLifetime: settings.maximumLifetime
            )
        } catch {
            throw GatewayStartError(.configuration, "gateway.bearer: \(settings.keyFile): \(error)")
        }
    }
}

/// The reason why a gateway cannot start.
package struct GatewayStartError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    package enum Code: String, Sendable {
        /// The configuration is invalid.
        case configuration = "gateway_configuration"
        /// The address cannot be bound.
        case address = "gateway_address"
        /// The system has no threads or memory left.
        case system = "gateway_system"
    }

    /// The kind of the error.
    package let code: Code
    /// The message: what failed, where, and what to do; contains no secret.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message, followed by the code.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
