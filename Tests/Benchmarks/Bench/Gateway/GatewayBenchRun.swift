import NewsflashCommands
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Registers devices through a gateway at a hub at a steady rate. Gateway and hub run in separate processes.
struct GatewayBenchRun: Sendable {
    let settings: GatewayBenchSettings
    let programs: BenchPrograms
    /// Called with a description of the current activity.
    let progress: @Sendable (String) -> Void

    /// Runs the benchmark.
    ///
    /// - Returns: The figures.
    /// - Throws: ``OperationError`` if a process does not start or end, `CancellationError` if the task is cancelled.
    func run() async throws -> GatewayBenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let stage = GatewayBenchStage(folder: folder.path)
        let config = try stage.writeConfiguration()
        progress("users")
        for user in GatewayBenchStage.users { try await add(user, to: stage) }
        let hub = [programs.newsflash, "hub", "--listen", "127.0.0.1:0", "--rule", GatewayBenchStage.rule]
        return try await BenchProcess.with(hub, log: stage.log) { hub in
            let connection = try await connectionString(of: hub)
            let words = [
                programs.newsflash, "gateway", "--config", config, "--listen", "127.0.0.1:0", "--users",
                stage.usersFile,
            ]
            let environment = BenchPrograms.environment + ["NEWSFLASH_HUB_CONNECTION_STRING=\(connection)"]
            return try await BenchProcess.with(words, environment: environment, log: stage.log) { gateway in
                try await measure(gateway, hub)
            }
        }
    }

    private func add(_ user: String, to stage: GatewayBenchStage) async throws {
        let words = [programs.newsflash, "gateway", "user", "--users", stage.usersFile, user]
        try await BenchProcess.with(words, log: stage.log) { process in
            process.tell(GatewayBenchStage.password)
            guard let end = await process.end(within: .seconds(30)), end.code == 0 else {
                throw OperationError(.internalError, "'newsflash gateway user' did not add the user")
            }
        }
    }

    /// Returns the second line of the hub's output, the connection string.
    private func connectionString(of hub: BenchProcess) async throws -> String {
        _ = try await hub.ready()
        return try await hub.line()
    }

    private func measure(_ gateway: BenchProcess, _ hub: BenchProcess) async throws -> GatewayBenchReport {
        let url = try await gateway.ready()
        var transportSettings = CurlTransportConfiguration()
        transportSettings.maximumConnections = settings.inFlight
        transportSettings.maximumConnectionsPerHost = settings.inFlight
        let transport = try CurlTransport(transportSettings)
        defer { transport.shutdown() }
        let users = GatewayBenchStage.users.map(GatewayBenchStage.authorization(of:))
        progress("warming up")
        // Excludes the costs of first requests, above all the check of each password, from the measurement.
        let warm = RegistrationLoad(
            url: url,
            users: users,
            over: transport,
            first: 0,
            count: users.count * 8,
            rate: 200
        )
        _ = try await warm.run()
        progress("\(settings.registrations) registrations, \(settings.rate) per second")
        let before = (gateway: ProcessSnapshot(at: gateway.identifier), hub: ProcessSnapshot(at: hub.identifier))
        let load = RegistrationLoad(
            url: url,
            users: users,
            over: transport,
            first: users.count * 8,
            count: settings.registrations,
            rate: settings.rate
        )
        let figures = try await load.run()
        let after = (gateway: ProcessSnapshot(at: gateway.identifier), hub: ProcessSnapshot(at: hub.identifier))
        return GatewayBenchReport(
            settings: settings,
            machine: .here(),
            figures: figures,
            gateway: GatewayBenchReport.Part(from: before.gateway, to: after.gateway, settings.registrations),
            hub: GatewayBenchReport.Part(from: before.hub, to: after.hub, settings.registrations)
        )
    }
}
