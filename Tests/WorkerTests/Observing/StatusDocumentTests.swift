import NewsflashKafka
import NewsflashPlanning
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing
@testable import NewsflashWorker

/// The reader of `/status`, with the bytes that a worker writes.
@Suite(.timeLimit(.minutes(1)))
struct StatusDocumentTests {
    private let time = Timestamp(seconds: 1_772_438_400)
    private let source = TopicPartition(topic: "news", partition: 0)

    private func publishing() throws -> PublishingStatus {
        let configuration = try SoundConfiguration.read()
        let core = PublishingCore(configuration: configuration.core, planner: EventPlanner(configuration), seed: 1)
        var status = core.status(now: .now())
        status.partitions = [PublishingStatus.Partition(source: source, phase: .restoring)]
        status.hubs[0].inFlight = 3
        status.hubs[0].concurrencyLimit = 8
        status.hubs[0].rateLimit = 12.5
        status.hubs[0].pausedUntil = time
        status.hubs[0].limit = .rate
        status.hubs[0].circuit = OpenCircuit(.unauthorized, now: .now(), detail: "no")
        status.pauses = [
            ControlRecord(.pause, .source("desk"), by: .person("ed:novak"), reason: "a test", at: time)
        ]
        status.lanes[0].waiting = 4
        status.lanes[0].inFlight = 2
        for state in PublishingStatus.stateNames { status.events[state] = state.count }
        status.unconfirmed = 5
        status.oldestConsumedAt = time
        return status
    }

    private func read(_ status: WorkerStatus, rules: [UInt8]? = nil) throws -> StatusDocument {
        let members = rules.map { [(name: "rules", json: $0)] } ?? []
        return StatusDocument(try JSONReader.read(status.json(adding: members)))
    }

    @Test func `each member that is written is read`() throws {
        let publishing = try publishing()
        let gap = KafkaLogGap(partition: source, offsets: 3..<7, reason: .retention)
        let document = try read(
            WorkerStatus(
                version: "1.2",
                instance: "press-1",
                group: "workers",
                startedAt: time,
                publishing: publishing,
                lags: [PartitionLag(source: source, records: 12, age: .milliseconds(4250))],
                notes: ["a note"],
                losses: [LostRecords.Loss(gap: gap, at: time)]
            )
        )
        #expect(document.version == "1.2" && document.instance == "press-1" && document.group == "workers")
        #expect(document.startedAt == time && document.oldestConsumedAt == time)
        #expect(document.notes == ["a note"])
        let loss = StatusDocument.Loss(
            partition: "news[0]",
            from: 3,
            to: 6,
            records: 4,
            reason: "retention",
            at: time.rfc3339
        )
        #expect(document.losses == [loss])
        #expect(document.partitions == [.init(name: "news[0]", phase: "restoring", records: 12, seconds: 4.25)])
        #expect(
            document.hubs.first
                == .init(
                    name: publishing.hubs[0].name,
                    inFlight: 3,
                    concurrencyLimit: 8,
                    rateLimit: 12.5,
                    pausedUntil: time.rfc3339,
                    limit: "rate",
                    openCircuit: "unauthorized"
                )
        )
        let pause = StatusDocument.Pause(
            source: "desk",
            topic: nil,
            by: "ed:novak",
            reason: "a test",
            since: time.rfc3339
        )
        #expect(document.sourcePauses == [pause])
        #expect(document.lane("express") == .init(waiting: 4, inFlight: 2))
        #expect(StatusDocument.lanes.count == Lane.allCases.count)
        #expect(StatusDocument.states == PublishingStatus.stateNames)
        for state in PublishingStatus.stateNames { #expect(document.events(state) == Int64(state.count), "\(state)") }
        #expect(document.unconfirmed == 5)
        #expect(document.rules == nil)
    }

    @Test func `the rules in force and the latest reload are read`() throws {
        let text = SoundConfiguration.text
        let read = try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml")
        var state = ReloadState(
            rules: read.configuration.rules,
            secure: read.configuration.secure,
            values: read.values,
            now: time
        )
        let status = WorkerStatus(version: "1", group: "workers", startedAt: time, lags: [], notes: [])
        let rules = try #require(try self.read(status, rules: state.json).rules)
        #expect(rules == .init(digest: read.configuration.publishing.digest, since: time.rfc3339, lastReload: nil))
        let problem = ConfigurationProblem(path: "text", line: 3, message: "is wrong")
        _ = state.apply(
            .failure(ConfigurationError(source: "test.yaml", problems: [problem])),
            for: .signal,
            samples: [],
            now: time + .seconds(1)
        )
        let reload = try #require(try self.read(status, rules: state.json).rules?.lastReload)
        #expect(reload.result == "refused" && !reload.isInForce)
        #expect(reload.by == "SIGHUP" && reload.reason.isEmpty && reload.detail == "test.yaml has 1 problem")
        #expect(reload.problems == ["line 3: text: is wrong"])
        #expect(reload.at == (time + .seconds(1)).rfc3339)
        for kind in ReloadResult.Kind.allCases {
            let reload = StatusDocument.Rules.Reload(
                result: kind.rawValue,
                at: "",
                by: "",
                reason: "",
                detail: "",
                problems: []
            )
            #expect(reload.isInForce == (kind == .promoted || kind == .unchanged))
        }
    }
}
