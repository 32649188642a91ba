import CommandLineArguments
import HTTPServer
import HubEmulator
import NotificationHubs

/// `newsflash hub`
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Emulate a notification hub on this machine, until Ctrl-C.",
        discussion: """
            Once it serves, it prints 'ready' with its URL and then a connection string for each rule, a line each, and
            nothing else on the standard output. Hand one of them to a worker or an app as if the hub were Azure's.
            Signatures are verified as there. Open the URL in a browser: its console has simulated phones, a form that
            sends news, a live list of sends, one of refusals and a switch for faults. What was accepted, what each device
            got and what became of the last 1,000 requests can be looked at, by anyone on this machine, under
            /_emulator/sends, /_emulator/deliveries and /_emulator/requests, and is forgotten when it ends. Pages of other
            sites cannot: a host that is no own name or address is not answered there, but for those of --allow-host. Of a
            refused token it tells what it was signed for, beside what was asked. With --log each request is a line on the
            standard error too. With --data, registrations and installations outlive it, 'kill -9' included, and
            so do the hubs that clients made, with their keys and settings.

            Without --rule it makes two rules with random keys, one that may do everything and one that may listen: new
            ones at each start, or with --data at the first one, so that connection strings stay good. Keys of --rule are
            not kept and count for as long as it runs; those that are kept come back without --rule. Keys given with
            --rule are seen by whoever may list the processes of this machine: use none of a real hub.

            With --tls it speaks HTTPS, as the .NET SDK wants it, in place of HTTP; with --tls-listen it speaks both. It
            makes an authority of its own, tells on the standard error how clients are told to trust it, and keeps it with
            --data. Its certificate is for localhost, 127.0.0.1, ::1 and the names of --tls-name, and its authority may
            vouch for no others than those of its first start.

            Faults are JSON, from the start with --fault and at any time with PUT /_emulator/faults. What they do: status
            (with error, retryAfter, accepted), cut (before, after, middle), latency (also p50 and p99), throttle. When:
            operations, requests, containing, rate, count, after, for, every. What platforms make of deliveries: outcome
            (with rate, platform, handle). With --seed, the same requests meet the same faults.

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

    @Option(help: "Where to listen; port 0 takes a free one.")
    var listen = "127.0.0.1:8080"

    @Option(
        help: ArgumentHelp(
            "What browsers may call this machine, beside localhost and the address listened on.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Flag(help: "Speak HTTPS, with a certificate of an authority of its own.")
    var tls = false

    @Option(help: ArgumentHelp("Speak HTTPS here, beside HTTP there.", valueName: "address"))
    var tlsListen: String?

    @Option(help: ArgumentHelp("What else clients of HTTPS call this machine.", valueName: "name or address"))
    var tlsName: [String] = []

    @Option(help: ArgumentHelp("A certificate to show in HTTPS, in PEM, with those behind it.", valueName: "file"))
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

    @Option(help: "What the namespace pays for.")
    var tier = HubTier.standard

    @Option(help: ArgumentHelp("How many test sends are allowed in any minute.", valueName: "number or 'unlimited'"))
    var testSends = TestSends.number(10)

    @Option(help: ArgumentHelp("What goes wrong, from the start.", valueName: "json"))
    var fault: [String] = []

    @Option(help: "Makes ids and faults at random repeat; left out, they differ each time.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Keep devices, hubs and random keys over restarts, here.", valueName: "folder"))
    var data: String?

    @Flag(help: "Write a line for each request to the standard error.")
    var log = false

    /// What the options say, read once.
    private var checked: HubEmulatorConfiguration?

    mutating func validate() throws {
        checked = try emulated()
    }

    func run() async throws {
        FileDescriptorLimit.raise()
        let interrupts = Interrupts()
        var configuration = try checked ?? emulated()
        if log {
            let log = RequestLog()
            configuration.requestObserver = { log.note($0) }
        }
        if let tlsCertificate, let tlsKey {
            configuration.tls?.source = .given(try TLSFiles.certificate(tlsCertificate, key: tlsKey))
        }
        let hub = HubEmulator(configuration)
        do {
            if let data { try hub.keepDevices(in: data) }
            try hub.start()
        } catch let error as DeviceStoreError {
            throw CommandError(.unavailable, error.description)
        } catch let error as HTTPServerError {
            throw CommandError(error.code == .certificate ? .badConfiguration : .unavailable, error.description)
        }
        for (url, strings) in [
            (configuration.servesPlainHTTP ? hub.url : nil, hub.connectionStrings),
            (hub.secureURL, hub.secureConnectionStrings),
        ] {
            guard let url else { continue }
            StandardOutput.write("ready \(url)")
            for text in strings { StandardOutput.write(text) }
        }
        if hub.authority != nil, let url = hub.secureURL {
            for line in TLSFiles.advice(url: url, folder: data) { StandardError.write(line) }
        }
        await interrupts.wait()
        interrupts.exitOnSecond()
        await hub.stop()
    }

    /// What the options say of the hub.
    ///
    /// - Throws: A `ValidationError` that shows no key.
    func emulated() throws(ValidationError) -> HubEmulatorConfiguration {
        var configuration = HubEmulatorConfiguration()
        guard let address = ListenAddress(listen) else {
            throw ValidationError("'--listen \(listen)' is no address: write host and port, such as 127.0.0.1:8080.")
        }
        guard HubClient.isValid(hubName: name) else {
            throw ValidationError("'--name' takes 1 to 260 letters, digits and . - _.")
        }
        configuration.host = address.host
        configuration.port = address.port
        configuration.allowedHosts = allowHost
        configuration.tls = try tlsSetting(beside: address)
        configuration.servesPlainHTTP = configuration.tls == nil || tlsListen != nil
        configuration.hubName = name
        configuration.tier = tier
        configuration.testSendsPerMinute = testSends.perMinute
        if let seed { configuration.seed = seed }
        for (index, text) in rule.enumerated() {
            guard let rule = AccessRule(text) else {
                throw ValidationError(
                    "'--rule' number \(index + 1) cannot be read: write NAME=KEY:CLAIMS, with claims of Listen, Send "
                        + "and Manage between commas."
                )
            }
            guard !configuration.rules.contains(where: { $0.name == rule.name }) else {
                throw ValidationError("'--rule' number \(index + 1) has the name of another: name each but once.")
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

extension UInt64: ExpressibleByArgument {}
