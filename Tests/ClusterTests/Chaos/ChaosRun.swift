import FoundationEssentials
import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

/// One run of a scenario: three brokers, two hubs, a newsroom that writes continuously, and a fleet.
final class ChaosRun: Sendable {
    /// The setup of a scenario.
    struct Setup: Sendable {
        var brokers = 3
        var partitions = 6
        /// Records per second, for programs without a sanitizer; see ``Slowness``.
        var rate = 300.0
        var mix = NewsMix.alerts
        /// Records before the plan.
        var first: [PlannedRecord] = []
        /// Records after the plan, written when the course requests it.
        var last: [PlannedRecord] = []
        /// The number of records; `nil` for the rate times the duration.
        var count: Int?
        /// Whether workers keep their names in the group.
        var isStable = true
        /// Whether there are two watched hubs; otherwise there is one, in its own process.
        var isWatched = true
        var patience = Evidence.Patience()
        /// The share of records that the desk may give up, because its client cannot confirm records when their broker
        /// dies.
        var givenUp = 0.0
        /// The maximum time from the end of the load to the end of the last event.
        var longestEnd = Duration.seconds(180)
        /// The network between the workers and the first hub; `nil` for the loopback.
        var network: HubNetwork?
        /// Whether workers serve their metrics and their status.
        var hasAdmin = false
    }

    let scenario: Chaos
    let setup: Setup
    /// Records per second, at a rate that programs of this build can process.
    let rate: Double
    let cluster: RealCluster
    let newsroom: Newsroom
    let fleet: Fleet
    /// The worker's default session timeout.
    static let session = Duration.seconds(10)

    private init(_ scenario: Chaos, _ setup: Setup, cluster: RealCluster) async throws {
        self.scenario = scenario
        self.setup = setup
        self.cluster = cluster
        let rate = setup.rate * (try await Slowness.present().load)
        self.rate = rate
        // The load must not end before the course, and workers may join slowly.
        let seconds = scenario.length / .seconds(1) * 1.5 + 200
        let plan = NewsPlan(count: setup.count ?? Int(seconds * rate), mix: setup.mix, seed: Chaos.seed)
        newsroom = try await Newsroom(
            KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, clientID: "newsroom"),
            name: scenario.rawValue,
            plan: NewsPlan(setup.first + plan.records + setup.last),
            Newsroom.Setup(partitions: setup.partitions, isWatched: setup.isWatched)
        )
        var settings = WorkerProcess.Settings()
        if Chaos.logs != nil { settings.level = "info" }
        settings.hasAdmin = setup.hasAdmin
        if let network = setup.network {
            let port = try #require(newsroom.hubs[0].port)
            try await network.forward(to: port)
            settings.hostNames = WorkerProcess.HostNames(
                file: network.hosts,
                hub: HubNetwork.hostName,
                label: newsroom.hubs[0].label
            )
        }
        fleet = Fleet(newsroom, folder: try TemporaryFolder(), isStable: setup.isStable, settings)
    }

    /// Runs a scenario, and always ends everything that it started.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - setup: Its setup.
    ///   - body: Its course.
    /// - Throws: The error of the course.
    static func run(_ scenario: Chaos, _ setup: Setup, _ body: (ChaosRun) async throws -> Void) async throws {
        let cluster = try await RealCluster.start(brokers: setup.brokers)
        do {
            let run = try await ChaosRun(scenario, setup, cluster: cluster)
            do {
                try await body(run)
            } catch {
                run.say("gave up")
                try await run.close()
                throw error
            }
            try await run.close()
        } catch {
            await cluster.stop()
            throw error
        }
        await cluster.stop()
    }

    private func close() async throws {
        await fleet.end()
        let reports = await fleet.sanitizerReports + newsroom.sanitizerReports
        #expect(reports.isEmpty, "\(reports.count) reports, the first: \(reports.first ?? "")")
        if let logs = Chaos.logs { try await fleet.keepLogs(in: logs) }
        await newsroom.close()
    }

    /// The numbers of ``Setup/last`` in the plan.
    var lastNumbers: Range<Int> {
        let count = newsroom.desk.plan.records.count
        return (count - setup.last.count)..<count
    }

    /// Waits until the partitions are assigned, and some time longer, because newly started brokers confirm slowly.
    func warmUp() async throws {
        try await fleet.settle()
        try await wait(.seconds(15))
    }

    /// Writes at the scenario's rate while the course runs, waits until all events have ended, and checks the
    /// guarantees.
    ///
    /// - Parameter course: The course of the scenario; returns its figures.
    /// - Throws: The error of the course.
    func underLoad(_ course: () async throws -> String) async throws {
        async let written: Void = newsroom.write(.perSecond(rate), 0..<lastNumbers.lowerBound)
        let figures: String
        do {
            figures = try await course()
        } catch {
            newsroom.desk.stop()
            throw error
        }
        if setup.count == nil { newsroom.desk.stop() }
        try await written
        try await conclude(figures)
    }

    /// Waits until all written events have ended, and checks the guarantees.
    ///
    /// - Parameters:
    ///   - figures: The figures of the course.
    ///   - guarantees: The guarantees to check; all by default.
    /// - Throws: The error of the fleet or the evidence.
    func conclude(_ figures: String, _ guarantees: (Findings) -> [any Guarantee] = \.all) async throws {
        let places = Array(newsroom.desk.places.values)
        let count = places.count
        let isDone = await isDone(within: setup.longestEnd * newsroom.slowness.ofGroup) { [newsroom] in
            try await newsroom.outcomeReader.finalOutcomes(of: places)
        }
        try await fleet.stopAll()
        let evidence = try newsroom.evidence(
            disturbances: (await fleet.disturbances + fleet.losses).sorted { $0.time < $1.time },
            committed: await fleet.committed,
            forming: await fleet.forming,
            patience: setup.patience
        )
        let findings = Findings(evidence, givenUp: setup.givenUp)
        let losses = await fleet.losses.count
        let lost = losses > 0 ? ", \(losses) times the group took partitions from a worker that ran" : ""
        let pause = (evidence.pauses.map { $0.upperBound - $0.lowerBound }.max() ?? .zero).milliseconds
        say(
            "\(newsroom.slowness.description)\(figures); \(count) events\(lost), the desk paused at most \(pause): \(findings)"
        )
        let said = await fleet.saidOfPartitions
        #expect(isDone, "\(count - newsroom.outcomeReader.count) of \(count) have no final outcome\n\(said)")
        let failures = newsroom.desk.failures
        #expect(
            Double(failures.count) <= setup.givenUp * Double(count),
            "the desk gave up \(failures.count): \(failures.prefix(3))"
        )
        for hub in newsroom.hubs {
            #expect(await fleet.linesSaid(with: hub.key) == 0, "the key of \(hub.label) appears in the log")
        }
        #expect(newsroom.outcomeReader.present.faults.isEmpty)
        for guarantee in guarantees(findings) { #expect(guarantee.isMet, "seed \(Chaos.seed): \(guarantee)") }
        if !findings.all.allSatisfy(\.isMet) { print("what the workers said:\n\(said)") }
    }

    /// A time limit for the work of a group of workers, longer if they are slow.
    func bound(_ time: Duration) -> Duration { time * newsroom.slowness.ofGroup }

    /// Prints a line that `.ci/chaos` shows.
    func say(_ text: String) {
        print("chaos \(scenario.rawValue) seed \(Chaos.seed): \(text)")
    }

    /// Kills a broker, and starts it again after a while.
    ///
    /// - Parameters:
    ///   - broker: The id of the broker, from 1.
    ///   - time: The time until it is started again.
    ///   - meanwhile: An observation before it is started again.
    /// - Returns: The result of `meanwhile`.
    /// - Throws: An error if it does not start.
    @discardableResult
    func lose<Seen>(_ broker: Int32, for time: Duration, _ meanwhile: () throws -> Seen = {}) async throws -> Seen {
        let committed = await newsroom.committedOffsets()
        let start = Timestamp.now()
        try await cluster.kill(broker)
        try await wait(time)
        let seen = try meanwhile()
        try await cluster.restart(broker)
        newsroom.brokerWasDead(start..<Timestamp.now(), committed: committed)
        return seen
    }

    /// Makes a hub answer 503 to all requests for a time, then restores its usual faults.
    ///
    /// - Parameters:
    ///   - index: The index of the hub in the newsroom; by default the second, so that the first shows whether it is
    ///     delayed.
    ///   - meanwhile: The course of the outage.
    /// - Returns: The result of `meanwhile`.
    /// - Throws: The error of `meanwhile`; the hub's faults are not restored then.
    func withoutHub<Seen>(_ index: Int = 1, _ meanwhile: () async throws -> Seen) async throws -> Seen {
        let hub = newsroom.hubs[index]
        let start = Timestamp.now()
        hub.emulator.setFault(Fault(status: 503))
        print("\(start.rfc3339) \(hub.label) is away")
        let seen = try await meanwhile()
        hub.emulator.setFaults(hub.usualFaults)
        newsroom.hubWasAway(hub.label, start..<Timestamp.now())
        print("\(Timestamp.now().rfc3339) \(hub.label) is back")
        return seen
    }

    /// Waits for a time of the scenario.
    func wait(_ time: Duration) async throws { try await Task.sleep(for: time) }

    /// The longest intervals without acceptances after a disturbance.
    ///
    /// - Parameters:
    ///   - life: The disturbed life of a worker.
    ///   - start: The start of the disturbance.
    /// - Returns: The longest silence from then until now in the partitions of that life, and in all others, at any hub
    ///   that was not away.
    /// - Throws: An error if no reader watches the hub.
    func gaps(of life: String, since start: Timestamp) throws -> (own: Duration, others: Duration) {
        let end = Timestamp.now()
        let evidence = Evidence(
            records: newsroom.desk.plan.records,
            places: newsroom.desk.places,
            acceptances: newsroom.hubs.acceptancesSoFar
        )
        let own = Set(newsroom.sourcePartitions.filter { evidence.owner(of: $0, at: start) == life })
        // Acceptances just before count, because the silence begins with the last acceptance.
        let start = start - .milliseconds(500)
        var longest = (own: Duration.zero, others: Duration.zero)
        for hub in newsroom.hubs where !newsroom.wasAway(hub.label, in: start..<end) {
            let silence = Silence(evidence, of: newsroom.sourcePartitions, at: hub.label, from: start, to: end)
            for (partition, gap) in silence.gaps.sorted(by: { $0.key < $1.key }) {
                let began = silence.beginnings[partition]?.rfc3339 ?? ""
                let name = "\(partition)\(own.contains(partition) ? ", its own," : "")"
                print("\(name) at \(hub.label): silent for \(gap.milliseconds) from \(began)")
            }
            longest.own = max(longest.own, silence.longest { own.contains($0) })
            longest.others = max(longest.others, silence.longest { !own.contains($0) })
        }
        return longest
    }
}
