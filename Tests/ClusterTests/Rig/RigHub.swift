import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions

/// A hub of the workers under test: a watched one in this process, or one in its own process.
struct RigHub: Sendable {
    /// Its name in the configuration of the workers.
    let label: String
    /// The watched hub; it accepts nothing if the hub is in its own process.
    let emulator: HubEmulator
    /// Its faults unless a scenario sets others.
    let usualFaults: [Fault]
    /// The connection string that workers need.
    let connectionString: String
    /// The reader of its acceptances; `nil` if it is in its own process.
    let reader: AcceptanceReader?
    private let process: LeashedProgram?
    /// The times of its requests with the answer 429.
    private let refusals = EventLog<Timestamp>()

    /// The times when it asked for a pause, in order.
    var throttled: [Timestamp] { refusals.events.sorted() }

    /// The port of its connection string.
    var port: UInt16? {
        connectionString.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap { UInt16($0) }
    }

    /// The secret of its connection string.
    var key: String {
        connectionString.split(separator: ";").last { $0.hasPrefix("SharedAccessKey=") }
            .map { String($0.dropFirst("SharedAccessKey=".count)) } ?? ""
    }

    /// Reports of sanitizers in it, if it is in its own process.
    var sanitizerReports: [String] { Sanitizer.reports(in: process?.lines.events ?? []) }

    /// Starts a watched hub.
    ///
    /// - Parameters:
    ///   - label: Its name in the configuration.
    ///   - settings: Its settings.
    ///   - place: The partition of an event, if it is known already.
    /// - Throws: The hub's error if it cannot listen.
    init(
        watched label: String,
        _ settings: HubEmulatorConfiguration,
        place: @escaping @Sendable (String) -> TopicPartition?
    ) throws {
        self.label = label
        var settings = settings
        settings.requestObserver = { [refusals] in if $0.status == 429 { refusals.append($0.time) } }
        emulator = HubEmulator(settings)
        usualFaults = settings.faults
        try emulator.start()
        connectionString = emulator.connectionStrings.first ?? ""
        reader = AcceptanceReader(emulator, label: label, place: place)
        process = nil
    }

    /// Starts a hub in its own process.
    ///
    /// - Parameters:
    ///   - label: Its name in the configuration.
    ///   - latency: The latency of its answers.
    /// - Throws: `ChildProcess.Failure` if it cannot be started.
    init(apart label: String, answeringAfter latency: Duration) async throws {
        self.label = label
        emulator = HubEmulator(HubEmulatorConfiguration())
        usualFaults = []
        let process = try await WorkerProgram.hub(answeringAfter: latency)
        self.process = process
        connectionString = try await process.lines.wait { lines in lines.first { $0.hasPrefix("Endpoint=") } }
        reader = nil
    }

    /// Stops the hub.
    func close() async {
        reader?.close()
        await emulator.stop()
        process?.end()
    }
}

extension [RigHub] {
    /// All acceptances of the hubs, ordered by time; those of one hub keep their order.
    ///
    /// - Throws: The error of an ``AcceptanceReader``.
    func acceptances() throws -> [Acceptance] {
        try reduce([]) { try Self.merge($0, $1.reader?.all(with: $1.emulator.sends) ?? []) }
    }

    /// All acceptances of the hubs read so far.
    var acceptancesSoFar: [Acceptance] { reduce([]) { Self.merge($0, $1.reader?.acceptances ?? []) } }

    private static func merge(_ left: [Acceptance], _ right: [Acceptance]) -> [Acceptance] {
        guard !left.isEmpty else { return right }
        var merged: [Acceptance] = []
        merged.reserveCapacity(left.count + right.count)
        var next = right.startIndex
        for acceptance in left {
            while next < right.endIndex, right[next].time < acceptance.time {
                merged.append(right[next])
                next += 1
            }
            merged.append(acceptance)
        }
        return merged + right[next...]
    }
}
