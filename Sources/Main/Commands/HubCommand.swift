import NewsflashCertificates
import NewsflashCommandLineArguments
import NewsflashHTTPServer
import NewsflashHubEmulator
import NewsflashObservability
import NewsflashOperations
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs

/// `newsflash hub`
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Emulate a notification hub on this machine, until Ctrl-C.",
        discussion: """
            When the emulator is ready, it prints 'ready' with its URL and a connection string for each rule, one a line,
            and nothing else on the standard output. Give one of these to a worker or an app as if the hub were Azure's;
            signatures are verified as there.

            Open the URL in a browser: the console has simulated devices, a form for every kind of send, live lists of
            registered devices, sends and refusals, and a switch for faults. /_emulator/sends, /_emulator/deliveries and
            /_emulator/requests show the accepted sends, the notifications of each device and the last 1,000 requests,
            until the emulator ends. For a refused token they show the signed and the requested resource. Anyone on this
            machine can read them. Pages of other sites cannot: these URLs respond only to the names and addresses of this
            machine and to those of --allow-host.

            If the emulator listens on an address other than loopback, such as 0.0.0.0, the console and /_emulator need a
            token: that of --console-token, otherwise a random one. The URL that opens the console is then on the standard
            error. Scripts send 'Authorization: Bearer TOKEN'. On loopback no token is needed unless you set one.

            --log also writes each request to the standard error. --data keeps registrations and installations over
            restarts and 'kill -9', scheduled sends, and the hubs that clients made, with their keys and settings.

            Without --rule the emulator makes two rules with random keys, one with all rights and one that may listen. The
            keys are new at each start; --data keeps them, so that connection strings stay valid. Keys of --rule are not
            kept and are valid as long as the emulator runs; without --rule the kept keys are valid again. Anyone who can
            list the processes of this machine can read keys given with --rule: do not use keys of a real hub.

            --tls serves HTTPS, which the .NET SDK needs, instead of HTTP; --tls-listen serves both. The emulator makes its
            own certificate authority, prints on the standard error how to trust it, and keeps it with --data. The
            certificate is for localhost, 127.0.0.1, ::1 and the names of --tls-name; the authority is valid only for the
            names of its first start.

            Faults are JSON: --fault sets them at the start, PUT /_emulator/faults at any time. Effects: status (with
            error, retryAfter, accepted), cut (before, after, middle), latency (also p50 and p99), throttle. Conditions:
            operations, requests, containing, rate, count, after, for, every. Results of deliveries to platforms: outcome
            (with rate, platform, handle). With --seed, the same requests get the same faults.

            Examples:
              newsflash hub
              newsflash hub --listen 127.0.0.1:0 --name regional --rule 'worker=c2VjcmV0:Send'
              newsflash hub --data devices --tier basic
              newsflash hub --tls --data devices
              newsflash hub --tls-listen 127.0.0.1:8443 --tls-name hub.test
              newsflash hub --fault '{"status": 503, "after": "30s", "for": "60s", "every": "10m"}'
              newsflash hub --fault '{"status": 429, "retryAfter": 5, "rate": 0.1}' --seed 7
              newsflash hub --fault '{"latency": {"p50": "20ms", "p99": "400ms"}}' --fault '{"throttle": 50}'
              newsflash hub --fault '{"cut": "after", "rate": 0.01, "operations": ["send"]}'
              newsflash hub --fault '{"outcome": "WrongToken", "rate": 0.1, "platform": "apns"}'

            With it, in another terminal:
              export NEWSFLASH_HUB_CONNECTION_STRING='Endpoint=…'
              newsflash run --config newsflash.yaml
            """
    )

    @Option(help: "The address to listen on; port 0 selects a free port.")
    var listen = "127.0.0.1:8080"

    @Option(
        help: ArgumentHelp(
            "Another host name that browsers may use for this machine, besides localhost and the listen address.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "The token for the console and /_emulator; without it, a random one if --listen is not loopback.",
            valueName: "text"
        )
    )
    var consoleToken: String?

    @Flag(help: "Serve HTTPS instead of HTTP, with a certificate of the emulator's own authority.")
    var tls = false

    @Option(help: ArgumentHelp("Serve HTTPS on this address, and HTTP on that of --listen.", valueName: "address"))
    var tlsListen: String?

    @Option(help: ArgumentHelp("Another name or address for the certificate.", valueName: "name or address"))
    var tlsName: [String] = []

    @Option(help: ArgumentHelp("The certificate for HTTPS, in PEM, followed by its intermediates.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The key of that certificate, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(help: "The hub's name.")
    var name = "newsroom"

    @Option(
        help: ArgumentHelp(
            "A shared access policy: its name, key and claims.",
            valueName: "NAME=KEY:Listen,Send,Manage"
        )
    )
    var rule: [String] = []

    @Option(help: "The pricing tier of the namespace.")
    var tier = HubTier.standard

    @Option(
        help: ArgumentHelp(
            "The time until a written installation takes effect; in the service it is about a second.",
            valueName: "duration"
        )
    )
    var installationDelay: String?

    @Option(help: "Whether devices and messages of gcm and mpns, which are retired, get a warning or are refused.")
    var retiredPlatforms = RetiredPlatformPolicy.warn

    @Option(help: ArgumentHelp("The number of test sends allowed in any minute.", valueName: "number or 'unlimited'"))
    var testSends = TestSends.number(10)

    @Option(help: ArgumentHelp("A fault that is active from the start.", valueName: "json"))
    var fault: [String] = []

    @Option(help: "The seed for random ids and faults; without it they differ at each start.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("The folder that keeps devices, hubs and random keys.", valueName: "folder"))
    var data: String?

    @Flag(help: "Write a line for each request to the standard error.")
    var log = false

    /// The configuration from the options, parsed once.
    private var checked: HubEmulatorConfiguration?

    mutating func validate() throws {
        checked = try emulated()
    }

    func run() async throws {
        FileDescriptorLimit.raise()
        let interrupts = InterruptSignals()
        var configuration = try checked ?? emulated()
        if log {
            let log = RequestLog()
            configuration.requestObserver = { log.record($0) }
        }
        if let tlsCertificate, let tlsKey {
            configuration.tls?.source = .given(try TLSFiles.certificate(tlsCertificate, key: tlsKey))
        }
        let hub = HubEmulator(configuration)
        do {
            if let data { try hub.keepDevices(in: data) }
            try hub.start()
        } catch let error as DeviceStoreError {
            throw OperationError(.unavailable, error.description)
        } catch let error as HTTPServerError {
            throw OperationError(error.code == .certificate ? .badConfiguration : .unavailable, error.description)
        }
        for (url, strings) in [
            (configuration.servesPlainHTTP ? hub.url : nil, hub.connectionStrings),
            (hub.secureURL, hub.secureConnectionStrings),
        ] {
            guard let url else { continue }
            StandardOutput.write("ready \(url)")
            for text in strings { StandardOutput.write(text) }
        }
        if let url = hub.consoleURL { StandardError.write("The console needs a token. Open \(url)") }
        if hub.authority != nil, let url = hub.secureURL {
            for line in TLSFiles.advice(url: url, folder: data) { StandardError.write(line) }
        }
        await interrupts.wait()
        interrupts.exitOnSecond()
        await hub.stop()
    }

    /// The configuration of the hub from the options.
    ///
    /// - Throws: `ValidationError`, whose message contains no key.
    func emulated() throws(ValidationError) -> HubEmulatorConfiguration {
        var configuration = HubEmulatorConfiguration()
        guard let address = ListenAddress(listen) else {
            throw ValidationError("'--listen \(listen)' is not an address: write host:port, such as 127.0.0.1:8080.")
        }
        guard HubClient.isValid(hubName: name) else {
            throw ValidationError("'--name' takes 1 to 260 letters, digits and . - _.")
        }
        configuration.host = address.host
        configuration.port = address.port
        configuration.allowedHosts = allowHost
        guard consoleToken.map(ConsoleAccess.isValid) ?? true else {
            throw ValidationError("'--console-token' takes 8 to 200 letters, digits, - and _.")
        }
        configuration.consoleToken = consoleToken
        configuration.tls = try tlsSetting(beside: address)
        configuration.servesPlainHTTP = configuration.tls == nil || tlsListen != nil
        configuration.hubName = name
        configuration.tier = tier
        if let installationDelay {
            guard let delay = Duration(configured: installationDelay), delay <= .seconds(3600) else {
                throw ValidationError("'--installation-delay' takes a duration of at most 1h, such as 500ms or 2s.")
            }
            configuration.installationDelay = delay
        }
        configuration.retiredPlatforms = retiredPlatforms
        configuration.testSendsPerMinute = testSends.perMinute
        if let seed { configuration.seed = seed }
        for (index, text) in rule.enumerated() {
            guard let rule = AccessRule(text) else {
                throw ValidationError(
                    "'--rule' number \(index + 1) cannot be read: write NAME=KEY:CLAIMS, with the claims Listen, Send "
                        + "and Manage, separated by commas."
                )
            }
            guard !configuration.rules.contains(where: { $0.name == rule.name }) else {
                throw ValidationError("'--rule' number \(index + 1) has the name of another: use each name once.")
            }
            configuration.rules.append(rule)
        }
        for (index, text) in fault.enumerated() {
            do throws(FaultReader.Problem) {
                let faults = try FaultReader.read(Array(text.utf8))
                configuration.faults += faults.requests
                configuration.deliveryFaults += faults.deliveries
            } catch {
                throw ValidationError("'--fault' number \(index + 1) cannot be read: \(error)")
            }
        }
        return configuration
    }
}

extension HubTier: ExpressibleByArgument {}

extension RetiredPlatformPolicy: ExpressibleByArgument {}

extension UInt64: ExpressibleByArgument {}

extension HubCommand {
    /// The settings for HTTPS; `nil` if the hub does not serve it.
    func tlsSetting(beside plain: ListenAddress) throws(ValidationError) -> HubTLS? {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("'--tls-certificate' and '--tls-key' go together: give the files of both.")
        }
        guard tls || tlsListen != nil || tlsCertificate != nil else {
            guard tlsName.isEmpty else { throw ValidationError("'--tls-name' goes with '--tls' or '--tls-listen'.") }
            return nil
        }
        guard tlsCertificate == nil || tlsName.isEmpty else {
            throw ValidationError(
                "'--tls-name' is for the certificate that this program makes; yours has its own names."
            )
        }
        var address = plain
        if let tlsListen {
            guard let other = ListenAddress(tlsListen) else {
                throw ValidationError(
                    "'--tls-listen \(tlsListen)' is not an address: write host:port, such as 127.0.0.1:8443."
                )
            }
            guard other != plain || other.port == 0 else {
                throw ValidationError(
                    "'--tls-listen' needs a port other than that of '--listen'; for HTTPS there write '--tls' alone."
                )
            }
            address = other
        }
        var names: [CertificateName] = []
        for text in tlsName {
            guard let name = CertificateName(text) else {
                throw ValidationError("'--tls-name \(text)' is neither a host name nor an address; leave out the port.")
            }
            names.append(name)
        }
        return HubTLS(host: address.host, port: address.port, source: .ownAuthority(names: names, folder: data))
    }
}

/// The log of `newsflash hub --log`: one line for each request, on the standard error.
struct RequestLog: Sendable {
    let logger: Logger

    /// Creates a log that never blocks on the standard error.
    init(logger: Logger = Logger(label: "newsflash", handler: TextLogHandler())) {
        self.logger = logger
    }

    /// Logs a request, as a warning if it was refused.
    func record(_ request: RequestRecord) {
        let level = request.isRefusal ? LogLevel.warning : .info
        logger.log(level: level, request.isRefusal ? "refused" : "answered", metadata: Self.metadata(of: request))
    }

    private static func metadata(of request: RequestRecord) -> LogMetadata {
        var metadata: LogMetadata = [
            "http.method": .string(request.method), "http.target": .string(request.target),
            "latency.ms": .double(request.milliseconds),
        ]
        if let status = request.status { metadata["http.status"] = LogValue(status) }
        if let cut = request.cut { metadata["cut"] = .string(cut.rawValue) }
        if request.isByFault { metadata["fault"] = true }
        metadata["error"] = request.error.map { .string($0) }
        metadata["reason"] = request.reason.map { .string($0) }
        if !request.warnings.isEmpty { metadata["warning"] = .string(request.warnings.joined(separator: "; ")) }
        metadata["hub.tracking.id"] = request.trackingID.map { .string($0) }
        metadata["client.tracking.id"] = request.clientTrackingID.map { .string($0) }
        metadata["token.asked"] = request.token.map { .string($0.asked) }
        metadata["token.signed.for"] = request.token?.signedFor.map { .string($0) }
        metadata["token.key.name"] = request.token?.keyName.map { .string($0) }
        return metadata
    }
}

/// The value of `--test-sends`.
enum TestSends: ExpressibleByArgument {
    case number(Int)
    case unlimited

    init?(argument: String) {
        if argument == "unlimited" {
            self = .unlimited
        } else if let number = Int(argument), number >= 0 {
            self = .number(number)
        } else {
            return nil
        }
    }

    /// The limit; `nil` for no limit.
    var perMinute: Int? { if case .number(let number) = self { number } else { nil } }

    var defaultValueDescription: String { perMinute.map { "\($0)" } ?? "unlimited" }
    static var expectedArgument: String { "a whole number of at least 0, or 'unlimited'" }
}

/// Reads certificates for HTTPS and prints how to trust the authority of `newsflash hub`.
enum TLSFiles {
    /// Reads a certificate and its key.
    ///
    /// - Returns: The certificate, which matches the key and is in force.
    /// - Throws: ``OperationError`` with exit code 78 and the name of the file.
    static func certificate(_ certificate: String, key: String) throws(OperationError) -> ServerCertificate {
        let shown = try content(of: certificate)
        let secret = try content(of: key)
        do throws(CertificateError) {
            return try ServerCertificate(certificate: shown, key: secret, now: .now())
        } catch {
            let (file, remedy) =
                switch error.code {
                case .notAKey: (key, "give the key in PEM; 'openssl pkey' removes a passphrase")
                case .otherKey: (key, "give the key that \(certificate) was made for")
                case .expired: (certificate, "renew it")
                default: (certificate, "give the server's own certificate first, in PEM")
                }
            throw OperationError(
                .badConfiguration,
                "cannot use \(file): \(error.message); \(remedy) [\(error.code.rawValue)]"
            )
        }
    }

    private static func content(of file: String) throws(OperationError) -> [UInt8] {
        do throws(CertificateError) {
            if let content = try AuthorityFiles.read(file) { return content }
        } catch {
            throw OperationError(.badConfiguration, error.description)
        }
        throw OperationError(.badConfiguration, "\(file) cannot be read: there is no such file")
    }

    /// Instructions for trusting the authority of a hub in different clients.
    ///
    /// - Parameters:
    ///   - url: The HTTPS URL of the hub.
    ///   - folder: The folder with the authority; `nil` if it is only in memory.
    /// - Returns: Lines of at most 120 characters if the folder's name is short.
    static func advice(url: String, folder: String?) -> [String] {
        let file = folder.map { "\($0)/\(AuthorityFiles.certificateName)" } ?? AuthorityFiles.certificateName
        let first =
            folder == nil
            ? "HTTPS uses a certificate authority that exists only while this hub runs (--data keeps it). Get it with\n"
                + "  curl -k -o \(file) \(url)/_emulator/authority"
            : "HTTPS uses the certificate authority in \(file)."
        return [
            first, "It is valid for the names of this hub only. Trust it on this machine only, and only for yourself:",
            "  curl        --cacert \(file)",
            "  JavaScript  NODE_EXTRA_CA_CERTS=\(file)",
            "  Python      SSL_CERT_FILE=\(file), for requests REQUESTS_CA_BUNDLE=\(file)",
            "  .NET        SSL_CERT_FILE=\(file) on Linux; certutil -user -addstore Root \(file) on Windows;",
            "              security add-trusted-cert -k login.keychain-db \(file) on macOS",
            "  iOS         xcrun simctl keychain booted add-root-cert \(file) for the simulator",
            "  Java        keytool -importcert -noprompt -alias newsflash -file \(file)",
            "              -keystore hub.p12 -storepass hub-trust,",
            "              then -Djavax.net.ssl.trustStore=hub.p12 -Djavax.net.ssl.trustStorePassword=hub-trust",
            "  newsflash   delivery.caFile: \(file)",
        ]
    }
}
