import NewsflashCertificates
import NewsflashCommandLineArguments
import NewsflashGateway
import NewsflashHTTPServer
import NewsflashKafka
import NewsflashObservability
import NewsflashOperations
import NewsflashWorker

/// `newsflash gateway`
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Serve apps: sign in, register devices, notify users, publish events, until Ctrl-C.",
        discussion: """
            Apps need no key of the hub: they sign in here, and this server sends their requests to the hub. Its connection
            string needs the rights Listen, Send and Manage. When the server has read all that requests need from Kafka, or
            after 30 seconds without Kafka, it prints 'ready' with its URL, and nothing else on the standard output. Before
            that, a line 'waiting for Kafka' is on the standard error; devices are served already. Hub, Kafka and the
            section 'gateway' (rights, tokens, rates) come from the configuration.

              POST   /api/register?handle=…          returns an id for a device, in quotes
              PUT    /api/register/{id}              {"Platform": "apns", "Handle": "…", "Tags": ["…"]}
              DELETE /api/register/{id}
              PUT, PATCH, GET, DELETE /api/installations/{id}
              POST   /api/notifications?pns=apns&to_tag=USER    a JSON string, from user to user
              POST   /api/notifications              to the user's own devices
              GET    /api/notifications/{id}         returns the text of a secure push
              POST   /api/events                     writes an event to Kafka
              GET    /api/events/{id}                returns the outcome of the event
              GET    /livez, /readyz                 without signing in

            --admin-listen serves /livez, /readyz and /metrics (OpenMetrics) on a separate address, without signing in: for
            people on call and Prometheus, not for apps.

            Users sign in with a name and password (Basic) from the file of --users, or with a token (Bearer) as configured
            in gateway.bearer. Only this server sets the tag username:NAME of a device, and no user can access the devices
            of another. Each change, send and refusal is logged.

            The files with users, token keys and the certificate are read again when they change. SIGHUP also reads the
            configuration again: the right to publish and notify (gateway.publishers, gateway.senders) changes at once,
            everything else at the next restart.

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

    @Option(help: "The address to listen on; port 0 selects a free port.")
    var listen = "127.0.0.1:8090"

    @Option(
        help: ArgumentHelp(
            "The address for health and metrics, such as 127.0.0.1:9465; without it they are not served.",
            valueName: "address"
        )
    )
    var adminListen: String?

    @Option(help: ArgumentHelp("The file with the users and the hashes of their passwords.", valueName: "file"))
    var users: String

    @Option(help: ArgumentHelp("The certificate for HTTPS, in PEM, followed by its intermediates.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The key of that certificate, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp("An origin whose pages may call, such as https://news.example.org.", valueName: "origin")
    )
    var allowOrigin: [String] = []

    func validate() throws {
        _ = try gatewayOptions()
    }

    func run() async throws {
        FileDescriptorLimit.raise()
        let interrupts = InterruptSignals()
        interrupts.exitOnSecond()
        let read = try options.read()
        let logger = read.configuration.log.logger
        defer { logger.flush(within: .seconds(1)) }
        let secure = KafkaSecureNotifications(read.configuration, logger: logger)
        let hangups = HangupSignals()
        do throws(KafkaError) {
            try secure.open()
        } catch {
            throw OperationError(.badConfiguration, "kafka: \(error)")
        }
        let gateway = try start(read.configuration, secure: secure, logger: logger)
        let brokers = read.configuration.kafka.bootstrapServers
        StandardError.write("waiting for Kafka at \(brokers), listening at \(gateway.url)")
        let ready = Task {
            if await gateway.waitUntilReady() { StandardOutput.write("ready \(gateway.url)") }
        }
        let source = options.source(of: read)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await interrupts.wait() }
            // Cancelled with the group.
            group.addTask {
                for await _ in hangups.all { Self.reload(gateway, source, logger) }
            }
            await group.next()
            group.cancelAll()
        }
        ready.cancel()
        await gateway.stop()
        await secure.close()
    }

    /// Reads the configuration again and applies it to the running gateway.
    private static func reload(_ gateway: Gateway, _ source: ConfigurationSource, _ logger: Logger) {
        do throws(ConfigurationError) {
            gateway.reload(try source.read().configuration)
        } catch {
            logger.error(
                "the configuration cannot be read again; the previous one stays in force",
                metadata: ["detail": .string(error.description)]
            )
        }
    }

    /// The options for listening, except the files for TLS.
    ///
    /// - Throws: `ValidationError` if an address or origin cannot be parsed.
    func gatewayOptions() throws(ValidationError) -> GatewayOptions {
        guard let address = ListenAddress(listen) else {
            throw ValidationError("'--listen \(listen)' is not an address: write host:port, such as 127.0.0.1:8090.")
        }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("'--tls-certificate' and '--tls-key' go together: give the files of both.")
        }
        var origins: Set<String> = []
        for text in allowOrigin {
            guard let origin = GatewayOptions.origin(text) else {
                throw ValidationError(
                    "'--allow-origin \(text)' is not an origin: write scheme, host and port, such as "
                        + "https://news.example.org."
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
                "'--admin-listen \(adminListen)' is not an address: write host:port, such as 127.0.0.1:9465."
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
            // Read here only to report errors early; the gateway reads the files itself.
            settings.tls = try read()
            settings.tlsFiles = GatewayOptions.TLSSource(paths: [tlsCertificate, tlsKey], read: read)
        }
        do throws(GatewayStartError) {
            try settings.check()
        } catch {
            throw OperationError(.badConfiguration, error.description)
        }
        let directory: UserDirectory
        do throws(UserFileError) {
            directory = try UserDirectory(users, logger: logger)
        } catch {
            throw OperationError(
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
            throw OperationError(error)
        }
    }
}

extension OperationError {
    init(_ error: GatewayStartError) {
        switch error.code {
        case .configuration: self.init(.badConfiguration, error.description)
        case .address: self.init(.unavailable, error.description)
        case .system: self.init(.internalError, error.description)
        }
    }
}
