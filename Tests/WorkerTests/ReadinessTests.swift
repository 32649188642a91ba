import NewsflashHTTPServer
import NewsflashPlanning
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashKafka
@testable import NewsflashPublishing
@testable import NewsflashWorker

/// The reasons for which a worker is not ready, in words for the person on call.
@Suite(.timeLimit(.minutes(1)))
struct ReadinessTests {
    /// The readiness of a worker without partitions in a phase of its group.
    private func withoutPartitions(_ phase: KafkaGroupState.Phase?, for pause: Duration) throws -> Readiness {
        var facts = Readiness.Facts(now: .now)
        facts.group = phase.map { KafkaGroupState(phase: $0, since: .now, step: "wait-sync") }
        facts.groupFor = pause
        return Readiness(facts)
    }

    @Test func `a standby worker without a partition in a settled group is ready, with a note`() throws {
        let readiness = try withoutPartitions(.steady, for: .seconds(3))
        #expect(readiness.isReady)
        #expect(readiness.notes.count == 1)
        #expect(readiness.notes.first?.hasPrefix("no_partitions: no partition is assigned, because the group") == true)
    }

    @Test(
        arguments: [
            (nil, Duration.seconds(60)), (.outside, .seconds(60)), (.joining, .seconds(60)), (.leaving, .seconds(60)),
            (.steady, .milliseconds(2999)),
        ] as [(KafkaGroupState.Phase?, Duration)]
    )
    func `a worker without partitions is not ready while its group changes`(
        phase: KafkaGroupState.Phase?,
        pause: Duration
    ) throws {
        let readiness = try withoutPartitions(phase, for: pause)
        #expect(readiness.notes == [])
        #expect(readiness.reasons.count == 1)
        #expect(readiness.reasons.first?.hasPrefix("no_partitions: no partition is assigned yet") == true)
    }

    @Test func `each open circuit is a reason that names its hub`() throws {
        var facts = Readiness.Facts(now: .now)
        let configuration = try SoundConfiguration.read()
        let core = PublishingCore(configuration: configuration.core, planner: EventPlanner(configuration), seed: 1)
        var status = core.status(now: .now())
        let hubs = ["main", "partner", "spare"]
        status.hubs = hubs.map { .init(name: $0, circuit: nil, concurrencyLimit: 8, rateLimit: nil, inFlight: 0) }
        status.hubs[0].circuit = OpenCircuit(.unauthorized, now: .now(), detail: "no")
        status.hubs[1].circuit = OpenCircuit(.hubUnavailable, now: .now(), detail: "")
        facts.status = status
        let reasons = Readiness(facts).reasons.filter { $0.hasPrefix("held.") }
        #expect(reasons.count == 2)
        #expect(reasons.first?.hasPrefix("held.unauthorized: hub main, since ") == true)
        #expect(reasons.last?.hasPrefix("held.hub_unavailable: hub partner, since ") == true)
    }

    @Test func `the status contains the notes of a ready worker`() throws {
        let readiness = try withoutPartitions(.steady, for: .seconds(9))
        let request = HTTPServerRequest(method: "GET", target: "/status", headers: [], body: [])
        guard case .bytes(let body) = AdminServer.answer(request, try pages(of: readiness)).body else {
            Issue.record("the status is not a text")
            return
        }
        let notes = try JSONReader.read(body)[member: "notes"]?.array?.compactMap(\.string)
        #expect(notes == readiness.notes)
    }

    /// The pages of a worker without partitions.
    private func pages(of readiness: Readiness) throws -> [AdminServer.Page] {
        let configuration = try SoundConfiguration.read()
        let planner = EventPlanner(configuration)
        let core = PublishingCore(configuration: configuration.core, planner: planner, seed: 1)
        let status = WorkerStatus(
            version: "1",
            group: "workers",
            startedAt: .now(),
            publishing: core.status(now: .now()),
            lags: [],
            notes: readiness.notes
        )
        return WorkerPages(readiness: { readiness }, status: { status }, metrics: { _ in "" }).pages
    }

    /// The reasons of a worker that has a partition, after `change`.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - failure: The error of a record that was not written.
    ///   - change: Changes the facts about the worker.
    /// - Returns: The reasons in the order in which they are shown.
    /// - Throws: `ConfigurationError` if the configuration is invalid.
    private func reasons(
        at now: Instant = .now,
        failure: KafkaHealth.WriteFailure? = nil,
        _ change: (inout PublishingStatus) -> Void
    ) throws -> [String] {
        let configuration = try SoundConfiguration.read()
        let planner = EventPlanner(configuration)
        let core = PublishingCore(configuration: configuration.core, planner: planner, seed: 1)
        let source = TopicPartition(topic: "news", partition: 0)
        var status = core.status(now: .now())
        status.partitions = [PublishingStatus.Partition(source: source, phase: .working)]
        change(&status)
        return Readiness(Readiness.Facts(status: status, writeFailure: failure, now: now)).reasons
    }

    @Test func `a worker with a partition and without a fault is ready`() throws {
        #expect(try reasons { _ in } == [])
    }

    @Test func `a worker that is not sure of its partitions is not ready, and reports a pause`() {
        let unsure = Readiness(Readiness.Facts(isUnsure: true, now: .now))
        #expect(unsure.causes.contains(.lease))
        #expect(unsure.reasons.contains { $0.hasPrefix("lease: ") && $0.contains("nothing is sent or written") })
        // The reason that the worker stops replaces all others.
        #expect(!Readiness(Readiness.Facts(isUnsure: true, isStopping: true, now: .now)).causes.contains(.lease))
    }

    @Test(arguments: [(29, 200, "alive\n"), (30, 503, "stuck\n")])
    func `a worker whose publishing thread has not run for 30 s is not alive`(
        seconds: Int,
        status: Int,
        text: String
    ) throws {
        var facts = Readiness.Facts(now: .now)
        facts.turnedAt = facts.now - .seconds(seconds)
        let readiness = Readiness(facts)
        let response = AdminServer.answer(
            HTTPServerRequest(method: "GET", target: "/livez", headers: [], body: []),
            try pages(of: readiness)
        )
        #expect(response.status == status)
        guard case .bytes(let body) = response.body else {
            Issue.record("the answer is not a text")
            return
        }
        #expect(String(decoding: body, as: UTF8.self) == text)
        #expect(readiness.causes.contains(.stuck) == (status == 503))
    }

    @Test func `a worker that reads the ledger of a partition is not ready`() throws {
        let reasons = try reasons { status in
            for index in status.partitions.indices { status.partitions[index].phase = .restoring }
        }
        #expect(reasons.count == 1)
        #expect(reasons.first?.hasPrefix("restoring: reading the ledger of news") == true)
    }

    @Test func `unreadable commands are a reason`() {
        let readiness = Readiness(Readiness.Facts(controlFault: "the topic is gone", now: .now))
        #expect(readiness.reasons.contains("control: the topic is gone"))
    }

    @Test func `a pause that the hub requested is a reason, with a remedy`() throws {
        let reasons = try reasons { $0.pausedUntil = Timestamp(seconds: 1_700_000_000) }
        #expect(reasons.count == 1)
        #expect(reasons.first?.hasPrefix("paused: the hub asked for a pause until 2023-11-14T22:13:20.000Z;") == true)
        #expect(reasons.first?.contains("tier") == true)
    }

    @Test func `an unconfirmed record is a reason after ten seconds`() throws {
        #expect(try reasons { $0.unconfirmedFor = .seconds(9) } == [])
        let reasons = try reasons { $0.unconfirmedFor = .seconds(11) }
        #expect(reasons.count == 1)
        #expect(reasons.first?.hasPrefix("records_unconfirmed: Kafka has not confirmed a record for 11 s") == true)
    }

    @Test
    func `a refused record is a reason at once, until all unconfirmed records are younger`()
        throws
    {
        let now = Instant.now
        var failure = KafkaHealth.WriteFailure(
            text: "Write on the topic ledger",
            isForbidden: true,
            at: now - .seconds(2)
        )
        let refused = try reasons(at: now, failure: failure) { $0.unconfirmedFor = .seconds(3) }
        #expect(refused.first?.contains("(Write on the topic ledger)") == true)
        #expect(try reasons(at: now, failure: failure) { $0.unconfirmedFor = .seconds(1) } == [])
        #expect(try reasons(at: now, failure: failure) { $0.unconfirmedFor = nil } == [])
        failure.isForbidden = false
        #expect(
            try reasons(at: now, failure: failure) { $0.unconfirmedFor = .seconds(3) } == [],
            "it may pass by itself"
        )
        let slow = try reasons(at: now, failure: failure) { $0.unconfirmedFor = .seconds(11) }
        #expect(slow.first?.contains("(Write on the topic ledger)") == true)
    }
}
