import CommandLineArguments
import CurlTransport
import HTTPTransport
import HubEmulator
import Kafka
import KafkaMock
import Worker

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
            Needs no Kafka and no hub: an embedded cluster and the emulator run in this process. Bare and whole rounds
            take turns, so that both meet the same machine; compare the ratio, not the rates, between machines.

            With --hub it measures the emulator in place of the worker, with ever more devices: how soon it accepts a send,
            how many it takes a second over the network, and its memory. A million devices need half a GB and a minute or two.

            Examples:
              newsflash bench
              newsflash bench --events 5000 --json
              newsflash bench --against http://127.0.0.1:8080     (any server that answers 201)
              newsflash bench --hub --registrations 0 --registrations 100000
            """
    )

    @Option(help: "How many events a round.") var events: Int = 20_000
    @Option(help: "How many requests are under way at a time.") var concurrency: Int = 64
    @Option(help: "In how many languages each event is written.") var locales: Int = 3
    @Option(help: "How many rounds of each kind.") var rounds: Int = 3
    @Option(help: ArgumentHelp("'emulator', or the URL of another server that answers 201.", valueName: "hub"))
    var against: String = "emulator"
    @Flag(help: "Measure the hub emulator in place of the worker.") var hub: Bool = false
    @Option(help: ArgumentHelp("With --hub: how many devices it has; more than once, growing.", valueName: "count"))
    var registrations: [Int] = []
    @Flag(help: "Print one JSON object.") var json: Bool = false

    mutating func validate() throws {
        guard (1000...200_000).contains(events) else { throw ValidationError("--events must be 1000 to 200000") }
        guard (1...1024).contains(concurrency) else { throw ValidationError("--concurrency must be 1 to 1024") }
        guard (1...BenchLoad.mostLocales).contains(locales) else {
            throw ValidationError("--locales must be 1 to \(BenchLoad.mostLocales)")
        }
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds must be 1 to 100") }
        guard hub || registrations.isEmpty else { throw ValidationError("--registrations goes with --hub only") }
        guard !hub || against == "emulator" else { throw ValidationError("--hub measures the emulator: no --against") }
        guard registrations.allSatisfy({ (0...5_000_000).contains($0) }), registrations == registrations.sorted() else {
            throw ValidationError("--registrations must grow, from 0 to 5000000")
        }
    }

    func run() async throws {
        if hub { return try await measureHub() }
        let emulator = against == "emulator" ? try startEmulator() : nil
        do {
            let report = try await measure(emulator)
            await emulator?.stop()
            print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
        } catch {
            await emulator?.stop()
            throw error
        }
    }

    private func measure(_ emulator: HubEmulator?) async throws -> BenchReport {
        let connectionString =
            emulator?.connectionStrings.first
            ?? "Endpoint=\(against);SharedAccessKeyName=bench;SharedAccessKey=YmVuY2g=;UseDevelopmentEmulator=true"
        let load = BenchLoad(
            events: events,
            concurrency: concurrency,
            locales: locales,
            connectionString: connectionString
        )
        try checkRoom(for: load)
        let cluster = try MockCluster()
        var report = BenchReport(
            load: load,
            hub: emulator == nil ? against : "emulator",
            cores: cores,
            rounds: []
        )
        progress("a worker with nothing to do")
        report.idle = try await WorkerRun(load, cluster: cluster, topic: "idle").idle()
        for round in 1...rounds {
            progress("round \(round) of \(rounds): bare libcurl")
            let bare = try await bareLap(load)
            progress("round \(round) of \(rounds): whole worker")
            let run = try WorkerRun(load, cluster: cluster, topic: "bench-\(round)")
            try await run.produce()
            report.rounds.append(BenchReport.Round(bare: bare, worker: try await run.run()))
        }
        report.peak = ProcessMemory.now()?.peak
        return report
    }

    private func measureHub() async throws {
        let run = HubBenchRun(
            sizes: registrations.isEmpty ? [0, 10_000, 1_000_000] : registrations,
            sends: events,
            concurrency: concurrency,
            progress: progress
        )
        let report = HubBenchReport(stages: try await run.run(), sends: events, concurrency: concurrency, cores: cores)
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
    }

    private var cores: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    private func bareLap(_ load: BenchLoad) async throws -> BenchLap {
        let configuration = try load.configuration(brokers: "none", topic: "none")
        let transport = try CurlTransport(configuration.transport)
        defer { transport.shutdown() }
        return try await BareRun(load.requests(configuration), concurrency: concurrency, over: transport).run()
    }

    private func startEmulator() throws -> HubEmulator {
        var configuration = HubEmulatorConfiguration()
        configuration.sendsKept = 1000
        let emulator = HubEmulator(configuration)
        try emulator.start()
        return emulator
    }

    /// The embedded cluster forgets the oldest records beyond 5 MiB a partition.
    private func checkRoom(for load: BenchLoad) throws(CommandError) {
        let room = BenchLoad.partitions * 5 << 20
        let size = load.records().reduce(0) { $0 + $1.count + 100 }
        guard size > room else { return }
        throw CommandError(
            .foundProblems,
            "\(events) events have \(size) bytes, and the embedded cluster keeps \(room); "
                + "ask for at most \(events * room / size) events of \(locales) languages"
        )
    }

    private func progress(_ step: String) {
        guard !json, isatty(STDERR_FILENO) != 0 else { return }
        let line = Array("\(step) …\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
