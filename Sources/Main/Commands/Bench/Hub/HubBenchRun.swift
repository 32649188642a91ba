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
        let before = residentMemory
        var count = 0
        for size in sizes {
            progress("\(size) registrations")
            let filling = try fill(hub, load, from: count, to: size)
            count = size
            hub.settle()
            let memory = residentMemory
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

    /// Registers devices, one request after another.
    ///
    /// - Returns: Registrations a second; nothing where there were none to add.
    private func fill(_ hub: HubEmulator, _ load: HubBenchLoad, from: Int, to: Int) throws(CommandError) -> Double? {
        guard from < to else { return nil }
        let token = load.token()
        var spent = Duration.zero
        for number in from..<to {
            let request = try load.registration(number, token: token)
            let start = ContinuousClock.now
            let answer = hub.answer(request)
            spent += ContinuousClock.now - start
            try check(answer.response, of: "a registration")
        }
        return Double(to - from) / (spent.inMicroseconds / 1e6)
    }

    private func stage(
        _ hub: HubEmulator,
        _ load: HubBenchLoad,
        registrations: Int,
        added: Double?
    ) async throws -> HubBenchStage {
        let latencies = try latencies(hub, load)
        hub.settle()
        let transport = try CurlTransport(transportConfiguration)
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
        try check(answer.response, of: "a send to everyone")
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
            try check(answer.response, of: "a send")
        }
        return latencies.sorted()
    }

    /// Of this process, in bytes; `nil` where the system does not tell.
    private var residentMemory: Int? {
        ProcessLook.text("/proc/self/status").flatMap { ProcessTexts.size("VmRSS", status: $0) }
    }

    private func check(_ response: HTTPResponse, of what: String) throws(CommandError) {
        guard !(200..<300).contains(response.status) else { return }
        let text = String(decoding: response.body.prefix(300), as: UTF8.self)
        throw CommandError(.internalError, "the hub does not take \(what): status \(response.status), \(text)")
    }

    private var transportConfiguration: CurlTransportConfiguration {
        var configuration = CurlTransportConfiguration()
        configuration.maximumConnections = concurrency
        configuration.maximumConnectionsPerHost = concurrency
        configuration.proxy = .none
        return configuration
    }
}

extension [Duration] {
    /// The value that such a part of all does not exceed; of sorted values.
    fileprivate func value(at part: Double) -> Duration {
        isEmpty ? .zero : self[Swift.min(count - 1, Int(Double(count) * part))]
    }
}
