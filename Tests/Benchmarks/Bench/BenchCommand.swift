package import NewsflashCommandLineArguments
import NewsflashCommands
import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash-bench`
package struct BenchCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "newsflash-bench",
        abstract: "Measure the throughput from Kafka to a hub in events per second, compared with bare libcurl.",
        discussion: """
            Needs no Kafka and no hub: a sink that answers 201, an embedded cluster, bare libcurl and 'newsflash run' each
            run in a process of their own, on loopback. Rounds of libcurl and of the worker alternate, so that both see the
            same load. Between machines compare the ratio, not the rates. Run nothing else meanwhile.

            With --brokers it uses your Kafka, in topics with random names that it deletes at the end.

            With --rate events arrive while the worker runs; the latency from due time to the sink is measured.

            With --kills a worker is killed at full speed that many times and restarted: how many events are sent twice.

            With --hub it measures the emulator instead of the worker, with a growing number of devices: the time to accept a
            send, the sends per second over the network, and the memory. A million devices need 0.5 GB and one to two minutes.
            With --backlog as well, that many sends to all devices arrive at once: the time to accept each, the memory they
            need, and their states half an hour later, after the emulator's clock is put forward.

            With --gateway devices register through 'newsflash gateway' at the emulator, each in a process of its own: the
            latency of a registration at a steady rate, and its cost.

            Examples:
              newsflash-bench
              newsflash-bench --events 50000 --delay 20 --json
              newsflash-bench --events 60000 --rate 1000 --brokers 127.0.0.1:9092 --partitions 1
              newsflash-bench --hub --registrations 0 --registrations 100000
              newsflash-bench --hub --registrations 100000 --backlog 10000
              newsflash-bench --gateway --rate 2000
            """,
        subcommands: [BenchPartCommand.self]
    )

    @Option(
        help: ArgumentHelp("Events per round (default: 200000; with --hub or --gateway 20000).", valueName: "n")
    )
    var events: Int?
    @Option(
        help: ArgumentHelp(
            "Partitions of the topic (default: 6, or as many as the embedded cluster needs to keep all events).",
            valueName: "n"
        )
    )
    var partitions: Int?
    @Option(
        help: ArgumentHelp(
            "Requests in flight (default: 100; with --hub or --gateway 64).",
            valueName: "n"
        )
    )
    var inFlight: Int?
    @Option(help: ArgumentHelp("The response time of the sink.", valueName: "ms")) var delay: Int = 0
    @Option(
        help: ArgumentHelp(
            "Events written per second while the worker runs; with --gateway registrations (default: 2000).",
            valueName: "events"
        )
    )
    var rate: Int?
    @Option(help: ArgumentHelp("Your brokers, as host:port, separated by commas.", valueName: "list"))
    var brokers: String?
    @Option(help: ArgumentHelp("Rounds of each kind.", valueName: "n")) var rounds: Int = 3
    @Option(help: ArgumentHelp("How often to kill a worker, in a separate lap.", valueName: "n")) var kills: Int = 0
    @Flag(help: "Measure the hub emulator instead of the worker.") var hub: Bool = false
    @Option(help: ArgumentHelp("With --hub: number of devices, in ascending order.", valueName: "count"))
    var registrations: [Int] = []
    @Option(help: ArgumentHelp("With --hub: number of sends to all devices that arrive at once.", valueName: "n"))
    var backlog: Int?
    @Flag(help: "Measure the gateway instead of the worker.") var gateway: Bool = false
    @Flag(help: "Print one JSON object.") var json: Bool = false

    package init() {}

    /// The settings of the worker benchmark.
    var settings: BenchSettings {
        var settings = BenchSettings()
        if let events { settings.events = events }
        if let inFlight { settings.inFlight = inFlight }
        settings.partitions = partitions
        settings.delay = delay
        settings.rate = rate
        settings.brokers = brokers
        settings.rounds = rounds
        settings.kills = kills
        return settings
    }

    /// The settings of the gateway benchmark.
    var gatewaySettings: GatewayBenchSettings {
        var settings = GatewayBenchSettings()
        if let events { settings.registrations = events }
        if let rate { settings.rate = rate }
        if let inFlight { settings.inFlight = inFlight }
        return settings
    }

    package mutating func validate() throws {
        if gateway { return try checkGateway() }
        if let problem = settings.problem { throw ValidationError(problem) }
        guard hub || registrations.isEmpty else { throw ValidationError("--registrations requires --hub") }
        guard hub || backlog == nil else { throw ValidationError("--backlog requires --hub") }
        guard backlog.map({ (1...100_000).contains($0) && registrations.count <= 1 }) ?? true else {
            throw ValidationError("--backlog must be 1 to 100000, with at most one --registrations")
        }
        guard !hub || (partitions == nil && delay == 0 && rate == nil && brokers == nil && kills == 0) else {
            throw ValidationError("--hub cannot be combined with --partitions, --delay, --rate, --kills or --brokers")
        }
        guard registrations.allSatisfy({ (0...5_000_000).contains($0) }), registrations == registrations.sorted() else {
            throw ValidationError("--registrations must be 0 to 5000000, in ascending order")
        }
    }

    private func checkGateway() throws(ValidationError) {
        guard !hub, partitions == nil, delay == 0, brokers == nil, kills == 0, registrations.isEmpty, backlog == nil
        else {
            throw ValidationError("--gateway can only be combined with --events, --rate, --in-flight and --json")
        }
        if let problem = gatewaySettings.problem { throw ValidationError(problem) }
    }

    package func run() async throws {
        if gateway { return try await measureGateway() }
        if let backlog { return try await measureBacklog(backlog) }
        if hub { return try await measureHub() }
        let run = BenchRun(settings: settings, programs: try BenchPrograms(), progress: progress)
        let interrupts = InterruptSignals()
        // The first interrupt stops and cleans up; a second one exits at once without cleaning up.
        interrupts.exitOnSecond()
        let report = try await withThrowingTaskGroup(of: BenchReport?.self) { group in
            group.addTask { try await run.run() }
            group.addTask {
                await interrupts.wait()
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let report else { throw ExitCode(128 + SIGINT) }
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
    }

    private func measureGateway() async throws {
        let run = GatewayBenchRun(settings: gatewaySettings, programs: try BenchPrograms(), progress: progress)
        let report = try await run.run()
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
    }

    private func measureBacklog(_ sends: Int) async throws {
        let run = HubBacklogRun(registrations: registrations.first ?? 100_000, sends: sends, progress: progress)
        let report = try await run.run()
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
        if report.isWithinBound == false { throw OperationError(.internalError, "memory exceeds the bound") }
    }

    private func measureHub() async throws {
        let (sends, concurrency) = (events ?? 20_000, inFlight ?? 64)
        let run = HubBenchRun(
            sizes: registrations.isEmpty ? [0, 10_000, 1_000_000] : registrations,
            sends: sends,
            concurrency: concurrency,
            progress: progress
        )
        let report = HubBenchReport(
            stages: try await run.run(),
            sends: sends,
            concurrency: concurrency,
            cores: BenchMachine.here().cores
        )
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
    }

    private var progress: @Sendable (String) -> Void {
        guard !json, isatty(STDERR_FILENO) != 0 else { return { _ in } }
        return { StandardError.write("\($0) …") }
    }
}
