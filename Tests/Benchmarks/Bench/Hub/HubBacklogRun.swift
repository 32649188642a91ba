import NewsflashBasics
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs

/// Sends far more to an emulated hub than it can process, until it gives up the oldest sends.
struct HubBacklogRun {
    /// The number of devices; each send is for all of them.
    let registrations: Int
    /// The number of sends at once.
    let sends: Int
    /// Called with a description of the current activity.
    let progress: (String) -> Void

    /// The number of sends after the oldest ones have expired.
    private static let later = 100
    /// Slightly more than the half hour after which the service gives up a send.
    private static let patience = Duration.seconds(30 * 60 + 1)

    /// Runs the measurement.
    ///
    /// - Throws: ``OperationError`` if the hub rejects a request.
    func run() async throws -> HubBacklogReport {
        // The hub's clock is put forward instead of waiting for half an hour.
        let shift = Locked(Duration.zero)
        var configuration = HubEmulatorConfiguration()
        configuration.clock = { Timestamp.now() + shift.withLock { $0 } }
        let hub = HubEmulator(configuration)
        try hub.start()
        do {
            let load = try HubBenchLoad(connectionString: hub.connectionStrings.first ?? "")
            progress("\(registrations) registrations")
            _ = try load.fill(hub, from: 0, to: registrations)
            let report = try await measure(hub, load, shift: shift)
            await hub.stop()
            return report
        } catch {
            await hub.stop()
            throw error
        }
    }

    private func measure(
        _ hub: HubEmulator,
        _ load: HubBenchLoad,
        shift: borrowing Locked<Duration>
    ) async throws -> HubBacklogReport {
        let transport = try CurlTransport(HubBenchLoad.transport(connections: 1))
        defer { transport.shutdown() }
        var report = HubBacklogReport(registrations: registrations, sends: sends, later: Self.later)
        report.before = HubBenchLoad.residentMemory
        progress("\(sends) sends")
        report.accepted = try await send(sends, load, over: transport)
        report.waiting = try waiting(in: hub)
        report.withBacklog = HubBenchLoad.residentMemory
        shift.withLock { $0 = Self.patience }
        progress("\(Self.later) sends half an hour later")
        report.acceptedLater = try await send(Self.later, load, over: transport)
        let start = ContinuousClock.now
        hub.settle()
        report.settled = ContinuousClock.now - start
        let records = hub.sends
        report.firstState = records.first?.progress.state.rawValue ?? ""
        for record in records { report.states[record.progress.state.rawValue, default: 0] += 1 }
        report.found = records.reduce(0) { $0 + $1.progress.targets }
        report.peak = HubBenchLoad.peakMemory
        return report
    }

    /// Sends over the network, one after another.
    ///
    /// - Returns: The time to accept each send, ascending.
    private func send(
        _ count: Int,
        _ load: HubBenchLoad,
        over transport: CurlTransport
    ) async throws -> [Duration] {
        var times: [Duration] = []
        times.reserveCapacity(count)
        for _ in 0..<count {
            let request = try load.sendToReaders()
            let start = ContinuousClock.now
            let answer = try await transport.send(request)
            times.append(ContinuousClock.now - start)
            try HubBenchLoad.check(answer, of: "a send")
        }
        return times.sorted()
    }

    /// Returns the number of sends that still look for devices, as reported by the hub.
    private func waiting(in hub: HubEmulator) throws -> Int {
        let headers: HTTPHeaders = [.init("Host", "localhost")]
        let answer = hub.answer(EmulatedRequest(method: "GET", target: "/_emulator/stats", headers: headers, body: []))
        return Int(try JSONReader.read(answer.response.body)[member: "fanningOut"]?.int64 ?? 0)
    }
}
