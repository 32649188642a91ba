import Guarantees
import Kafka
import TestSupport
import Testing
import Timestamps

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The workers of a test by their names. Each start of a worker is a life of its own, named as `a.1`, `a.2`.
actor Fleet {
    private let newsroom: Newsroom
    private let folder: TemporaryFolder
    private let settings: WorkerProcess.Settings
    private let isStable: Bool
    private var lives: [String: Int] = [:]
    private var running: [String: WorkerProcess] = [:]
    private var ended: [WorkerProcess] = []
    /// What was done so far.
    private(set) var disturbances: [Disturbance] = []
    /// From the first start until the workers had shared the partitions: brokers that were just started take their time.
    private(set) var forming: Range<Timestamp>?
    /// The committed offsets of the group after each death or end of a worker, if it could be asked.
    private(set) var committed: [Disturbance: [KafkaTopicPartition: Int64]] = [:]

    /// Makes an empty fleet.
    ///
    /// - Parameters:
    ///   - newsroom: Where it works.
    ///   - folder: Takes configurations.
    ///   - isStable: Whether workers keep their names in the group over restarts.
    ///   - settings: How each is set up.
    init(_ newsroom: Newsroom, folder: TemporaryFolder, isStable: Bool, _ settings: WorkerProcess.Settings) {
        self.newsroom = newsroom
        self.folder = folder
        self.isStable = isStable
        self.settings = settings
    }

    /// The names of those that run.
    var names: [String] { running.keys.sorted() }

    /// The life of a worker that runs.
    func life(of name: String) -> String? { running[name]?.name }

    /// A worker that runs.
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
            note(.started, life)
        }
    }

    /// Kills a worker with `kill -9`, and waits until it is gone.
    ///
    /// - Returns: The life that ended, and when.
    @discardableResult
    func kill(_ name: String) async throws -> Disturbance {
        let worker = try remove(name)
        let time = Timestamp.now()
        worker.program.signal(SIGKILL)
        let death = note(.killed, worker.name, at: time)
        ended.append(worker)
        committed[death] = await newsroom.committedOffsets()
        _ = try await worker.program.waitForEnd()
        return death
    }

    /// Asks a worker to end, and waits until it has.
    ///
    /// - Returns: The life that ended, and when.
    @discardableResult
    func stop(_ name: String) async throws -> Disturbance {
        let worker = try remove(name)
        let end = note(.ended, worker.name)
        worker.program.signal(SIGTERM)
        ended.append(worker)
        let status = try await worker.program.waitForEnd()
        committed[end] = await newsroom.committedOffsets()
        #expect(status == 0, "\(worker.name) ended with \(status):\n\(worker.saidOfPartitions)")
        return end
    }

    /// Stops the threads of a worker where they are.
    ///
    /// - Returns: The life, and when.
    func freeze(_ name: String) async throws -> Disturbance {
        let worker = try #require(running[name], "\(name) does not run")
        let time = Timestamp.now()
        worker.program.signal(SIGSTOP)
        let stop = note(.frozen, worker.name, at: time)
        committed[stop] = await newsroom.committedOffsets()
        return stop
    }

    /// Lets the threads of a worker go on.
    func thaw(_ name: String) throws {
        try #require(running[name], "\(name) does not run").program.signal(SIGCONT)
    }

    /// Waits until the partitions under load are shared out evenly among those that run.
    ///
    /// - Parameter patience: How long to wait at most.
    /// - Throws: Where it takes longer.
    func settle(within patience: Duration = .seconds(180)) async throws {
        let reader = try #require(newsroom.acceptanceReader, "nobody reads what the hub accepts")
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
        try #require(isSettled, "\(lives.sorted()) never shared: \(reader.presentOwners)\n\(text)")
    }

    /// Asks all to end, and waits until they have.
    func stopAll() async throws {
        for name in names { try await stop(name) }
    }

    /// Kills what still runs.
    func end() {
        for worker in running.values { worker.program.end() }
        for worker in ended { worker.program.end() }
    }

    /// Writes all that they said into a folder, a file a life.
    func keepLogs(in folder: String) throws {
        for worker in ended + running.values { try worker.keepLog(in: folder) }
    }

    /// When their group took partitions from workers that ran.
    var losses: [Disturbance] { (ended + running.values).flatMap(\.losses) }

    /// What they said of their partitions, for the text of a failure.
    var saidOfPartitions: String { (ended + running.values).map(\.saidOfPartitions).joined(separator: "\n") }

    /// What sanitizers found in any of them, also in those that were killed.
    var sanitizerReports: [String] { (ended + running.values).flatMap(\.sanitizerReports) }

    /// How many lines of all that they said hold a text.
    func linesSaid(with text: String) -> Int {
        (ended + running.values).reduce(0) { $0 + $1.program.lines.events.count { $0.contains(text) } }
    }

    private func remove(_ name: String) throws -> WorkerProcess {
        let worker = running.removeValue(forKey: name)
        return try #require(worker, "\(name) does not run")
    }

    @discardableResult
    private func note(_ kind: Disturbance.Kind, _ life: String, at time: Timestamp = .now()) -> Disturbance {
        let disturbance = Disturbance(kind: kind, worker: life, time: time)
        disturbances.append(disturbance)
        print("\(time.rfc3339) \(kind) \(life)")
        return disturbance
    }
}
