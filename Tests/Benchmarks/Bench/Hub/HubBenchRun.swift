import NewsflashCommands
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashOperations

/// Measures one emulated hub at each of several growing sizes.
struct HubBenchRun {
    /// The number of registrations in each stage, ascending.
    let sizes: [Int]
    /// The number of sends per measurement.
    let sends: Int
    /// The maximum number of requests in flight over the network.
    let concurrency: Int
    /// Called with a description of the current activity.
    let progress: (String) -> Void

    /// Measures all stages.
    ///
    /// - Throws: ``OperationError`` if the hub rejects a request.
    func run() async throws -> [HubBenchStage] {
        var configuration = HubEmulatorConfiguration()
        // Keep few sends and deliveries, so that the figures exclude the emulator's history.
        configuration.sendsKept = 1000
        configuration.deliveriesKept = 1000
        let hub = HubEmulator(configuration)
        try hub.start()
        do {
            let stages = try await measure(hub)
            await hub.stop()
            return stages
        } catch {
            await hub.stop()
            throw error
        }
    }

    private func measure(_ hub: HubEmulator) async throws -> [HubBenchStage] {
        let load = try HubBenchLoad(connectionString: hub.connectionStrings.first ?? "")
        var stages: [HubBenchStage] = []
        // A warm-up, so that the fixed memory of an empty hub is allocated before memory is measured.
        _ = try await stage(hub, load, registrations: 0, added: nil)
        let before = HubBenchLoad.residentMemory
        var count = 0
        for size in sizes {
            progress("\(size) registrations")
            let filling = try load.fill(hub, from: count, to: size)
            count = size
            hub.settle()
            let memory = HubBenchLoad.residentMemory
            var stage = try await stage(hub, load, registrations: size, added: filling)
            // With fewer registrations, noise is too large.
            if size >= 100_000, let before, let memory {
                stage.bytesPerRegistration = Double(memory - before) / Double(size)
            }
            stage.memory = memory
            stages.append(stage)
        }
        return stages
    }

    private func stage(
        _ hub: HubEmulator,
        _ load: HubBenchLoad,
        registrations: Int,
        added: Double?
    ) async throws -> HubBenchStage {
        let latencies = try latencies(hub, load)
        hub.settle()
        let transport = try CurlTransport(HubBenchLoad.transport(connections: concurrency))
        defer { transport.shutdown() }
        let exchanges = try (0..<sends).map { HTTPExchange(id: UInt64($0), request: try load.send()) }
        let lap = try await SendRun(exchanges, concurrency: concurrency, over: transport).run()
        hub.settle()
        let everyone = try broadcast(hub, load)
        return HubBenchStage(
            registrations: registrations,
            registered: added,
            median: latencies.value(at: 0.5),
            slow: latencies.value(at: 0.99),
            rate: lap.rate,
            cpu: lap.cpu,
            everyoneAccepted: everyone.accepted,
            everyoneFound: everyone.found
        )
    }

    /// Returns the time to accept a send to all devices, and the time until each of them has it.
    private func broadcast(
        _ hub: HubEmulator,
        _ load: HubBenchLoad
    ) throws(OperationError) -> (accepted: Duration, found: Duration) {
        let request = EmulatedRequest(try load.send(toEveryone: true), base: hub.url ?? "")
        let start = ContinuousClock.now
        let answer = hub.answer(request)
        let accepted = ContinuousClock.now - start
        try HubBenchLoad.check(answer.response, of: "a send to everyone")
        hub.settle()
        return (accepted, ContinuousClock.now - start)
    }

    /// Returns the time to accept each of the sends, without a network, ascending.
    private func latencies(_ hub: HubEmulator, _ load: HubBenchLoad) throws(OperationError) -> [Duration] {
        let base = hub.url ?? ""
        var latencies: [Duration] = []
        latencies.reserveCapacity(sends)
        for _ in 0..<sends {
            let request = EmulatedRequest(try load.send(), base: base)
            let start = ContinuousClock.now
            let answer = hub.answer(request)
            latencies.append(ContinuousClock.now - start)
            try HubBenchLoad.check(answer.response, of: "a send")
        }
        return latencies.sorted()
    }
}

extension [Duration] {
    /// Returns a quantile of sorted values; `part` is from 0 to 1.
    func value(at part: Double) -> Duration {
        isEmpty ? .zero : self[Swift.min(count - 1, Int(Double(count) * part))]
    }
}
