import CommandLineArguments

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash bench`
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure how many events a second go from Kafka to a hub, beside what bare libcurl can do.",
        discussion: """
            Needs no Kafka and no hub: a sink that answers 201, an embedded cluster, bare libcurl and 'newsflash run' each
            run in a process of their own, on loopback. Bare and whole rounds take turns, so that both meet the same
            machine; compare the ratio, not the rates, between machines. Nothing else should run meanwhile.

            With --brokers it uses a Kafka of yours, in topics with random names that it deletes in the end.

            With --rate events come while the worker runs, and it measures how long each takes to the sink.

            With --kills a worker is killed at full speed, so many times, and another follows: how much is sent twice.

            With --hub it measures the emulator in place of the worker, with ever more devices: how soon it accepts a send,
            how many it takes a second over the network, and its memory. A million devices need half a GB and a minute or two.
            With --backlog too, so many sends come to all devices at once: how soon each is accepted, how much memory they
            need, and what becomes of them half an hour later, when the emulator's clock is put forward.

            With --gateway devices register through 'newsflash gateway' at the emulator, each a process of its own: how soon
            each is registered at a steady rate, and what it costs.

            Examples:
              newsflash bench
              newsflash bench --events 50000 --delay 20 --json
              newsflash bench --events 60000 --rate 1000 --brokers 127.0.0.1:9092 --partitions 1
              newsflash bench --hub --registrations 0 --registrations 100000
              newsflash bench --hub --registrations 100000 --backlog 10000
              newsflash bench --gateway --rate 2000
            """
    )

    @Option(
        help: ArgumentHelp("How many events a round (default: 200000; with --hub or --gateway 20000).", valueName: "n")
    )
    var events: Int?
    @Option(
        help: ArgumentHelp(
            "How many partitions the topic has (default: 6, or as many as the embedded cluster needs to keep all).",
            valueName: "n"
        )
    )
    var partitions: Int?
    @Option(
        help: ArgumentHelp(
            "How many requests are under way (default: 100; with --hub or --gateway 64).",
            valueName: "n"
        )
    )
    var inFlight: Int?
    @Option(help: ArgumentHelp("How long the sink takes for an answer.", valueName: "ms")) var delay: Int = 0
    @Option(
        help: ArgumentHelp(
            "Write so many events a second while the worker runs; with --gateway registrations (default: 2000).",
            valueName: "events"
        )
    )
    var rate: Int?
    @Option(help: ArgumentHelp("A Kafka of yours, host:port, separated by commas.", valueName: "list"))
    var brokers: String?
    @Option(help: ArgumentHelp("How many rounds of each kind.", valueName: "n")) var rounds: Int = 3
    @Option(help: ArgumentHelp("How often to kill a worker, in a lap of its own.", valueName: "n")) var kills: Int = 0
    @Flag(help: "Measure the hub emulator in place of the worker.") var hub: Bool = false
    @Option(help: ArgumentHelp("With --hub: how many devices it has; more than once, growing.", valueName: "count"))
    var registrations: [Int] = []
    @Option(help: ArgumentHelp("With --hub: how many sends come at once, to all devices.", valueName: "n"))
    var backlog: Int?
    @Flag(help: "Measure the gateway in place of the worker.") var gateway: Bool = false
    @Flag(help: "One JSON object.") var json: Bool = false

    /// What is asked for, where it is not the hub.
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

    /// What is asked for, where it is the gateway.
    var gatewaySettings: GatewayBenchSettings {
        var settings = GatewayBenchSettings()
        if let events { settings.registrations = events }
        if let rate { settings.rate = rate }
        if let inFlight { settings.inFlight = inFlight }
        return settings
    }

    mutating func validate() throws {
        if gateway { return try checkGateway() }
        if let problem = settings.problem { throw ValidationError(problem) }
        guard hub || registrations.isEmpty else { throw ValidationError("--registrations goes with --hub only") }
        guard hub || backlog == nil else { throw ValidationError("--backlog goes with --hub only") }
        guard backlog.map({ (1...100_000).contains($0) && registrations.count <= 1 }) ?? true else {
            throw ValidationError("--backlog goes from 1 to 100000, with one number of registrations")
        }
        guard !hub || (partitions == nil && delay == 0 && rate == nil && brokers == nil && kills == 0) else {
            throw ValidationError("--hub measures the emulator: no --partitions, --delay, --rate, --kills or --brokers")
        }
        guard registrations.allSatisfy({ (0...5_000_000).contains($0) }), registrations == registrations.sorted() else {
            throw ValidationError("--registrations must grow, from 0 to 5000000")
        }
    }

    private func checkGateway() throws(ValidationError) {
        guard !hub, partitions == nil, delay == 0, brokers == nil, kills == 0, registrations.isEmpty, backlog == nil
        else {
            throw ValidationError("--gateway goes with --events, --rate, --in-flight and --json only")
        }
        if let problem = gatewaySettings.problem { throw ValidationError(problem) }
    }

    func run() async throws {
        if gateway { return try await measureGateway() }
        if let backlog { return try await measureBacklog(backlog) }
        if hub { return try await measureHub() }
        let run = BenchRun(settings: settings, program: try BenchProgram.path(), progress: progress)
        let interrupts = Interrupts()
        // Until the first has stopped and cleaned up; the second leaves that.
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
        let run = GatewayBenchRun(settings: gatewaySettings, program: try BenchProgram.path(), progress: progress)
        let report = try await run.run()
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
    }

    private func measureBacklog(_ sends: Int) async throws {
        let run = HubBacklogRun(registrations: registrations.first ?? 100_000, sends: sends, progress: progress)
        let report = try await run.run()
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
        if report.isWithinBound == false { throw CommandError(.internalError, "more memory than the bound") }
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
