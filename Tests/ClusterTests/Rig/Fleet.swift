import NewsflashGuarantees
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The workers of a test by their names. Each start of a worker is a separate life, named `a.1`, `a.2` and so on.
actor Fleet {
    private let newsroom: Newsroom
    private let folder: TemporaryFolder
    private let settings: WorkerProcess.Settings
    private let isStable: Bool
    private var lives: [String: Int] = [:]
    private var running: [String: WorkerProcess] = [:]
    private var ended: [WorkerProcess] = []
    /// The disturbances so far.
    private(set) var disturbances: [Disturbance] = []
    /// The time from the first start until the partitions were assigned, which is long with newly started brokers.
    private(set) var forming: Range<Timestamp>?
    /// The committed offsets of the group after each death or end of a worker, if the group responded.
    private(set) var committed: [Disturbance: [TopicPartition: Int64]] = [:]

    /// Creates an empty fleet.
    ///
    /// - Parameters:
    ///   - newsroom: The newsroom of the workers.
    ///   - folder: The folder for configurations.
    ///   - isStable: Whether workers keep their names in the group over restarts.
    ///   - settings: The settings of each worker.
    init(_ newsroom: Newsroom, folder: TemporaryFolder, isStable: Bool, _ settings: WorkerProcess.Settings) {
        self.newsroom = newsroom
        self.folder = folder
        self.isStable = isStable
        self.settings = settings
    }

    /// The names of the running workers.
    var names: [String] { running.keys.sorted() }

    /// The life of a running worker.
    func life(of name: String) -> String? { running[name]?.name }

    /// A running worker.
    func process(of name: String) -> WorkerProcess? { running[name] }

    /// Starts workers; they have not joined their group yet.
    func start(_ names: String..., level: String? = nil) async throws {
        for name in names {
            lives[name, default: 0] += 1
            let life = "\(name).\(lives[name] ?? 1)"
            var settings = settings
            if isStable { settings.instance = name }
            if let level { settings.level = level }
            running[name] = try await WorkerProcess(life, in: newsroom, folder: folder, settings)
            record(.started, life)
        }
    }

    /// Kills a worker with `kill -9`, and waits until it is gone.
    ///
    /// - Returns: The ended life, and the time.
    @discardableResult
    func kill(_ name: String) async throws -> Disturbance {
        let worker = try remove(name)
        let time = Timestamp.now()
        worker.program.signal(SIGKILL)
        let death = record(.killed, worker.name, at: time)
        ended.append(worker)
        committed[death] = await newsroom.committedOffsets()
        _ = try await worker.program.waitForEnd()
        return death
    }

    /// Stops a worker with a signal, and waits until it has ended.
    ///
    /// - Returns: The ended life, and the time.
    @discardableResult
    func stop(_ name: String) async throws -> Disturbance {
        let worker = try remove(name)
        let end = record(.ended, worker.name)
        worker.program.signal(SIGTERM)
        ended.append(worker)
        let status = try await worker.program.waitForEnd()
        committed[end] = await newsroom.committedOffsets()
        #expect(status == 0, "\(worker.name) ended with \(status):\n\(worker.saidOfPartitions)")
        return end
    }

    /// Suspends all threads of a worker.
    ///
    /// - Returns: The suspended life, and the time.
    func freeze(_ name: String) async throws -> Disturbance {
        let worker = try #require(running[name], "\(name) does not run")
        let time = Timestamp.now()
        worker.program.signal(SIGSTOP)
        let stop = record(.frozen, worker.name, at: time)
        committed[stop] = await newsroom.committedOffsets()
        return stop
    }

    /// Resumes the threads of a worker.
    func thaw(_ name: String) throws {
        try #require(running[name], "\(name) does not run").program.signal(SIGCONT)
    }

    /// Waits until the partitions under load are assigned evenly to the running workers.
    ///
    /// - Parameter patience: The maximum time to wait.
    /// - Throws: An error if it takes longer.
    func settle(within patience: Duration = .seconds(180)) async throws {
        let reader = try #require(newsroom.acceptanceReader, "no reader watches the hub")
        let count = newsroom.sourcePartitions.count
        let lives = Set(running.values.map(\.name))
        let isSettled = await isDone(within: patience) {
            try await reader.waitForOwners { owners in
                guard owners.count == count, Set(owners.values) == lives else { return false }
                let shares = Dictionary(grouping: owners.values, by: \.self).values.map(\.count)
                return (shares.max() ?? 0) - (shares.min() ?? 0) <= 1
            }
        }
        let text = running.values.map(\.saidOfPartitions).joined(separator: "\n")
        print("\(Timestamp.now().rfc3339) settled: \(isSettled), \(newsroom.outcomeReader.count) outcomes")
        if forming == nil, let first = disturbances.first { forming = first.time..<Timestamp.now() }
        try #require(isSettled, "\(lives.sorted()) never shared the partitions: \(reader.presentOwners)\n\(text)")
    }

    /// Stops all workers, and waits until they have ended.
    func stopAll() async throws {
        for name in names { try await stop(name) }
    }

    /// Kills the workers that still run.
    func end() {
        for worker in running.values { worker.program.end() }
        for worker in ended { worker.program.end() }
    }

    /// Writes the logs of the workers into a folder, a file for each life.
    func keepLogs(in folder: String) throws {
        for worker in ended + running.values { try worker.keepLog(in: folder) }
    }

    /// The times at which the group revoked partitions of running workers.
    var losses: [Disturbance] { (ended + running.values).flatMap(\.losses) }

    /// The workers' log lines about partitions, for the text of a failure.
    var saidOfPartitions: String { (ended + running.values).map(\.saidOfPartitions).joined(separator: "\n") }

    /// The sanitizer reports of all workers, including killed ones.
    var sanitizerReports: [String] { (ended + running.values).flatMap(\.sanitizerReports) }

    /// The number of log lines of all workers that contain a text.
    func linesSaid(with text: String) -> Int {
        (ended + running.values).reduce(0) { $0 + $1.program.lines.events.count { $0.contains(text) } }
    }

    private func remove(_ name: String) throws -> WorkerProcess {
        let worker = running.removeValue(forKey: name)
        return try #require(worker, "\(name) does not run")
    }

    @discardableResult
    private func record(_ kind: Disturbance.Kind, _ life: String, at time: Timestamp = .now()) -> Disturbance {
        let disturbance = Disturbance(kind: kind, worker: life, time: time)
        disturbances.append(disturbance)
        print("\(time.rfc3339) \(kind) \(life)")
        return disturbance
    }
}
