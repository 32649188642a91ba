import CurlTransport
import HTTPTransport
import HubEmulator
import Locks
import NotificationHubs
import StrictJSON
import Timestamps

/// Sends to an emulated hub far more than it can find devices for, until it gives the oldest up.
struct HubBacklogRun {
    /// How many devices each send is for.
    let registrations: Int
    /// How many sends come at once.
    let sends: Int
    /// Told what is being done.
    let progress: (String) -> Void

    /// How many sends follow once the oldest are too old.
    private static let later = 100
    /// A little more than the half hour after which the service gives a send up.
    private static let patience = Duration.seconds(30 * 60 + 1)

    /// Measures.
    ///
    /// - Throws: ``CommandError`` where the hub does not take what it is sent.
    func run() async throws -> HubBacklogReport {
        // Half an hour passes at once: the hub's clock is put forward.
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
    /// - Returns: How long each took to be accepted, the shortest first.
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

    /// How many sends still look for devices, as the hub itself tells.
    private func waiting(in hub: HubEmulator) throws -> Int {
        let headers: HTTPHeaders = [.init("Host", "localhost")]
        let answer = hub.answer(EmulatedRequest(method: "GET", target: "/_emulator/stats", headers: headers, body: []))
        return Int(try JSONReader.read(answer.response.body)[member: "fanningOut"]?.int64 ?? 0)
    }
}
