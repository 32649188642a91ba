import Certificates
import CommandLineArguments
import Gateway
import HTTPServer
import Kafka
import StructuredLog
import Worker

/// `newsflash gateway`
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Serve apps: sign in, register devices, notify users, publish events, until Ctrl-C.",
        discussion: """
            Apps need no key of the hub: they sign in here, and this server, whose connection string may Listen, Send and
            Manage, asks the hub for them. Once it serves, it prints 'ready' with its URL, and nothing else on the standard
            output. Hub, Kafka and the section 'gateway' (who may do what, tokens, rates) come from the configuration.

              POST   /api/register?handle=…          an id for a device, in quotes
              PUT    /api/register/{id}              {"Platform": "apns", "Handle": "…", "Tags": ["…"]}
              DELETE /api/register/{id}
              PUT, PATCH, GET, DELETE /api/installations/{id}
              POST   /api/notifications?pns=apns&to_tag=USER    a JSON string, from user to user
              POST   /api/notifications              to one's own devices
              GET    /api/notifications/{id}         the text of a secure push
              POST   /api/events                     an event, written to Kafka
              GET    /api/events/{id}                what became of it
              GET    /livez, /readyz                 without signing in

            With --admin-listen there are /livez, /readyz and /metrics (OpenMetrics) on an address of their own, without
            signing in: for people on call and Prometheus, not for apps.

            Users sign in with name and password (Basic) from the file of --users, which is read again when it changes,
            or with a token (Bearer) as gateway.bearer says. The tag username:NAME of a device is set here alone, and
            nobody reaches another user's device. Each change, send and refusal is a line of the log.

            The files of users, token keys and the certificate are read again when they change. SIGHUP has the
            configuration read again as well: who may publish and notify (gateway.publishers, gateway.senders) changes at
            once, the rest of it with a restart.

            Without --tls-certificate and --tls-key it listens on a loopback address only.

            Examples:
              newsflash gateway user --users users anna < password
              newsflash gateway --users users
              newsflash gateway --users users --listen 0.0.0.0:8443 --tls-certificate cert.pem --tls-key key.pem

              curl -u anna -X POST 'http://127.0.0.1:8090/api/register?handle=00FC13ADFF785122'
            """,
        subcommands: [GatewayUserCommand.self]
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "Where to listen; port 0 takes a free one.")
    var listen = "127.0.0.1:8090"

    @Option(
        help: ArgumentHelp(
            "Where health and metrics are served, such as 127.0.0.1:9465; nowhere where it is not given.",
            valueName: "address"
        )
    )
    var adminListen: String?

    @Option(help: ArgumentHelp("The users and the hashes of their passwords.", valueName: "file"))
    var users: String

    @Option(help: ArgumentHelp("A certificate to show in HTTPS, in PEM, with those behind it.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The key of that certificate, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp("A page of this origin may ask, such as https://news.example.org.", valueName: "origin")
    )
    var allowOrigin: [String] = []

    func validate() throws {
        _ = try gatewayOptions()
    }

    func run() async throws {
        FileDescriptorLimit.raise()
        let interrupts = Interrupts()
        interrupts.exitOnSecond()
        let read = try options.read()
        let logger = read.configuration.log.logger
        defer { logger.flush(within: .seconds(1)) }
        let secure = KafkaSecureNotifications(read.configuration, logger: logger)
        let hangups = Hangups()
        do throws(KafkaError) {
            try secure.open()
        } catch {
            throw CommandError(.badConfiguration, "kafka: \(error)")
        }
        let gateway = try start(read.configuration, secure: secure, logger: logger)
        StandardOutput.write("ready \(gateway.url)")
        let source = options.source(of: read)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await interrupts.wait() }
            // Ends with the group.
            group.addTask {
                for await _ in hangups.all { Self.reload(gateway, source, logger) }
            }
            await group.next()
            group.cancelAll()
        }
        await gateway.stop()
        await secure.close()
    }

    /// Reads the configuration again for a gateway that runs.
    private static func reload(_ gateway: Gateway, _ source: ConfigurationSource, _ logger: Logger) {
        do throws(ConfigurationError) {
            gateway.reload(try source.read().configuration)
        } catch {
            logger.error(
                "the configuration cannot be read again; the one before stays in force",
                metadata: ["detail": .string(error.description)]
            )
        }
    }

    /// What the options say of listening, but for the files of TLS.
    ///
    /// - Throws: A `ValidationError`.
    func gatewayOptions() throws(ValidationError) -> GatewayOptions {
        guard let address = ListenAddress(listen) else {
            throw ValidationError("'--listen \(listen)' is no address: write host and port, such as 127.0.0.1:8090.")
        }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("'--tls-certificate' and '--tls-key' go together: give the files of both.")
        }
        var origins: Set<String> = []
        for text in allowOrigin {
            guard let origin = GatewayOptions.origin(text) else {
                throw ValidationError(
                    "'--allow-origin \(text)' is no origin: write scheme, host and port, such as https://news.example.org."
                )
            }
            origins.insert(origin)
        }
        return GatewayOptions(address: address, allowedOrigins: origins, admin: try adminAddress())
    }

    private func adminAddress() throws(ValidationError) -> ListenAddress? {
        guard let adminListen else { return nil }
        guard let address = ListenAddress(adminListen) else {
            throw ValidationError(
                "'--admin-listen \(adminListen)' is no address: write host and port, such as 127.0.0.1:9465."
            )
        }
        return address
    }

    private func start(
        _ configuration: WorkerConfiguration,
        secure: KafkaSecureNotifications,
        logger: Logger
    ) throws -> Gateway {
        var settings = try gatewayOptions()
        if let tlsCertificate, let tlsKey {
            let read: @Sendable () throws -> HTTPServerTLS = {
                let pair = try TLSFiles.certificate(tlsCertificate, key: tlsKey)
                return HTTPServerTLS(certificate: pair.certificate, key: pair.key)
            }
            // Here for the sake of its error; the gateway reads them itself.
            settings.tls = try read()
            settings.tlsFiles = GatewayOptions.TLSSource(paths: [tlsCertificate, tlsKey], read: read)
        }
        do throws(GatewayStartError) {
            try settings.check()
        } catch {
            throw CommandError(.badConfiguration, error.description)
        }
        let directory: UserDirectory
        do throws(UserFileError) {
            directory = try UserDirectory(users, logger: logger)
        } catch {
            throw CommandError(
                .badConfiguration,
                "\(error); add users with 'newsflash gateway user --users \(users) NAME'"
            )
        }
        do throws(GatewayStartError) {
            return try Gateway(
                configuration,
                options: settings,
                users: directory,
                secure: secure,
                logger: logger
            )
        } catch {
            throw CommandError(error)
        }
    }
}

extension CommandError {
    init(_ error: GatewayStartError) {
        switch error.code {
        case .configuration: self.init(.badConfiguration, error.description)
        case .address: self.init(.unavailable, error.description)
        case .system: self.init(.internalError, error.description)
        }
    }
}
