import CurlTransport
import HTTPTransport
import HubEmulator

/// Lets one emulated hub grow, and measures it at each size.
struct HubBenchRun {
    /// How many registrations the hub has in each stage, growing.
    let sizes: [Int]
    /// How many sends each measurement has.
    let sends: Int
    /// How many requests are under way at a time, over the network.
    let concurrency: Int
    /// Told what is being done.
    let progress: (String) -> Void

    /// Measures all stages.
    ///
    /// - Throws: ``CommandError`` where the hub does not take what it is sent.
    func run() async throws -> [HubBenchStage] {
        var configuration = HubEmulatorConfiguration()
        // The figures are of the hub, not of what it remembers for people who look.
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
        // Once for nothing, so that what a hub needs without any device is there before memory is measured.
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
            // With fewer, chance has too large a part.
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

    /// How long the hub takes to accept a send to all devices, and until each of them has it.
    private func broadcast(
        _ hub: HubEmulator,
        _ load: HubBenchLoad
    ) throws(CommandError) -> (accepted: Duration, found: Duration) {
        let request = EmulatedRequest(try load.send(toEveryone: true), base: hub.url ?? "")
        let start = ContinuousClock.now
        let answer = hub.answer(request)
        let accepted = ContinuousClock.now - start
        try HubBenchLoad.check(answer.response, of: "a send to everyone")
        hub.settle()
        return (accepted, ContinuousClock.now - start)
    }

    /// How long the hub takes to accept each of the sends, without a network.
    private func latencies(_ hub: HubEmulator, _ load: HubBenchLoad) throws(CommandError) -> [Duration] {
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
    /// The value that such a part of all does not exceed; of sorted values.
    func value(at part: Double) -> Duration {
        isEmpty ? .zero : self[Swift.min(count - 1, Int(Double(count) * part))]
    }
}
