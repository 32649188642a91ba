import CurlTransport
import HTTPServer
import HTTPTransport
import JWT
import Kafka
import NotificationHubs
import OpenMetrics
import Publishing
package import StructuredLog
package import Worker

/// The application back end: devices of signed-in users, messages between them, events of publishers, texts of secure
/// pushes.
///
/// It keeps nothing about devices itself: whose a device is the hub tells by a tag. So any number of copies may run.
package final class Gateway: Sendable {
    private let server: HTTPServer
    private let admin: AdminServer?
    private let transport: CurlTransport
    private let events: EventDesk
    /// Removes devices of users who are gone; `nil` if nobody can know who they are.
    private let former: FormerUsers?
    private let options: GatewayOptions

    /// Starts a gateway.
    ///
    /// - Parameters:
    ///   - configuration: The worker's, with the section `gateway`.
    ///   - options: Where and how to listen.
    ///   - users: Who may sign in by password.
    ///   - secure: Finds the texts of secure pushes.
    ///   - logger: Takes the audit's lines and troubles.
    /// - Throws: ``GatewayStartError``; nothing runs then.
    package init(
        _ configuration: WorkerConfiguration,
        options: GatewayOptions,
        users: UserDirectory,
        secure: any SecureNotifications,
        logger: Logger
    ) throws(GatewayStartError) {
        try options.check()
        if let problem = configuration.secure.problem { throw GatewayStartError(.configuration, problem) }
        let settings = configuration.gateway
        var authenticators: [any Authenticator] = [UserFileAuthenticator(users)]
        var challenges = [#"Basic realm="newsflash", charset="UTF-8""#]
        if let bearer = settings.bearer {
            authenticators.append(try BearerTokenAuthenticator(bearer))
            challenges.append(#"Bearer realm="newsflash""#)
        }
        // Users of tokens are in no list.
        let knowsAll = settings.bearer != nil
        let rights = GatewayRights(
            publishers: settings.publishers,
            senders: settings.senders,
            isLocal: options.isLocal
        )
        let transport = try Self.transport(configuration)
        let hub = try HubDoor(configuration.hub, transport: transport)
        let kafka = configuration.kafka.logging(to: logger)
        let handles = DeviceHandles(hub: hub)
        let rule = ClientTagRule(probes: configuration.publishing.probe.expression.tags)
        let desk = EventDesk(
            intake: EventIntake(configuration.sources),
            writer: EventWriter(kafka),
            outcomes: OutcomeTail(kafka, topic: configuration.topics.outcomes, logger: logger),
            mayPublish: rights.mayPublish,
            approvals: settings.approvals == .signedIn ? SignedApprovals() : nil,
            policy: configuration.publishing.policy
        )
        let service = GatewayService(
            registrations: RegistrationDesk(handles: handles, rule: rule),
            installations: InstallationDesk(handles: handles, rule: rule),
            notifications: NotificationDesk(
                hub: hub,
                mayNotifyOthers: rights.mayNotifyOthers,
                isUser: { knowsAll || users.has($0.name) }
            ),
            events: desk,
            secure: secure,
            handles: handles
        )
        former = knowsAll ? nil : FormerUsers(users, handles, logger: logger)
        let metrics = GatewayMetrics()
        let handler = GatewayHandler(
            service: service,
            authenticators: authenticators,
            challenges: challenges,
            limits: GatewayLimits(settings, isLocal: options.isLocal),
            origins: CrossOriginRule(allowedOrigins: options.allowedOrigins),
            audit: AuditLog(logger: logger),
            isTLS: options.tls != nil,
            metrics: metrics
        )
        self.options = options
        self.transport = transport
        self.events = desk
        server = try Self.serve(options, settings, handler)
        admin = try Self.serveAdmin(options, metrics, logger)
        do throws(KafkaError) {
            try desk.writer.open()
            try desk.outcomes.open()
        } catch {
            throw GatewayStartError(.configuration, "kafka: \(error)")
        }
        former?.open()
        Self.warn(rights, configuration, logger)
    }

    /// Where it listens, such as `http://127.0.0.1:8090`.
    package var url: String { options.url(port: server.port) }

    /// The port of health and metrics; nothing where they are off.
    package var adminPort: UInt16? { admin?.port }

    /// Ends: no request is taken any more, and what is under way is given up.
    package func stop() async {
        await server.stop()
        await admin?.stop()
        await former?.close()
        await events.outcomes.close()
        await events.writer.close()
        transport.shutdown()
    }

    private static func transport(_ configuration: WorkerConfiguration) throws(GatewayStartError) -> CurlTransport {
        var settings = configuration.transport
        // A client waits, and no longer than this.
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
            maximumBodyBytes: GatewayCall.publishEvent(source: nil).maximumBodyBytes,
            tooLarge: { handler.tooLarge($0) },
            maximumConnections: settings.maximumConnections,
            requestTimeout: settings.requestTimeout
        )
        do throws(HTTPServerError) {
            return try HTTPServer(configuration) { handler.reply(to: $0) }
        } catch {
            throw GatewayStartError(error.code == .certificate ? .configuration : .address, error.description)
        }
    }

    private static func serveAdmin(
        _ options: GatewayOptions,
        _ metrics: GatewayMetrics,
        _ logger: Logger
    ) throws(GatewayStartError) -> AdminServer? {
        guard let address = options.admin else { return nil }
        do throws(HTTPServerError) {
            return try AdminServer(
                address,
                pages: [
                    AdminServer.Page("/livez") { _ in .text("alive\n") },
                    AdminServer.Page("/readyz") { _ in .text("ready\n") },
                    .metrics { metrics.registry.text($0) },
                ],
                logger: logger
            )
        } catch {
            throw GatewayStartError(.address, "--admin-listen: \(error)")
        }
    }

    /// Tells whoever starts it what was left open.
    private static func warn(_ rights: GatewayRights, _ configuration: WorkerConfiguration, _ logger: Logger) {
        for (key, names, what) in [
            ("gateway.publishers", rights.publishers, "publish events"),
            ("gateway.senders", rights.senders, "notify other users"),
        ] where names == nil {
            let who = rights.isLocal ? "everyone who signs in may" : "nobody may"
            logger.warning(
                "the configuration does not say who may do something",
                metadata: ["key": .string(key), "meaning": .string("\(who) \(what)")]
            )
        }
    }
}

extension BearerTokenAuthenticator {
    fileprivate init(_ settings: GatewaySettings.Bearer) throws(GatewayStartError) {
        let key: [UInt8]
        do throws(GatewayKeyError) {
            key = try settings.readKey()
        } catch {
            throw GatewayStartError(.configuration, error.description)
        }
        let algorithm: BearerTokenVerifier.Algorithm =
            switch settings.algorithm {
            case .hs256: .hs256
            case .rs256: .rs256
            case .es256: .es256
            }
        do throws(BearerTokenError) {
            self.init(
                try BearerTokenVerifier(
                    algorithm: algorithm,
                    key: key,
                    issuer: settings.issuer,
                    audience: settings.audience,
                    userClaim: settings.userClaim
                )
            )
        } catch {
            throw GatewayStartError(.configuration, "gateway.bearer: \(settings.keyFile): \(error)")
        }
    }
}
